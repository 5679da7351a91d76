import { expect, it } from 'vitest';
import { joinBytes } from '../../sdk/base/bytes.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { mod, power } from '../../sdk/curves/modular.js';
import { cosetOf, oddCoset, rootOfDomain } from '../../sdk/polynomials/domain.js';
import { Expression } from '../../sdk/polynomials/expression.js';
import type { Polynomials, Vector } from '../../sdk/polynomials/polynomials.js';
import { elementValue } from './element-value.js';
import { edgeValues, Random } from './random.js';
import { scalarsFromBytes, scalarsToBytes } from './scalar-bytes.js';

/** What an executor of polynomials is tested with. */
export interface PolynomialsSuite {
  /** The executor. It is called in each test. */
  start(): Promise<Polynomials>;
  /** Lengths of vectors, around the places where the executor cuts them. */
  readonly lengths: readonly number[];
  /** The elements that it computes together: vectors have edge values at both ends of them. */
  readonly slice: number;
  /** The longest vector that it inverts, gathers from or transforms; without it there is none. */
  readonly longest?: number;
}

/** An addition: two elements and their factors. */
interface AdditionRow {
  readonly elements: readonly [number, number];
  readonly factors: readonly [bigint, bigint];
}

function additionBytes(rows: readonly AdditionRow[], p: bigint): Uint8Array {
  return joinBytes(
    rows.flatMap(({ elements, factors }) => [
      new Uint8Array(Uint32Array.from(elements).buffer),
      scalarsToBytes(factors.map((factor) => mod(factor << 256n, p))),
    ]),
  );
}

/** Holds all operations of an executor of polynomials against BigInt arithmetic. */
export function testPolynomials(id: CurveId, { start, lengths, slice, longest = Infinity }: PolynomialsSuite): void {
  const p = CURVES[id].fr.modulus;
  const edges = edgeValues(p);
  const random = new Random(9);
  /** Edges at both ends of every slice, and random values between. */
  const some = (count: number): bigint[] =>
    Array.from({ length: count }, (_, i) =>
      i % slice < edges.length
        ? edges[i % slice]!
        : i % slice > slice - 12
          ? edges[i % edges.length]!
          : random.below(p),
    );
  const make = (on: Polynomials, values: readonly bigint[]): Vector => on.create(scalarsToBytes(values));
  const valuesOf = async (on: Polynomials, vector: Vector): Promise<bigint[]> =>
    scalarsFromBytes(await on.read(vector));
  const valueAt = (c: readonly bigint[], x: bigint): bigint => c.reduceRight((sum, each) => (sum * x + each) % p, 0n);

  it.each(lengths)('computes with %i elements, and leaves the operands', async (length) => {
    const on = await start();
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
    if (length <= longest) {
      await expectValues(
        await on.multiply(x, await on.invert(x)),
        a.map((value) => (value === 0n ? 0n : 1n)),
      );
    }
    for (const values of [a, a.map((value) => value || 3n)]) {
      let product = 1n;
      const expected = values.map((value) => {
        const before = product;
        product = (product * value) % p;
        return before;
      });
      const made = await on.prefixProducts(make(on, values));
      expect(await made.product).toBe(product);
      await expectValues(made.products, expected);
    }
    for (const point of [0n, 1n, p - 1n, p + 7n, random.below(p)]) {
      expect(await on.evaluate(x, point)).toBe(valueAt(a, mod(point, p)));
      // Each point, and each degree with 0 and another one.
      for (const k of point === 0n || point === p + 7n ? [1, 2, 3, 8] : [1]) {
        const divided = await on.divideByBinomial(x, point, { k });
        const { quotient } = divided;
        const remainder = await divided.remainder;
        expect(remainder.length).toBe(k);
        const q = await valuesOf(on, quotient);
        expect(q.slice(Math.max(0, length - k)).every((each) => each === 0n)).toBe(true);
        // p = q (X^k - z) + remainder.
        await expectValues(
          x,
          q.map((each, i) => mod((i < k ? remainder[i]! : q[i - k]!) - point * each, p)),
        );
      }
    }
    const [u, v, w] = Expression.operands(3) as [Expression, Expression, Expression];
    const sum = u.plus(v);
    const expressions = [
      u,
      Expression.constant(p + 3n),
      u.times(v).minus(w),
      sum.times(sum).plus(sum.times(w).minus(7n)).times(sum.minus(-1n)),
      u.minus(u),
    ];
    for (const expression of expressions) {
      await expectValues(
        await on.compute(expression, [x, y, z]),
        a.map((value, i) => elementValue(expression, [value, b[i]!, c[i]!], p)),
      );
    }
    const monomials = [
      { index: 0, value: -1n },
      { index: length + 2, value: p + 5n },
    ];
    await expectValues(await on.addMonomials(x, monomials, length + 3), [
      ...(length === 0 ? [p - 1n, 0n] : [mod(a[0]! - 1n, p), ...a.slice(1), 0n, 0n]),
      5n,
    ]);
    if (length > slice + 1) {
      const added = [slice + 1, slice - 1, slice].map((index) => ({ index, value: BigInt(index) }));
      await expectValues(
        await on.addMonomials(x, added, length),
        a.map((value, i) => mod(value + (Math.abs(i - slice) <= 1 ? BigInt(i) : 0n), p)),
      );
    }
    await expectValues(await on.interleave([x, y, z], 3 * length + 2), [
      ...a.flatMap((value, i) => [value, b[i]!, c[i]!]),
      0n,
      0n,
    ]);
    await expectValues(await on.concatenate([x, y, z]), [...a, ...b, ...c]);
    await expectValues(
      await on.linearCombination([
        { vector: x, factor: 2n },
        { vector: on.create(new Uint8Array(32)), factor: 1n },
      ]),
      length === 0 ? [0n] : a.map((value) => (2n * value) % p),
    );
    if (length <= longest) {
      const taken = length === 0 ? [] : [length - 1, 0, 0, ...some(9).map((value) => Number(value % BigInt(length)))];
      const indices = on.indices(new Uint8Array(Uint32Array.from(taken).buffer));
      expect(indices.length).toBe(taken.length);
      await expectValues(
        await on.gather(x, indices),
        taken.map((index) => a[index]!),
      );
      indices.release();
      indices.release();
    }
    await expectValues(await on.rotate(x, Math.min(1, length)), [...a.slice(1), ...a.slice(0, Math.min(1, length))]);
    await expectValues(await on.slice(x, 1, length), a.slice(1));
    expect(await on.isZeroFrom(x, length)).toBe(true);
    expect(await on.isZeroFrom(await on.addMonomials(x, [{ index: length, value: 1n }], length + 1), length)).toBe(
      false,
    );
    await expectValues(x, a);
    await expectValues(y, b);
    await expectValues(z, c);
  });

  it.each([0, 1, Math.min(300, Math.floor(longest / 2))])(
    'extends vectors by %i sums, which take the sums before them',
    async (count) => {
      const on = await start();
      const known = 3;
      const values = some(known);
      const rows = Array.from({ length: count }, (_, i): AdditionRow => {
        // A chain, sums of known elements alone, and sums of anything before.
        const any = (): number => Number(random.below(BigInt(known + i)));
        const elements = (
          [
            [known + i - 1, 0],
            [1, 2],
            [any(), any()],
          ] as const
        )[i % 3]!;
        return { elements, factors: [edges[i % edges.length]!, random.below(p)] };
      });
      const expected = [...values];
      for (const { elements, factors } of rows) {
        expected.push(mod(expected[elements[0]]! * factors[0] + expected[elements[1]]! * factors[1], p));
      }
      const additions = on.additions(additionBytes(rows, p), known);
      expect(additions.count).toBe(count);
      const vector = make(on, values);
      for (let time = 0; time < 2; time++)
        expect(await valuesOf(on, await on.extend(vector, additions))).toEqual(expected);
      expect(await valuesOf(on, vector)).toEqual(values);
      additions.release();
      additions.release();
    },
  );

  it('refuses sums of elements that do not come before them, and what another executor made', async () => {
    const on = await start();
    const vector = make(on, some(3));
    const extend = async (...rows: readonly AdditionRow[]): Promise<Vector> =>
      on.extend(vector, on.additions(additionBytes(rows, p), 3));
    const factors = [1n, 1n] as const;
    for (const bad of [
      [3, 0],
      [0, 3],
      [2 ** 32 - 1, 0],
    ] as const) {
      await expect(extend({ elements: bad, factors })).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
    await expect(extend({ elements: [0, 1], factors }, { elements: [3, 4], factors })).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('addition 1'),
    });
    const foreign = { length: 1, count: 1, release: () => undefined };
    await expect(on.extend(vector, foreign)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(on.gather(vector, foreign)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('transforms to every coset and back, pads few coefficients with zeros, and reduces many', async () => {
    const on = await start();
    for (const [size, length] of [
      [1, 1],
      [1, 0],
      [2, 1],
      [2, 2],
      [16, 16],
      [16, 5],
      [16, 17],
      [8, 20],
      [1, 3],
    ] as const) {
      const coefficients = some(length);
      for (const coset of [cosetOf(id, size), cosetOf(id, size, 5n), oddCoset(id, size)]) {
        const points = Array.from(
          { length: size },
          (_, i) => (coset.shift * power(rootOfDomain(id, size), BigInt(i), p)) % p,
        );
        const values = await on.ntt(make(on, coefficients), coset);
        expect(await valuesOf(on, values)).toEqual(points.map((x) => valueAt(coefficients, x)));
        const back = make(on, await valuesOf(on, await on.inverseNtt(values, coset)));
        expect(await valuesOf(on, await on.ntt(back, coset))).toEqual(points.map((x) => valueAt(coefficients, x)));
        if (length <= size) expect(await valuesOf(on, back)).toEqual(points.map((_, i) => coefficients[i] ?? 0n));
        if (coset.shift === 1n && length <= size) {
          const odd = await on.toOddCoset(values);
          expect(await valuesOf(on, odd)).toEqual(
            await valuesOf(on, await on.ntt(make(on, coefficients), oddCoset(id, size))),
          );
        }
      }
    }
  });

  it('takes back what it consumes, with the same results', async () => {
    const on = await start();
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
      (a, consume) => on.ntt(a, cosetOf(id, 4), { consume }),
    ];
    for (const call of calls) {
      const [kept, consumed] = [make(on, some(8)), make(on, some(8))];
      const expected = await on.read(await call(kept, false));
      expect(kept.length).toBe(8);
      expect(await on.read(await call(consumed, true))).toEqual(expected);
      await expect(on.read(consumed)).rejects.toMatchObject({ code: 'DISPOSED' });
    }
  });
}
