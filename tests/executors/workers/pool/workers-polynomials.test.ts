import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { CurveId } from '../../../../sdk/curves/index.js';
import { KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { WorkersPolynomials } from '../../../../sdk/executors/workers/pool/workers-polynomials.js';
import { cosetOf } from '../../../../sdk/polynomials/domain.js';
import { Expression } from '../../../../sdk/polynomials/expression.js';
import type { Vector } from '../../../../sdk/polynomials/polynomials.js';
import { firstOf } from '../../../support/combinations.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { testPolynomials } from '../../../support/polynomials-suite.js';
import { CURVES_WITH_TRANSFORMS } from '../../../support/registry.js';
import { scalarsToBytes } from '../../../support/scalar-bytes.js';
import { modulesFor } from '../../../support/wasm.js';

/** None, one, two, and lengths around one slice of a worker's and several, of which no share is equal. */
const LENGTHS = [0, 1, 2, 8191, 8192, 8193, 2 * 8192 + 5];
/** How a vector is cut into slices knows no field: for the other curves some of them do. */
const FEW_LENGTHS = [2, 8193];

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

async function start(curve: CurveId, workers: FakeWorker[] = []): Promise<WorkersPolynomials> {
  pool = new KernelPool(() => {
    const worker = new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled));
    workers.push(worker);
    return worker;
  }, 2);
  await pool.open(curve, modulesFor(curve));
  return new WorkersPolynomials(pool, curve);
}

describe.each(CURVES_WITH_TRANSFORMS)('polynomials over the scalars of $id on the workers', ({ id }) => {
  const isFirst = firstOf(CURVES_WITH_TRANSFORMS).some((first) => first.id === id);
  testPolynomials(id, { start: () => start(id), lengths: isFirst ? LENGTHS : FEW_LENGTHS, slice: 8192 });
});

describe('vectors on the workers', () => {
  it('are scalars of a multiplication until they are released, which wipes them', async () => {
    const on = await start('bn254');
    const bytes = scalarsToBytes([1n, 2n]);
    const vector = on.create(bytes);
    expect(on.scalars(vector)).toEqual({ kind: 'host', bytes });
    expect(vector.length).toBe(2);
    vector.release();
    vector.release();
    expect(bytes.length).toBe(0);
    expect(() => on.scalars(vector)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
  });

  it('are transformed on as many workers as there are', async () => {
    expect((await start('bn254')).parallelTransforms).toBe(2);
  });

  it('are refused where they do not fit', async () => {
    const on = await start('bn254');
    const [a, b] = [on.create(new Uint8Array(64)), on.create(new Uint8Array(32))];
    const foreign: Vector = { length: 2, release: () => undefined };
    expect(() => on.create(new Uint8Array(33))).toThrow(expect.objectContaining({ code: 'INVALID_LENGTH' }));
    for (const call of [
      () => on.multiply(a, b),
      () => on.multiplySubtract(a, a, b),
      () => on.toOddCoset(on.create(new Uint8Array(96))),
      () => on.linearCombination([]),
      () => on.compute(Expression.operands(2)[1]!, [a, b]),
      () => on.inverseNtt(a, cosetOf('bn254', 4)),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
    await expect(on.multiply(foreign, a)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(on.ntt(a, { size: 3, shift: 1n })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(on.ntt(a, { size: 2, shift: 0n })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(() => new WorkersPolynomials(pool!, 'edwards-bls12')).toThrow(
      expect.objectContaining({ code: 'CURVE_MISMATCH' }),
    );
  });

  it('survive the death of a worker, and an abort', async () => {
    const workers: FakeWorker[] = [];
    const on = await start('bn254', workers);
    const values = Array.from({ length: 40_000 }, (_, i) => BigInt(i + 1));
    const vector = on.create(scalarsToBytes(values));
    const computing = [
      on.prefixProducts(vector),
      on.divideByBinomial(vector, 3n),
      on.ntt(vector, cosetOf('bn254', 65536)),
    ];
    workers[0]!.die();
    await Promise.all(computing);
    const { signal } = { signal: AbortSignal.abort() };
    for (const call of [
      () => on.multiply(vector, vector, { signal }),
      () => on.evaluate(vector, 2n, { signal }),
      () => on.ntt(vector, cosetOf('bn254', 65536), { signal }),
      () => on.toOddCoset(on.create(scalarsToBytes(values.slice(0, 2))), { signal, consume: true }),
      () => on.multiplySubtract(on.create(scalarsToBytes(values)), vector, vector, { signal, consume: true }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'ABORTED' });
    }
    expect(await on.evaluate(vector, 1n)).toBe((40_000n * 40_001n) / 2n);
  });
});
