import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.js';

/** The exported functions. Arguments and results are numbers: no function uses u64, which would be a bigint. */
export type AssemblyExports = Record<string, (...args: number[]) => number> & { readonly memory: WebAssembly.Memory };

/** The folder of compiled modules, which are named after a hash of what they were compiled from. */
const CACHE = join(root, 'build', 'test-wasm');

/**
 * Compiles AssemblyScript text as if it were the file wasm/<name>.ts and instantiates it, so that tests can call
 * functions that no module exports.
 */
export async function assemble(name: string, text: string, features: readonly string[] = []): Promise<AssemblyExports> {
  const { instance } = await WebAssembly.instantiate(await assembleBinary(name, text, features), {});
  return instance.exports as unknown as AssemblyExports;
}

/**
 * The module that `assemble` instantiates. The options are those of the shipped modules, and `features` are enabled. The
 * same text is compiled again only when something in wasm/ has changed.
 */
export async function assembleBinary(
  name: string,
  text: string,
  features: readonly string[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  const key = JSON.stringify([name, text, features]);
  const file = join(CACHE, `${createHash('sha256').update(sourcesHash()).update(key).digest('hex').slice(0, 32)}.wasm`);
  if (!existsSync(file)) {
    const binary = await compile(name, text, features);
    mkdirSync(CACHE, { recursive: true });
    // Test files run in parallel processes. Renaming makes sure that none of them reads half of a module.
    writeFileSync(`${file}.${process.pid}`, binary);
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Uint8Array(readFileSync(file));
}

async function compile(name: string, text: string, features: readonly string[]): Promise<Uint8Array> {
  // It is loaded only here, because loading the compiler takes longer than compiling most of these texts.
  const { default: asc } = await import('assemblyscript/asc');
  const entry = `wasm/${name}.ts`;
  let binary: Uint8Array | undefined;
  const enable = features.flatMap((feature) => ['--enable', feature]);
  const { error, stderr } = await asc.main([entry, '--target', 'release', '--outFile', `${name}.wasm`, ...enable], {
    readFile: (file: string) => (file === entry ? text : readFile(join(root, file), 'utf8').catch(() => null)),
    writeFile: (file: string, contents: string | Uint8Array) => {
      if (typeof contents !== 'string' && file.endsWith('.wasm')) binary = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined)
    throw new Error(`${entry} does not compile: ${stderr.toString()}`, { cause: error });
  return binary;
}

let hashed: string | undefined;

/**
 * A hash of everything that the compiled module depends on: the files that a text may import, the options and the
 * compiler.
 */
function sourcesHash(): string {
  if (hashed !== undefined) return hashed;
  const sources = readdirSync(join(root, 'wasm'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join('wasm', name));
  const hash = createHash('sha256');
  for (const file of [...sources, 'asconfig.json', 'node_modules/assemblyscript/package.json']) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  hashed = hash.digest('hex');
  return hashed;
}
