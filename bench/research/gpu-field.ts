import { PippinError } from '../../sdk/base/errors.js';
import { CURVES, type CurveId, hasGpuKernels } from '../../sdk/curves/index.js';
import { openDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { additionChains } from './gpu-field/addition-chains.js';
import { type Contender, FULL, QUICK } from './gpu-field/contender.js';
import { shippedShape } from './gpu-field/field-shape.js';
import { inversionChains } from './gpu-field/inversion-chains.js';
import { productChains } from './gpu-field/product-chains.js';
import { FieldReport } from './gpu-field/report.js';
import { measure } from './gpu-field/runner.js';
import { sharedInversions } from './gpu-field/shared-inversion.js';

/**
 * Measures variants of the field's product and inversion in WGSL, alone and in whole point additions: products and
 * additions in 10^9 a second, inversions in 10^6 a second, and the time of a first compilation. A variant is timed only
 * after its results agree with BigInt. The benchmark is bundled into one file, which needs only Node and Dawn on the
 * machine that it runs on. WEBGPU_PATH names Dawn's entry module if Dawn is not installed as a package.
 *
 * Options: `--only PATTERN` measures the variants for which the regular expression matches "field work variant", their
 * first columns in the table, with single spaces; `--quick` runs few threads, so that results are checked but times
 * mean nothing, as always on a software adapter; `--json FILE` also writes a file.
 */

// NVIDIA's driver reads this variable when it is loaded. Without the driver's shader cache, every compilation is a
// first one.
process.env.__GL_SHADER_DISK_CACHE = '0';
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// This reference keeps Dawn's instance from being garbage-collected, which would end the process.
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
for (const id of (Object.keys(CURVES) as CurveId[]).filter(hasGpuKernels)) {
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
    report.skip(contender, `wrong on software adapters: ${contender.hardwareOnly}`);
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
