import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES, SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import { type GpuConstraints, GpuQuotient } from '../../../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import { elementBytes } from '../../../../sdk/executors/gpu/polynomials/scalar-field.js';
import { type GpuDevice, openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { StageTimer } from '../../../../sdk/executors/gpu/runtime/stage-timer.js';
import { quickest } from '../../../support/quickest.js';
import { quotientOfWitness } from '../../../support/quotient-of-witness.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { emptyKernels } from '../../../support/watched-gpu.js';
import { quotientOnWorkers } from '../../../support/workers-quotient.js';
import { expectNoSecrets } from '../secrets-on.js';
import { openTestDevice, sharedDevice } from '../test-device.js';
import { type VirtualDevice, virtualGpu } from '../virtual-gpu.js';
import { readBuffer } from './quotient-lab.js';
import { mixedEntries, sectionOf } from './section.js';

const CURVE = 'bn254';
/** A quotient of this size takes half a second, and several submits, on a software adapter. */
const FACTS = { domainSize: 4096, variables: 3000 } as const;

const random = new Random(8);
const { modulus } = CURVES[CURVE].fr;
const section = sectionOf(CURVE, mixedEntries(CURVE, FACTS, random));
const witness = elementBytes(
  CURVE,
  Array.from({ length: FACTS.variables }, () => random.below(modulus)),
);
let expected: Uint8Array;

beforeAll(async () => {
  expected = await quotientOnWorkers(await loadKernel(CURVE), section, FACTS, witness);
});

describe('GpuQuotient', () => {
  let gpu: GpuDevice;
  let quotient: GpuQuotient;
  let constraints: GpuConstraints;

  beforeAll(async () => {
    gpu = await sharedDevice();
    quotient = await GpuQuotient.create(gpu, CURVE);
    constraints = await quotient.loadConstraints(section, FACTS);
  });

  afterAll(() => quotient.destroy());

  async function expectRight(on: GpuQuotient = quotient, given: GpuConstraints = constraints): Promise<void> {
    const scalars = await quotientOfWitness(on, given, witness);
    const got = await readBuffer(gpu, scalars.buffer);
    scalars.release();
    expect(Buffer.compare(got, expected)).toBe(0);
  }

  it('finishes two computations that were asked for together', () => Promise.all([expectRight(), expectRight()]));

  it('tells its progress, which never falls and ends at 1', async () => {
    const fractions: number[] = [];
    const own = await GpuQuotient.create(gpu, CURVE);
    const ready = await own.loadConstraints(section, FACTS);
    const scalars = await quotientOfWitness(own, ready, witness, {
      onProgress: (fraction) => fractions.push(fraction),
    });
    scalars.release();
    own.destroy();
    expect(fractions.length).toBeGreaterThan(gpu.info.isSoftware ? 2 : 0);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBeCloseTo(1);
  });

  it('rejects with ABORTED within 200 ms in the middle of a computation, and the next one is right', async () => {
    const abort = async (): Promise<number> => {
      const own = await GpuQuotient.create(gpu, CURVE);
      const ready = await own.loadConstraints(section, FACTS);
      const controller = new AbortController();
      let abortedAt = 0;
      const onProgress = (): void => {
        if (abortedAt > 0) return;
        abortedAt = performance.now();
        controller.abort();
      };
      const call = quotientOfWitness(own, ready, witness, { signal: controller.signal, onProgress });
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
      const abortMs = performance.now() - abortedAt;
      // The turn of the computation, and that in which its result is freed.
      await gpu.turns.run(async () => undefined);
      await gpu.turns.run(async () => undefined);
      expect(own.memoryBytes).toBe(ready.bytes + FACTS.domainSize * SCALAR_BYTES);
      await expectRight(own, ready);
      own.destroy();
      return abortMs;
    };
    expect(await quickest(200, abort)).toBeLessThan(200);
  });

  it('rejects with ABORTED at once while it waits for its turn', async () => {
    const controller = new AbortController();
    const running = expectRight();
    const waiting = quotientOfWitness(quotient, constraints, witness, { signal: controller.signal });
    const loading = quotient.loadConstraints(section, FACTS, { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
    await running;
    const signal = AbortSignal.abort();
    await expect(quotientOfWitness(quotient, constraints, witness, { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('keeps nothing of the witness on the GPU', async () => {
    const { gpu: views, devices } = await virtualGpu({ isSoftware: true });
    const opened = await openDevice(views);
    const own = await GpuQuotient.create(opened, CURVE);
    const ready = await own.loadConstraints(section, FACTS);
    const scalars = await quotientOfWitness(own, ready, witness);
    const { alive } = devices[0]!;
    expect([...alive].map(({ label }) => label)).toContain('scalars');
    scalars.release();
    await expectNoSecrets(devices[0]!, witness);
    const labels = [...alive].map(({ label }) => label);
    // Two rows, their product and the partial sums, and what brought the witness.
    for (const label of ['scratch 0', 'scratch 1', 'scratch 2', 'staging']) expect(labels).toContain(label);
    expect(labels).not.toContain('scalars');
    own.destroy();
    await opened.turns.run(async () => undefined);
    expect([...alive].filter(({ label }) => label !== 'staging')).toEqual([]);
    expect(own.memoryBytes).toBe(0);
  });

  it('keeps nothing of it either when its last submit is refused, and the next one is right', async () => {
    let products = 0;
    let submits = 0;
    const onUse = (name: string, device: VirtualDevice): void => {
      if (name === `multiply ${CURVE}` && ++products === 2) device.refuseNext();
    };
    const { gpu: views, devices } = await virtualGpu({ onUse, isSoftware: true });
    const own = await GpuQuotient.create(await openDevice(views), CURVE);
    const ready = await own.loadConstraints(section, FACTS);
    const failing = quotientOfWitness(own, ready, witness, { onProgress: () => void submits++ });
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(submits).toBeGreaterThan(1);
    await expectNoSecrets(devices[0]!, witness);
    await expectRight(own, ready);
    own.destroy();
  });

  it('takes no more memory after several computations than after the first', async () => {
    await expectRight();
    await gpu.turns.run(async () => undefined);
    const before = quotient.memoryBytes;
    for (let i = 0; i < 2; i++) await expectRight();
    await gpu.turns.run(async () => undefined);
    expect(quotient.memoryBytes).toBe(before);
  });

  it('rejects what does not fit together', async () => {
    await expect(quotientOfWitness(quotient, constraints, witness.subarray(32))).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
    for (const domainSize of [0, 3, 2 ** 28]) {
      const load = quotient.loadConstraints(section, { ...FACTS, domainSize });
      await expect(load).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    const short = quotient.loadConstraints(section.subarray(1), FACTS);
    await expect(short).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
  });

  it('rejects what does not fit the memory budget or a binding', async () => {
    const large = quotient.loadConstraints(section, { ...FACTS, domainSize: 2 ** 23 });
    await expect(large).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    const tiny = await GpuQuotient.create(gpu, CURVE, { memoryBudget: 100_000 });
    await expect(tiny.loadConstraints(section, FACTS)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    await gpu.turns.run(async () => undefined);
    expect(tiny.memoryBytes).toBe(0);
    const room = constraints.bytes + 2 * FACTS.domainSize * SCALAR_BYTES + 100_000;
    const small = await GpuQuotient.create(gpu, CURVE, { memoryBudget: room });
    const ready = await small.loadConstraints(section, FACTS);
    await expect(quotientOfWitness(small, ready, witness)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    small.destroy();
  });

  it('rejects what was released or destroyed', async () => {
    const own = await GpuQuotient.create(gpu, CURVE);
    const ready = await own.loadConstraints(section, FACTS);
    const running = expectRight(own, ready);
    ready.release();
    ready.release();
    await running;
    await expect(quotientOfWitness(own, ready, witness)).rejects.toMatchObject({ code: 'DISPOSED' });
    own.destroy();
    await expect(own.loadConstraints(section, FACTS)).rejects.toMatchObject({ code: 'DISPOSED' });
    const other = await GpuQuotient.create(gpu, CURVE);
    const loading = other.loadConstraints(section, FACTS);
    other.destroy();
    await expect(loading).rejects.toMatchObject({ code: 'DISPOSED' });
    await gpu.turns.run(async () => undefined);
    expect(other.memoryBytes).toBe(0);
  });

  it('measures its stages when it is asked to, where the device can', async () => {
    const measuring = await GpuQuotient.create(gpu, CURVE, { stageTimer: StageTimer });
    await expectRight(measuring, await measuring.loadConstraints(section, FACTS));
    expect(Object.keys(measuring.stageTimes ?? {})).toEqual(
      gpu.has('timestamp-query') ? ['sum-entries', 'join-rows', 'multiply', 'butterflies'] : [],
    );
    expect(quotient.stageTimes).toBeUndefined();
    measuring.destroy();
  });

  it('rejects with DEVICE_LOST within a second when the device goes in the middle of it', async () => {
    const lose = async (): Promise<number> => {
      const own = await openTestDevice();
      // No result is looked at.
      emptyKernels(own.device);
      const onOwn = await GpuQuotient.create(own, CURVE);
      const ready = await onOwn.loadConstraints(section, FACTS);
      let lostAt = 0;
      const onProgress = (): void => {
        if (lostAt > 0) return;
        lostAt = performance.now();
        own.device.destroy();
      };
      const calls = [
        quotientOfWitness(onOwn, ready, witness, { onProgress }),
        quotientOfWitness(onOwn, ready, witness),
      ];
      const lost = { status: 'rejected', reason: { code: 'DEVICE_LOST' } };
      expect(await Promise.allSettled(calls)).toMatchObject([lost, lost]);
      const lostMs = performance.now() - lostAt;
      await expect(onOwn.loadConstraints(section, FACTS)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      await expect(GpuQuotient.create(own, CURVE)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      return lostMs;
    };
    expect(await quickest(1000, lose)).toBeLessThan(1000);
  });
});
