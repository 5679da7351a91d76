import { afterEach, describe, expect, it } from 'vitest';
import type { GpuScalars } from '../../../../sdk/executors/gpu/gpu-scalars.js';
import { type GpuDevice, openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { GpuPolynomials } from '../../../../sdk/executors/gpu/vectors/gpu-polynomials.js';
import { cosetOf } from '../../../../sdk/polynomials/domain.js';
import { Expression } from '../../../../sdk/polynomials/expression.js';
import type { Vector } from '../../../../sdk/polynomials/polynomials.js';
import { testPolynomials } from '../../../support/polynomials-suite.js';
import { scalarsFromBytes, scalarsToBytes } from '../../../support/scalar-bytes.js';
import { expectNoSecrets } from '../secrets-on.js';
import { sharedDevice } from '../test-device.js';
import { type DeviceLimits, type VirtualDevice, virtualGpu } from '../virtual-gpu.js';

/** None, one, two, and lengths around one block of a recurrence, one workgroup, and two levels of blocks. */
const LENGTHS = [0, 1, 2, 16, 17, 64, 65, 256, 257, 1029];

/** Registers of a few dozen elements, so that vectors are computed in parts. */
const FEW_REGISTERS = 4096;

describe.each(['bn254', 'bls12-381'] as const)('polynomials over the scalars of %s on the GPU', (id) => {
  const start = async () => GpuPolynomials.create(await sharedDevice(), id);
  testPolynomials(id, { start, lengths: id === 'bn254' ? LENGTHS : [257], slice: 16 });
});

describe('polynomials on the GPU with registers for a part of a vector', () => {
  const start = async () => GpuPolynomials.create(await sharedDevice(), 'bn254', FEW_REGISTERS);
  testPolynomials('bn254', { start, lengths: [257], slice: 16 });
});

/** Elements of a buffer: the fewest that hold whole blocks of each recurrence. */
const FEW_ELEMENTS = 384;

/** Elements of the longest vector in one buffer. */
const LONGEST = FEW_ELEMENTS + 3;

const NARROW: DeviceLimits = { maxBufferSize: LONGEST * 32, maxStorageBufferBindingSize: LONGEST * 32 };

describe('polynomials on the GPU in several buffers', () => {
  const start = async () => {
    const narrow: GpuDevice = Object.create(await sharedDevice(), { limits: { value: NARROW } });
    return GpuPolynomials.create(narrow, 'bn254', FEW_REGISTERS);
  };
  const lengths = [LONGEST, LONGEST + 1, 2 * FEW_ELEMENTS, 1029];
  testPolynomials('bn254', { start, lengths, slice: FEW_ELEMENTS, longest: LONGEST });

  it('are not transformed, inverted or gathered from, and those in one buffer are', async () => {
    const on = await start();
    const [long, short] = [on.create(new Uint8Array(32 * 512)), on.create(new Uint8Array(32 * 256))];
    const indices = on.indices(new Uint8Array(4));
    const coset = cosetOf('bn254', 512);
    for (const refused of [
      on.invert(long),
      on.gather(long, indices),
      on.ntt(long, cosetOf('bn254', 256)),
      on.ntt(short, coset),
      on.inverseNtt(long, coset),
      on.divideByBinomial(long, 1n, { k: 5 }).then(({ quotient }) => quotient),
    ]) {
      await expect(on.settled(await refused)).rejects.toMatchObject({
        code: 'OUT_OF_MEMORY',
        message: 'expected vectors of at most 387 elements on this GPU, got 512',
      });
    }
    for (const taken of [on.invert(short), on.gather(short, indices), on.ntt(short, cosetOf('bn254', 256))]) {
      await on.settled(await taken);
    }
    expect(await on.read(long)).toEqual(new Uint8Array(32 * 512));
    expect(on.losses).toBe(0);
  });
});

describe('vectors on the GPU', () => {
  let opened: GpuDevice | undefined;
  afterEach(async () => {
    await opened?.destroy();
    opened = undefined;
  });

  async function open(
    memoryBudget?: number,
    limits?: DeviceLimits,
  ): Promise<{ on: GpuPolynomials; device: VirtualDevice }> {
    const { gpu, devices } = await virtualGpu({ isSoftware: true, limits });
    opened = await openDevice(gpu, { memoryBudget, endsAtOnce: true });
    const on = GpuPolynomials.create(opened, 'bn254');
    await on.ready;
    return { on, device: devices[0]! };
  }

  const [u] = Expression.operands(1) as [Expression];
  const make = (on: GpuPolynomials, count: number): Vector =>
    on.create(scalarsToBytes(Array.from({ length: count }, (_, i) => 2n ** 200n + BigInt(i))));

  it('are refused where they do not fit, or are of another executor, or released', async () => {
    const on = GpuPolynomials.create(await sharedDevice(), 'bn254');
    const [a, b] = [on.create(new Uint8Array(64)), on.create(new Uint8Array(32))];
    const foreign: Vector = { length: 2, release: () => undefined };
    const released = on.create(new Uint8Array(64));
    released.release();
    released.release();
    expect(() => on.create(new Uint8Array(33))).toThrow(expect.objectContaining({ code: 'INVALID_LENGTH' }));
    expect(() => on.scalars(released)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
    for (const call of [
      () => on.multiply(a, b),
      () => on.multiplySubtract(a, a, b),
      () => on.linearCombination([]),
      () => on.compute(u, [a, b]),
      () => on.inverseNtt(a, cosetOf('bn254', 4)),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
    const other = GpuPolynomials.create(await sharedDevice(), 'bn254').create(new Uint8Array(64));
    for (const each of [foreign, other]) {
      await expect(on.multiply(each, a)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    await expect(on.rotate(released, 1)).rejects.toMatchObject({ code: 'DISPOSED' });
    const { signal } = { signal: AbortSignal.abort() };
    await expect(on.evaluate(a, 1n, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(on.ntt(a, cosetOf('bn254', 2), { signal, consume: true })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(on.read(a)).rejects.toMatchObject({ code: 'DISPOSED' });
    const gpu = await sharedDevice();
    expect(() => GpuPolynomials.create(gpu, 'edwards-bls12')).toThrow(
      expect.objectContaining({ code: 'CURVE_MISMATCH' }),
    );
  });

  it('are overwritten when they are released, and their buffers taken again', async () => {
    const { on, device } = await open();
    const vector = make(on, 100);
    const scalars = on.scalars(vector) as GpuScalars;
    expect(scalars.count).toBe(100);
    const secrets = await on.read(vector);
    expect(scalarsFromBytes(secrets)[99]).toBe(2n ** 200n + 99n);
    vector.release();
    expect(() => on.scalars(vector)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
    await expectNoSecrets(device, secrets);
    const made = device.alive.size;
    const next = await on.rotate(make(on, 100), 1);
    await on.settled(next);
    expect(device.alive.size).toBeLessThanOrEqual(made + 1);
    on.free();
    await opened!.turns.run(async () => undefined);
    expect([...device.alive].filter(({ label }) => label === 'vectors')).toHaveLength(2);
  });

  it('fail alone where memory lacks, and with their error where they are read', async () => {
    const { on } = await open(2 ** 20);
    const small = make(on, 10);
    const large = await on.addMonomials(small, [], 2 ** 16);
    const sum = await on.linearCombination([
      { vector: large, factor: 1n },
      { vector: small, factor: 1n },
    ]);
    await expect(on.read(sum)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    await expect(on.settled(large)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(scalarsFromBytes(await on.read(small))[9]).toBe(2n ** 200n + 9n);
  });

  it('leave no buffer where memory lacks for the last one of several', async () => {
    const { on, device } = await open(2 ** 20, NARROW);
    const small = make(on, 10);
    await on.settled(small);
    const made = device.alive.size;
    const large = await on.addMonomials(small, [], 100 * FEW_ELEMENTS);
    await expect(on.settled(large)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(device.alive.size).toBe(made);
    expect(scalarsFromBytes(await on.read(small))[9]).toBe(2n ** 200n + 9n);
  });

  it('are all lost after a submit that WebGPU refuses, and later ones are right', async () => {
    const { on, device } = await open();
    const before = make(on, 10);
    await on.settled(before);
    device.refuseNext();
    await expect(on.evaluate(before, 1n)).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(on.read(before)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(on.losses).toBe(1);
    expect(await on.evaluate(on.create(scalarsToBytes([3n, 4n])), 2n)).toBe(11n);
  });

  it('reject with DEVICE_LOST when their device is lost', async () => {
    const { on, device } = await open();
    const vector = make(on, 10);
    await on.settled(vector);
    const reading = on.read(vector);
    device.lose();
    await expect(reading).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    await expect(on.settled(vector)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    vector.release();
  });
});
