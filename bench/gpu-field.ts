import { CURVES } from '../sdk/curves/index.js';
import { PippinError } from '../sdk/errors.js';
import { openDevice } from '../sdk/gpu/runtime/device.js';
import { additionChains } from './gpu-field/addition-chains.js';
import { type Contender, FULL, QUICK } from './gpu-field/contender.js';
import { shippedShape } from './gpu-field/field-shape.js';
import { inversionChains } from './gpu-field/inversion-chains.js';
import { productChains } from './gpu-field/product-chains.js';
import { FieldReport } from './gpu-field/report.js';
import { measure } from './gpu-field/runner.js';
import { sharedInversions } from './gpu-field/shared-inversion.js';

/**
 * Measures variants of the field's product and inversion in WGSL, alone and in whole point additions: 10^9 operations a second, and the time of a
 * first compilation. Every result is checked against BigInt before it is timed. The benchmark is one bundled file that runs on a bare machine;
 * there WEBGPU_PATH names Dawn's entry module, if Dawn is not installed as a package. `--only PATTERN` measures the variants whose line in
 * the table matches the pattern (with single spaces between words). With `--quick`, and on a software adapter, results are only checked.
 */

// NVIDIA's driver reads this when it is loaded. Without its cache, compile times are those of a machine that sees the kernels for the first time.
process.env.__GL_SHADER_DISK_CACHE = '0';
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// If Dawn's instance is collected as garbage, the process ends.
Object.assign(globalThis, { dawnInstance: instance });
const gpu = await openDevice(instance);
const sizes = process.argv.includes('--quick') || gpu.info.isSoftware ? QUICK : FULL;
const at = process.argv.indexOf('--only');
const only = new RegExp(at < 0 ? '' : (process.argv[at + 1] ?? ''));
const { vendor, architecture, description } = gpu.info;
const report = new FieldReport(
  `WGSL field products on ${[vendor, architecture, description].filter((part) => part !== '').join(' ')}`,
);

const contenders: Contender[] = [];
for (const { id } of Object.values(CURVES)) {
  const shape = shippedShape(id);
  contenders.push(
    ...productChains(shape, sizes),
    ...inversionChains(shape, sizes),
    ...(await additionChains(shape, sizes)),
    ...sharedInversions(shape, sizes),
  );
}
for (const contender of contenders.filter(({ curve, work, name }) => only.test(`${curve} ${work} ${name}`))) {
  if (gpu.info.isSoftware && contender.hardwareOnly !== undefined) {
    report.skip(contender, `not for software adapters: ${contender.hardwareOnly}`);
    continue;
  }
  try {
    report.add(contender, await measure(gpu, contender, sizes.runs));
  } catch (error) {
    report.fail(contender, error);
    if (error instanceof PippinError && error.code === 'DEVICE_LOST') break;
  }
}
process.exit(report.finish());
