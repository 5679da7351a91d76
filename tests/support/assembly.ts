import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withWideFunctions } from '../../scripts/lib/wide-functions.mjs';
import { emulateWide } from './emulated-wide.js';
import { EVERY_COMBINATION } from './every-combination.js';
import { root } from './root.js';

/** The exported functions. Arguments and results are numbers: no function uses u64, which would be a bigint. */
export type AssemblyExports = Record<string, (...args: number[]) => number> & { readonly memory: WebAssembly.Memory };

/**
 * Functions under test are optimised less than the modules that ship, whose own tests run the same functions: it takes
 * the compiler a third less time. Where every combination is asked for, they are compiled as those are.
 */
const OPTIMISED = EVERY_COMBINATION ? [] : ['--optimizeLevel', '1'];

/** The folder of compiled modules, which are named after a hash of what they were compiled from. */
const CACHE = join(root, 'build', 'test-wasm');

/**
 * Compiles AssemblyScript text as if it were the file wasm/<name>.ts and instantiates it, so that tests can call
 * functions that no module exports. The options are those of the shipped modules but for `OPTIMISED`. `functions` is the
 * file of the functions with wide arithmetic that the text imports, if any; their instructions are emulated.
 */
export async function assemble(
  name: string,
  text: string,
  features: readonly string[] = [],
  functions?: string,
): Promise<AssemblyExports> {
  const binary = await assembleBinary(name, text, features, OPTIMISED, functions);
  const { instance } = await WebAssembly.instantiate(functions === undefined ? binary : await emulateWide(binary), {});
  return instance.exports as unknown as AssemblyExports;
}

/**
 * A module of AssemblyScript text, as `assemble` has it: with the options of the shipped modules and then `options`, and
 * with `features` enabled. The same text is compiled again only when something in wasm/ has changed.
 */
export async function assembleBinary(
  name: string,
  text: string,
  features: readonly string[] = [],
  options: readonly string[] = [],
  functions?: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = JSON.stringify([name, text, features, options, functions]);
  const file = join(CACHE, `${createHash('sha256').update(sourcesHash()).update(key).digest('hex').slice(0, 32)}.wasm`);
  if (!existsSync(file)) {
    const binary = await compile(name, text, features, options, functions);
    mkdirSync(CACHE, { recursive: true });
    // Test files run in parallel processes. Renaming makes sure that none of them reads half of a module.
    writeFileSync(`${file}.${process.pid}`, binary);
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Uint8Array(readFileSync(file));
}

async function compile(
  name: string,
  text: string,
  features: readonly string[],
  further: readonly string[],
  functions?: string,
): Promise<Uint8Array> {
  // It is loaded only here, because loading the compiler takes longer than compiling most of these texts.
  const { default: asc } = await import('assemblyscript/asc');
  const entry = `wasm/${name}.ts`;
  let compiled: string | Uint8Array | undefined;
  const enable = features.flatMap((feature) => ['--enable', feature]);
  const options = [
    '--target',
    'release',
    ...further,
    functions === undefined ? '--outFile' : '--textFile',
    name,
    ...enable,
  ];
  const { error, stderr } = await asc.main([entry, ...options], {
    readFile: (file: string) => (file === entry ? text : readFile(join(root, file), 'utf8').catch(() => null)),
    writeFile: (file: string, contents: string | Uint8Array) => {
      if (file === name) compiled = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || compiled === undefined)
    throw new Error(`${entry} does not compile: ${stderr.toString()}`, { cause: error });
  return typeof compiled === 'string' ? withWideFunctions(compiled, functions!) : compiled;
}

let hashed: string | undefined;

/**
 * A hash of everything that the compiled module depends on: the files that a text may import, the options and the
 * compiler.
 */
function sourcesHash(): string {
  if (hashed !== undefined) return hashed;
  const sources = readdirSync(join(root, 'wasm'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|wat)$/.test(name))
    .sort()
    .map((name) => join('wasm', name));
  const hash = createHash('sha256');
  for (const file of [
    ...sources,
    'asconfig.json',
    'scripts/lib/wide-functions.mjs',
    'node_modules/assemblyscript/package.json',
  ]) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  hashed = hash.digest('hex');
  return hashed;
}
