import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import { drawWeights, makeCheckScalars, makeMaskSums } from '../../../../sdk/bases/check-arithmetic.js';
import { windowCount } from '../../../../sdk/bases/digits.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { SharedCopies } from '../../../../sdk/hosts/prover/shared-copies.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { packBases, randomPoints } from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { loadKernel, modulesFor } from '../../../support/wasm.js';

const CURVE = 'bn254';
const WINDOW_BITS = 15;
const KEY = Uint8Array.from({ length: 16 }, (_, i) => 7 * i);

const random = new Random(121);
let pool: KernelPool;
let kernel: Kernel;
beforeAll(async () => {
  kernel = await loadKernel(CURVE);
  pool = new KernelPool(() => new FakeWorker((emit) => new KernelHost(emit, messagesHandled)), 2);
  await pool.open(CURVE, modulesFor(CURVE));
});
afterAll(() => pool.dispose());

describe('makeCheckScalars', () => {
  // With a batch of 256, slices have 32 points.
  it.each([
    [0, 1],
    [1, 1],
    [31, 256],
    [32, 256],
    [33, 256],
    [100, 256],
    [8193, 1],
  ])('gives those of %i points and %i multiplications slice by slice', async (count, batch) => {
    const { modulus, bits } = CURVES[CURVE].fr;
    const few = Array.from({ length: 97 }, () => random.below(modulus));
    const scalars = encodeScalars(Array.from({ length: batch * count }, (_, i) => few[i % few.length]!));
    const windows = windowCount(bits, WINDOW_BITS);
    const { ofWindows, limbs, reduced } = drawWeights(
      CURVE,
      { windowBits: WINDOW_BITS, windows, rows: windows },
      batch,
    );
    const request = { scalars, batch, windowBits: WINDOW_BITS, windows, weights: ofWindows, limbs, reduced, key: KEY };
    const whole = await kernel.checkScalars({ ...request, first: 0 });
    const { pieces, ...rest } = await makeCheckScalars(pool, CURVE, request, undefined);
    expect(joinBytes(pieces)).toEqual(whole);
    expect(rest).toEqual({ kind: 'pieces', scalarBytes: whole.length / Math.max(1, count) });
    // Of shared memory nothing is copied: slices have a worker's share of the points, and lie between others.
    const { copy, fill } = new SharedCopies().begin(scalars);
    fill();
    const shared = await makeCheckScalars(pool, CURVE, { ...request, scalars: copy }, undefined);
    expect(joinBytes(shared.pieces)).toEqual(whole);
    expect(copy).toEqual(scalars);
  });

  it('puts pieces in order, overwrites them if others fail, and asks for masks of points behind other work', async () => {
    const [first, second] = [new Uint8Array(12 * 8192).fill(7), new Uint8Array(12).fill(8)];
    const call = vi.fn<(...given: unknown[]) => Promise<Uint8Array>>();
    const fake = new Proxy(pool, { get: (_, name) => (name === 'call' ? call : Reflect.get(pool, name)) });
    const scalars = new Uint8Array(8193 * 32);
    const request = { scalars, batch: 1, windowBits: 8, windows: 1, weights: new Uint8Array(8) };
    const all = { ...request, limbs: 2, reduced: false, key: KEY };
    call.mockImplementationOnce(() => messagesHandled(first)).mockResolvedValueOnce(second);
    const pieces = [first, second];
    expect(await makeCheckScalars(fake, CURVE, all, undefined)).toEqual({ kind: 'pieces', pieces, scalarBytes: 12 });
    call.mockResolvedValueOnce(first).mockRejectedValueOnce(new Error('enough'));
    await expect(makeCheckScalars(fake, CURVE, all, undefined)).rejects.toThrow('enough');
    expect(first.every((byte) => byte === 0)).toBe(true);
    call.mockResolvedValue(new Uint8Array(64));
    const points = { curve: CURVE, group: 'g1', form: 'weierstrass', points: new Uint8Array(64) } as const;
    await makeMaskSums(fake, points, KEY, undefined);
    expect(call.mock.lastCall![3]).toEqual({ signal: undefined, background: true });
  });

  it('stops when it is aborted', async () => {
    const request = { scalars: new Uint8Array(64), batch: 1, windowBits: 8, windows: 0, weights: new Uint8Array(0) };
    const all = { ...request, limbs: 2, reduced: false, key: KEY };
    await expect(makeCheckScalars(pool, CURVE, all, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('makeMaskSums', () => {
  it.each([0, 3, 8192, 8193])('gives the parts of the sum of %i points', async (count) => {
    const some = packBases(CURVE, randomPoints(CURVE, Math.min(count, 64), random).points).points;
    const points = new Uint8Array(count * 64);
    for (let at = 0; at < points.length; at += some.length) points.set(some.subarray(0, points.length - at), at);
    const given = { curve: CURVE, group: 'g1', form: 'weierstrass', points } as const;
    const parts = await makeMaskSums(pool, given, KEY, undefined);
    expect(parts).toHaveLength(Math.ceil(count / 8192));
    const whole = await kernel.maskSum({ group: 'g1', form: 'weierstrass', points, key: KEY, first: 0 });
    expect(await kernel.combine({ group: 'g1', points: joinBytes(parts) })).toEqual(whole);
  });
});
