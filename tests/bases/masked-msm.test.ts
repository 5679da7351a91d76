import { describe, expect, it } from 'vitest';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import { PippinError } from '../../sdk/base/errors.js';
import type { MsmExecutor, MultiplyOptions } from '../../sdk/bases/backend.js';
import type { LoadedBases } from '../../sdk/bases/loaded-bases.js';
import { MaskedMsm } from '../../sdk/bases/masked-msm.js';
import type { ArithmeticFor } from '../../sdk/bases/point-arithmetic.js';
import { type MaskScalars, ScalarMasks } from '../../sdk/bases/scalar-masks.js';
import type { ScalarVector } from '../../sdk/bases/scalar-vector.js';
import { scalarsFromBytes, scalarsToBytes } from '../support/scalar-bytes.js';
import { BASES, gate } from './fake-backend.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** The logarithms of two bases: points are numbers modulo r here. */
const LOGS = [3n, 10n];

/** The factors of all requests. */
const drawn: bigint[] = [];

/** The masks of two numbers are 100 and 101. */
const addMasks: MaskScalars = async ({ scalars, factors, first }) => {
  const byMultiplication = scalarsFromBytes(factors);
  drawn.push(...byMultiplication);
  const points = scalars.length / factors.length;
  return scalarsToBytes(
    scalarsFromBytes(scalars).map((scalar, i) => {
      const mask = BigInt(100 + first + (i % points));
      return (scalar + byMultiplication[Math.floor(i / points)]! * mask) % R;
    }),
  );
};

/** Sums over bases whose executor can be changed. */
function start(check?: 'random') {
  const calls: MultiplyOptions[] = [];
  const state = {
    executor: 'webgpu' as MsmExecutor,
    /** Where multiplications of a call are computed by different ones. */
    executorsOf: undefined as ((m: number) => MsmExecutor[]) | undefined,
    before: async (): Promise<void> => undefined,
    /** The scalars of all calls, and the plain ones beside them. */
    given: [] as Uint8Array[],
    plain: [] as Uint8Array[],
  };
  const bases = {
    outline: { ...BASES, count: 2 },
    async multiplyBatch(scalars: ScalarVector, batch: number, options: MultiplyOptions, plain: ScalarVector) {
      calls.push(options);
      state.given.push((scalars as { bytes: Uint8Array }).bytes);
      state.plain.push((plain as { bytes: Uint8Array }).bytes);
      await state.before();
      const executor = options.trustedOnly ? 'wasm' : state.executor;
      const values = scalarsFromBytes((scalars as { bytes: Uint8Array }).bytes);
      const points = values.length / batch;
      return Array.from({ length: batch }, (_, m) => {
        const own = values.slice(m * points, (m + 1) * points);
        const first = options.sharedBases === false ? m * points : 0;
        const sum = own.reduce((total, value, i) => total + value * LOGS[first + i]!, 0n);
        return { point: scalarsToBytes([sum % R]), executors: state.executorsOf?.(m) ?? [executor] };
      });
    },
  } as unknown as LoadedBases;
  const arithmeticFor = (() => ({
    combine: async (points: Uint8Array, scalars: Uint8Array) => {
      const factors = scalarsFromBytes(scalars);
      return scalarsToBytes([scalarsFromBytes(points).reduce((sum, each, i) => sum + each * factors[i]!, 0n) % R]);
    },
  })) as unknown as ArithmeticFor;
  const masks = new ScalarMasks('bn254', addMasks);
  const sums = new MaskedMsm({ bases, masks, first: 0, check }, arithmeticFor);
  const sum = async (options: MultiplyOptions = {}): Promise<bigint> => {
    const [made] = await sums.multiplyBatch(scalarsToBytes([2n, 7n]), 1, options);
    return bytesToBigint(made!.point);
  };
  return { calls, state, bases, sums, sum };
}

describe('MaskedMsm', () => {
  it('computes the sums of the masks once', async () => {
    const { calls, sum } = start('random');
    for (let i = 0; i < 3; i++) expect(await sum({ check: 'curve' })).toBe(76n);
    expect(calls.map(({ check }) => check)).toEqual(['curve', 'random', 'curve', 'curve']);
  });

  it('draws a factor for each multiplication, and none twice', async () => {
    const { sums } = start();
    drawn.length = 0;
    for (let i = 0; i < 2; i++) {
      const made = await sums.multiplyBatch(scalarsToBytes([2n, 7n, 0n, 0n]), 2, {});
      expect(made.map(({ point }) => bytesToBigint(point))).toEqual([76n, 0n]);
    }
    // The masks themselves have the factor 1.
    expect(drawn).toHaveLength(5);
    expect(new Set(drawn).size).toBe(5);
    expect(drawn).toContain(1n);
  });

  it('leaves no masked scalars in memory, nor the masks, of which no share is exceptional', async () => {
    const { state, sum } = start();
    await sum();
    expect(state.given).toHaveLength(2);
    for (const bytes of state.given) expect(bytes).toEqual(new Uint8Array(64));
    expect(state.plain).toEqual([scalarsToBytes([2n, 7n]), new Uint8Array(64)]);
  });

  it('takes sums of the masks by a GPU where it had a part in any of the others', async () => {
    for (const executorsOf of [
      (m: number): MsmExecutor[] => [m === 0 ? 'wasm' : 'webgpu'],
      (m: number): MsmExecutor[] => [m === 1 ? 'wasm' : 'webgpu'],
      (): MsmExecutor[] => ['wasm', 'webgpu'],
      (): MsmExecutor[] => ['webgpu', 'wasm'],
    ]) {
      const { calls, state, sums } = start();
      state.executorsOf = executorsOf;
      await sums.multiplyBatch(scalarsToBytes([2n, 7n]), 2, { sharedBases: false });
      expect(calls.map(({ trustedOnly }) => trustedOnly)).toEqual([undefined, false]);
      // These were not the workers' alone, and are not taken where the others are.
      state.executorsOf = () => ['wasm'];
      await sums.multiplyBatch(scalarsToBytes([2n, 7n]), 2, { sharedBases: false });
      expect(calls.map(({ trustedOnly }) => trustedOnly)).toEqual([undefined, false, undefined, true]);
    }
  });

  it('has sums of the masks over runs compared where they are checked by random weights', async () => {
    for (const [check, expected] of [
      ['random', 'recompute'],
      [undefined, undefined],
    ] as const) {
      const { calls, sums } = start(check);
      await sums.multiplyBatch(scalarsToBytes([2n, 7n]), 2, { sharedBases: false });
      expect(calls.at(-1)!.check).toBe(expected);
    }
  });

  it('computes the sums of the masks anew for bases that took the place of others', async () => {
    const { calls, bases, sum } = start();
    const ofMasks = () => calls.filter(({ trustedOnly }) => trustedOnly !== undefined).length;
    for (const expected of [1, 1]) {
      await sum();
      expect(ofMasks()).toBe(expected);
    }
    Object.assign(bases, { outline: { ...bases.outline } });
    for (const expected of [2, 2]) {
      expect(await sum()).toBe(76n);
      expect(ofMasks()).toBe(expected);
    }
  });

  it('keeps apart the sums over runs of the bases', async () => {
    const { calls, sums, sum } = start('random');
    const options = { sharedBases: false, check: 'recompute' } as const;
    for (let i = 0; i < 2; i++) {
      const made = await sums.multiplyBatch(scalarsToBytes([2n, 7n]), 2, options);
      expect(made.map(({ point }) => bytesToBigint(point))).toEqual([6n, 70n]);
    }
    expect(await sum()).toBe(76n);
    const ofMasks = calls.filter(({ trustedOnly }) => trustedOnly !== undefined);
    expect(ofMasks.map(({ sharedBases, check }) => [sharedBases, check])).toEqual([
      [false, 'recompute'],
      [true, 'random'],
    ]);
  });

  it('takes sums of the masks by the workers where these computed the others', async () => {
    const { calls, state, sum } = start();
    const ofMasks = () => calls.flatMap(({ trustedOnly }) => (trustedOnly === undefined ? [] : [trustedOnly]));
    await sum();
    expect(ofMasks()).toEqual([false]);
    state.executor = 'wasm';
    expect(await sum()).toBe(76n);
    expect(ofMasks()).toEqual([false, true]);
    state.executor = 'webgpu';
    await sum({ check: 'recompute' });
    await sum();
    expect(ofMasks()).toEqual([false, true]);
  });

  it('has the sums of the masks compared where the caller has sums compared', async () => {
    const { calls, sum } = start('random');
    const checks = () => calls.flatMap(({ trustedOnly, check }) => (trustedOnly === undefined ? [] : [check]));
    await sum();
    expect(checks()).toEqual(['random']);
    for (let i = 0; i < 2; i++) expect(await sum({ check: 'recompute' })).toBe(76n);
    await sum();
    expect(checks()).toEqual(['random', 'recompute']);
  });

  it('goes on with the sums of the masks when a call is aborted, and begins anew when they fail', async () => {
    const { calls, state, sum } = start();
    const { opened, open } = gate();
    const controller = new AbortController();
    state.before = async () => {
      if (calls.length === 2) await opened;
    };
    const aborted = sum({ signal: controller.signal });
    await expect.poll(() => calls).toHaveLength(2);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    const next = sum();
    open();
    expect(await next).toBe(76n);
    expect(calls).toHaveLength(3);

    const failing = start();
    failing.state.before = async () => {
      if (failing.calls.length === 2) throw new PippinError('OUT_OF_MEMORY', 'the fake is full');
    };
    await expect(failing.sum()).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(await failing.sum()).toBe(76n);
  });
});
