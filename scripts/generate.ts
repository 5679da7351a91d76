import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CURVES } from '../sdk/curves/index.js';
import { generateCircuitArithmetic, generateLinker } from './generate/circuit-arithmetic.js';
import type { GeneratedFile } from './generate/generated-file.js';
import { generateKernelTypes } from './generate/kernel-types.js';
import { generateNodeFileUrls } from './generate/node-file-urls.js';
import { packageExportFaults } from './generate/package-exports.js';
import { generateCircuitProduct } from './generate/wasm/circuit-product.js';
import { generateWasmConstants } from './generate/wasm/constants.js';
import { generateWasmEndomorphism } from './generate/wasm/endomorphism.js';
import { generateWasmFields } from './generate/wasm/field.js';
import { generateWasmIntegerLanes } from './generate/wasm/integer-lanes.js';
import { generateWasmLanes } from './generate/wasm/lanes.js';
import { generateModuleList, generateWasmModules } from './generate/wasm/modules.js';
import { generateWasmPairing } from './generate/wasm/pairing.js';
import { generateScratchSizes } from './generate/wasm/scratch.js';
import { generateWasmWideFields } from './generate/wasm/wide-field.js';
import { generateWasmUrls } from './generate/wasm-urls.js';
import { generateWgslByteField } from './generate/wgsl/byte-field.js';
import { generateWgslExtensionByteField } from './generate/wgsl/extension-byte-field.js';
import { generateWgslExtensionField } from './generate/wgsl/extension-field.js';
import { generateWgslField } from './generate/wgsl/field.js';
import { generateWgslIndex } from './generate/wgsl/index.js';
import { generateWgslScalarField } from './generate/wgsl/scalar-field.js';
import { isWgslCurve } from './generate/wgsl/wgsl-curve.js';

/**
 * Writes what follows from the curves' parameters: the per-field code of the kernels, their entry modules, the types
 * and URLs of these. With `--check` nothing is written or removed: the exit code is 1 when a file on disk is not what
 * would be written. It is also 1 when package.json does not export the modules of every curve.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const curves = Object.values(CURVES);
const files = curves.flatMap((curve) => [
  ...generateWasmFields(curve),
  ...generateWasmWideFields(curve),
  ...generateWasmConstants(curve),
  ...generateWasmEndomorphism(curve),
  ...generateWasmLanes(curve),
  ...generateWasmIntegerLanes(curve),
  ...generateWasmPairing(curve),
  ...generateWasmModules(curve),
]);
const curvesOnGpu = curves.filter(isWgslCurve);
const shaders = curvesOnGpu.flatMap((curve) => [
  ...generateWgslField(curve),
  ...generateWgslByteField(curve),
  ...generateWgslExtensionField(curve),
  ...generateWgslExtensionByteField(curve),
  ...generateWgslScalarField(curve),
]);
files.push(
  ...shaders,
  ...generateScratchSizes(curves),
  ...generateModuleList(curves),
  ...generateKernelTypes(),
  ...generateWasmUrls(curves),
  ...generateNodeFileUrls(curves),
  ...generateWgslIndex(curvesOnGpu),
  generateCircuitProduct(),
);
let stale = 0;
for (const file of files) await settle(file);
// They are compiled from files that have just been written.
for (const generate of [generateLinker, generateCircuitArithmetic]) {
  const file = generate(root);
  await settle(file);
  files.push(file);
}
// What no curve needs any more goes: these folders hold generated files alone.
const folders = new Set(files.map(({ path }) => dirname(path)));
const known = new Set(files.map(({ path }) => path));
for (const folder of folders) {
  for (const name of await readdir(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (known.has(path)) continue;
    stale++;
    if (check) {
      console.error(`${path} is no longer generated; run: npm run generate`);
    } else {
      await rm(join(root, path));
      console.log(`removed ${path}`);
    }
  }
}
const faults = packageExportFaults(await readFile(join(root, 'package.json'), 'utf8'), curves);
for (const fault of faults) console.error(fault);
console.log(`${files.length} generated files, ${stale} ${check ? 'stale' : 'written'}`);
if (faults.length > 0 || (check && stale > 0)) process.exitCode = 1;

async function settle({ path, text }: GeneratedFile): Promise<void> {
  const target = join(root, path);
  const current = await readFile(target, 'utf8').catch(() => undefined);
  if (current === text) return;
  stale++;
  if (check) {
    console.error(`${path} is not what the generator gives; run: npm run generate`);
  } else {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    console.log(`wrote ${path}`);
  }
}
