import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { CurveId } from '../../../../sdk/curves/index.js';
import { inverse, mod, power } from '../../../../sdk/curves/modular.js';
import { KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { WorkersPolynomials } from '../../../../sdk/executors/workers/pool/workers-polynomials.js';
import { cosetOf, oddCoset, rootOfDomain } from '../../../../sdk/polynomials/domain.js';
import type { Vector } from '../../../../sdk/polynomials/polynomials.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { edgeValues, Random } from '../../../support/random.js';
import { CURVES_WITH_TRANSFORMS } from '../../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../../support/scalar-bytes.js';
import { modulesFor } from '../../../support/wasm.js';

/** None, one, two, and lengths around one slice of a worker's and several, of which no share is equal. */
const LENGTHS = [0, 1, 2, 8191, 8192, 8193, 2 * 8192 + 5];

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

describe.each(CURVES_WITH_TRANSFORMS)('polynomials over the scalars of $id on the workers', ({ id, fr }) => {
  const p = fr.modulus;
  const edges = edgeValues(p);
  const random = new Random(9);
  /** Edges at both ends of every slice, and random values between. */
  const some = (count: number): bigint[] =>
    Array.from({ length: count }, (_, i) =>
      i % 8192 < edges.length ? edges[i % 8192]! : i % 8192 > 8180 ? edges[i % edges.length]! : random.below(p),
    );
  const make = (on: WorkersPolynomials, values: readonly bigint[]): Vector => on.create(scalarsToBytes(values));
  const valuesOf = async (on: WorkersPolynomials, vector: Vector): Promise<bigint[]> =>
    scalarsFromBytes(await on.read(vector));
  const valueAt = (c: readonly bigint[], x: bigint): bigint => c.reduceRight((sum, each) => (sum * x + each) % p, 0n);

  it.each(LENGTHS)('computes with %i elements, and leaves the operands', async (length) => {
    const on = await start(id);
    const [a, b, c] = [some(length), some(length).reverse(), some(length)];
    const [x, y, z] = [make(on, a), make(on, b), make(on, c)];
    const expectValues = async (vector: Vector, expected: readonly bigint[]): Promise<void> =>
      expect(Buffer.compare(await on.read(vector), scalarsToBytes(expected))).toBe(0);
    await expectValues(
      await on.multiply(x, y),
      a.map((value, i) => (value * b[i]!) % p),
    );
    await expectValues(
      await on.multiplySubtract(x, y, z),
      a.map((value, i) => mod(value * b[i]! - c[i]!, p)),
    );
    await expectValues(
      await on.linearCombination([
        { vector: x, factor: 1n },
        { vector: y, factor: -1n },
        { vector: z, factor: p + 2n },
      ]),
      a.map((value, i) => mod(value - b[i]! + 2n * c[i]!, p)),
    );
    await expectValues(
      await on.multiply(x, await on.invert(x)),
      a.map((value) => (value === 0n ? 0n : 1n)),
    );
    for (const values of [a, a.map((value) => value || 3n)]) {
      let product = 1n;
      const expected = values.map((value) => {
        const before = product;
        product = (product * value) % p;
        return before;
      });
      const made = await on.prefixProducts(make(on, values));
      expect(made.product).toBe(product);
      await expectValues(made.products, expected);
    }
    for (const point of [0n, 1n, p - 1n, p + 7n, random.below(p)]) {
      expect(await on.evaluate(x, point)).toBe(valueAt(a, mod(point, p)));
      const { quotient, value } = await on.divideByLinear(x, point);
      expect(value).toBe(valueAt(a, mod(point, p)));
      const q = await valuesOf(on, quotient);
      expect(q.at(-1) ?? 0n).toBe(0n);
      await expectValues(
        x,
        q.map((each, i) => mod((i === 0 ? value : q[i - 1]!) - point * each, p)),
      );
    }
    await expectValues(x, a);
    await expectValues(y, b);
    await expectValues(z, c);
  });

  it('transforms to every coset and back, pads coefficients with zeros, and extends values', async () => {
    const on = await start(id);
    for (const [size, length] of [
      [1, 1],
      [1, 0],
      [2, 1],
      [2, 2],
      [16, 16],
      [16, 5],
    ] as const) {
      const coefficients = some(length);
      for (const coset of [cosetOf(id, size), cosetOf(id, size, 5n), oddCoset(id, size)]) {
        const points = Array.from(
          { length: size },
          (_, i) => (coset.shift * power(rootOfDomain(id, size), BigInt(i), p)) % p,
        );
        const values = await on.ntt(make(on, coefficients), coset);
        expect(await valuesOf(on, values)).toEqual(points.map((x) => valueAt(coefficients, x)));
        expect(await valuesOf(on, await on.inverseNtt(values, coset))).toEqual(
          points.map((_, i) => coefficients[i] ?? 0n),
        );
        for (const to of [oddCoset(id, size), cosetOf(id, size, 3n), cosetOf(id, 4 * size, 7n)]) {
          const fractions: number[] = [];
          const onProgress = (fraction: number): void => void fractions.push(fraction);
          const extended = await on.changeCoset(values, coset, to, { onProgress });
          const expected = await on.ntt(make(on, coefficients), to);
          expect(await valuesOf(on, extended)).toEqual(await valuesOf(on, expected));
        }
        if (coset.shift === 1n) {
          const odd = await on.toOddCoset(values);
          expect(await valuesOf(on, odd)).toEqual(
            await valuesOf(on, await on.ntt(make(on, coefficients), oddCoset(id, size))),
          );
        }
      }
    }
  });

  it('divides by X^n - 1 on a coset', async () => {
    const on = await start(id);
    for (const [size, n] of [
      [1, 1],
      [8, 8],
      [16, 4],
      [16384, 4],
      [32768, 1],
    ] as const) {
      const coset = cosetOf(id, size, 5n);
      const values = some(size);
      const quotient = await on.divideByVanishing(make(on, values), coset, n);
      const expected = values.map((value, i) => {
        if (size > 16 && i > 40) return undefined;
        const x = (5n * power(rootOfDomain(id, size), BigInt(i), p)) % p;
        return (value * inverse(power(x, BigInt(n), p) - 1n, p)) % p;
      });
      const found = await valuesOf(on, quotient);
      expect(found.map((value, i) => (expected[i] === undefined ? undefined : value))).toEqual(expected);
      // The divisors repeat.
      const [first] = await valuesOf(
        on,
        await on.divideByVanishing(
          make(
            on,
            values.map(() => 1n),
          ),
          coset,
          n,
        ),
      );
      const period = size / n;
      expect(found[size - period]).toBe((values[size - period]! * first!) % p);
    }
    const domain = make(on, some(8));
    await expect(on.divideByVanishing(domain, cosetOf(id, 8), 4)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(on.divideByVanishing(domain, cosetOf(id, 8, 5n), 16)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('takes back what it consumes, with the same results', async () => {
    const on = await start(id);
    const coset = cosetOf(id, 8, 5n);
    const other = make(on, some(8));
    const calls: ((a: Vector, consume: boolean) => Promise<Vector>)[] = [
      (a, consume) => on.multiply(a, other, { consume }),
      (a, consume) => on.multiplySubtract(a, a, other, { consume }),
      (a, consume) => on.invert(a, { consume }),
      (a, consume) => on.ntt(a, coset, { consume }),
      (a, consume) => on.ntt(a, cosetOf(id, 16), { consume }),
      (a, consume) => on.inverseNtt(a, coset, { consume }),
      (a, consume) => on.toOddCoset(a, { consume }),
      (a, consume) => on.changeCoset(a, cosetOf(id, 8), oddCoset(id, 8), { consume }),
      (a, consume) => on.changeCoset(a, coset, cosetOf(id, 16), { consume }),
      (a, consume) => on.divideByVanishing(a, coset, 2, { consume }),
    ];
    for (const call of calls) {
      const [kept, consumed] = [make(on, some(8)), make(on, some(8))];
      const expected = await on.read(await call(kept, false));
      expect(kept.length).toBe(8);
      expect(await on.read(await call(consumed, true))).toEqual(expected);
      await expect(on.read(consumed)).rejects.toMatchObject({ code: 'DISPOSED' });
    }
  });
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
      () => on.linearCombination([a, b].map((vector) => ({ vector, factor: 1n }))),
      () => on.ntt(a, cosetOf('bn254', 1)),
      () => on.inverseNtt(a, cosetOf('bn254', 4)),
      () => on.changeCoset(a, cosetOf('bn254', 2), cosetOf('bn254', 1)),
      () => on.changeCoset(a, cosetOf('bn254', 4), cosetOf('bn254', 4, 5n)),
      () => on.divideByVanishing(a, cosetOf('bn254', 4, 5n), 2),
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
      on.divideByLinear(vector, 3n),
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
