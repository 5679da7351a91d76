import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Compiles the kernels' modules, wasm/modules/<name>.ts to dist/<name>.wasm, where one is older than any of the
 * sources. An argument names the only curve whose modules are wanted.
 */
const [curve = ''] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const sources = readdirSync(join(root, 'wasm'), { recursive: true, encoding: 'utf8' }).map((name) =>
  join('wasm', name),
);
const newest = Math.max(
  ...[...sources, 'asconfig.json', 'scripts/lib/wide-functions.mjs'].map((file) => statSync(join(root, file)).mtimeMs),
);
mkdirSync(join(root, 'dist'), { recursive: true });

/**
 * Modules by name: the features that they need beyond the first WASM, of one that takes the memory of another where its
 * data begin in it, and the file with the functions that one with wide arithmetic imports.
 *
 * @type {Record<string, { features: string[], sharedFrom?: number, functions?: string }>}
 */
const MODULES = JSON.parse(readFileSync(join(root, 'wasm/generated/modules.json'), 'utf8'));

for (const [name, { features, sharedFrom, functions }] of Object.entries(MODULES)) {
  if (curve !== '' && name !== curve && !name.startsWith(`${curve}-`)) continue;
  const target = join('dist', `${name}.wasm`);
  const built = statSync(join(root, target), { throwIfNoEntry: false });
  if (built !== undefined && built.mtimeMs > newest) continue;
  // The compiler is loaded only if there is something to compile, because loading it takes long.
  const { default: asc } = await import('assemblyscript/asc');
  // Test workers may build at once, and one may read while another writes: the file appears whole or not at all.
  const written = join('dist', `.${name}.${process.pid}.wasm`);
  const options = [
    `wasm/modules/${name}.ts`,
    '--target',
    // With fused multiply-add, code that is kept short is a little faster too; without, it is slower.
    features.includes('relaxed-simd') ? 'fused-lanes' : 'release',
    functions === undefined ? '--outFile' : '--textFile',
    written,
    '--baseDir',
    root,
    ...(sharedFrom === undefined ? [] : ['--importMemory', '--memoryBase', String(sharedFrom)]),
    ...features.flatMap((feature) => ['--enable', feature]),
  ];
  const { error, stderr } = await asc.main(options);
  process.stderr.write(stderr.toString());
  if (error !== null) throw error;
  if (functions !== undefined) {
    const { withWideFunctions } = await import('./lib/wide-functions.mjs');
    writeFileSync(join(root, written), withWideFunctions(readFileSync(join(root, written), 'utf8'), functions));
  }
  renameSync(join(root, written), join(root, target));
  console.log(`${target}: ${statSync(join(root, target)).size} bytes`);
}
