import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CURVES } from '../sdk/curves/index.js';
import { generateWasmConstants } from './generate/wasm/constants.js';
import { generateWasmEndomorphism } from './generate/wasm/endomorphism.js';
import { generateWasmFields } from './generate/wasm/field.js';
import { generateWasmLanes } from './generate/wasm/lanes.js';
import { generateWasmPairing } from './generate/wasm/pairing.js';
import { generateWgslByteField } from './generate/wgsl/byte-field.js';
import { generateWgslField } from './generate/wgsl/field.js';
import { generateWgslIndex } from './generate/wgsl/index.js';

/**
 * Writes the per-field code of the kernels from the curves' parameters. With `--check` nothing is written: the exit code is 1
 * when a file on disk differs from what would be.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const files = [
  ...Object.values(CURVES).flatMap((curve) => [
    ...generateWasmFields(curve),
    ...generateWasmConstants(curve),
    ...generateWasmEndomorphism(curve),
    ...generateWasmLanes(curve),
    ...generateWasmPairing(curve),
    ...generateWgslField(curve),
    ...generateWgslByteField(curve),
  ]),
  ...generateWgslIndex(Object.values(CURVES)),
];
let stale = 0;
for (const { path, text } of files) {
  const target = join(root, path);
  const current = await readFile(target, 'utf8').catch(() => undefined);
  if (current === text) continue;
  stale++;
  if (check) {
    console.error(`${path} is not what the generator gives; run: npm run generate`);
  } else {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    console.log(`wrote ${path}`);
  }
}
console.log(`${files.length} generated files, ${stale} ${check ? 'stale' : 'written'}`);
if (check && stale > 0) process.exitCode = 1;
