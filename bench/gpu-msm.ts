import type { Kernel } from '../sdk/cpu/kernel.js';
import { CURVES, type CurveId, type CurveParameters } from '../sdk/curves/index.js';
import { openDevice } from '../sdk/gpu/device.js';
import { GpuMsm } from '../sdk/gpu/gpu-msm.js';
import { pointForm } from '../sdk/msm/prepared.js';
import { expectEqual, loadKernel } from './lib/kernel.js';
import { compare } from './lib/measure.js';
import { consecutiveMultiples, DISTRIBUTIONS, expectedFactor, makeScalars, multipleBytes } from './lib/points.js';
import { BenchReport, numbersOption } from './lib/report.js';

/**
 * Multi-scalar multiplications on the GPU through Dawn in Node: wall milliseconds from scalars on the CPU to the affine result on
 * the CPU, bases resident, pipelines warm; every result is checked. One bundled file with the two .wasm beside it, for a bare
 * machine: WEBGPU_PATH names Dawn's entry where it is no package. `--stages` prints GPU times a stage, and runs slower for it.
 */
const RUNS = numbersOption('--runs', [7])[0]!;
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// Collected, Dawn's instance takes the process with it.
Object.assign(globalThis, { dawnInstance: instance });
const device = await openDevice(instance);
const measureStages = process.argv.includes('--stages');
const { vendor, architecture, description } = device.info;
const report = new BenchReport(
  `WebGPU MSM on ${[vendor, architecture, description].filter((part) => part !== '').join(' ')}`,
);

for (const id of Object.keys(CURVES) as CurveId[]) {
  const curve = CURVES[id];
  const form = pointForm(id);
  const kernel = await loadKernel(id);
  const start = performance.now();
  const msm = await GpuMsm.create(device, id, { measureStages });
  await multiplyOne(msm, curve, kernel);
  console.log(`${id}: pipelines created and a first point multiplied in ${(performance.now() - start).toFixed(0)} ms`);
  for (const log of numbersOption('--sizes', device.info.isSoftware ? [8] : [16, 18, 20])) {
    const count = 2 ** log;
    const points = consecutiveMultiples(curve, count, 3n ** 150n);
    const prepared = await kernel.prepareBases('g1', form, 'canonical', points.bytes, 0);
    const bases = await msm.load({ curve: id, group: 'g1', form, count, ...prepared });
    for (const distribution of DISTRIBUTIONS) {
      const scalars = makeScalars(curve, count, distribution);
      const expected = multipleBytes(curve, expectedFactor(curve, points, scalars));
      const run = async (digitsByWasm: boolean): Promise<Uint8Array> => {
        const parts = await msm.multiply(
          bases,
          scalars,
          digitsByWasm
            ? {
                digitSource: (windowBits, from, to) =>
                  kernel.cutDigits(scalars.subarray(32 * from, 32 * to), windowBits),
              }
            : {},
        );
        if (parts.kind !== 'windows') throw new Error('expected window sums');
        return kernel.reduceWindows('g1', form, parts.sums, parts.windowBits);
      };
      const check = (result: unknown): void =>
        expectEqual(result as Uint8Array, expected, `${id} 2^${log} ${distribution}`);
      const contenders = [{ name: 'digits by GPU', run: () => run(false), check }];
      if (distribution === 'uniform') contenders.push({ name: 'digits by one WASM', run: () => run(true), check });
      report.add(`${id} 2^${log} ${distribution}`, await compare(contenders, RUNS));
      if (measureStages) {
        await run(false);
        const stages = Object.entries(msm.stageTimes ?? {}).map(([stage, ms]) => `${stage} ${ms.toFixed(2)}`);
        console.log(`${' '.repeat(35)}GPU ms: ${stages.join(', ')}`);
      }
    }
    console.log(`${' '.repeat(35)}GPU memory: ${(msm.memoryBytes / 2 ** 20).toFixed(0)} MiB`);
    bases.release();
  }
  msm.destroy();
}
report.finish();
process.exit(0);

/** A multiplication of one point, which waits for all pipelines. */
async function multiplyOne(msm: GpuMsm, curve: CurveParameters, kernel: Kernel): Promise<void> {
  const form = pointForm(curve.id);
  const { bytes } = consecutiveMultiples(curve, 1, 5n);
  const prepared = await kernel.prepareBases('g1', form, 'canonical', bytes, 0);
  const bases = await msm.load({ curve: curve.id, group: 'g1', form, count: 1, ...prepared });
  await msm.multiply(bases, makeScalars(curve, 1, 'uniform'));
  bases.release();
}
