import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import { preparedPointBytes } from '../../../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../../../sdk/curves/endomorphisms.js';
import { CURVES, type CurveId, type GroupId } from '../../../../sdk/curves/index.js';
import { inverse, mod } from '../../../../sdk/curves/modular.js';
import { GpuPoints } from '../../../../sdk/executors/gpu/points/gpu-points.js';
import { rootOfDomain } from '../../../../sdk/polynomials/domain.js';
import { isTestedInFull } from '../../../support/combinations.js';
import { multiplyAffine } from '../../../support/curve-reference.js';
import { G2Reference } from '../../../support/g2-reference.js';
import { packBases } from '../../../support/msm-reference.js';
import { Random } from '../../../support/random.js';
import { splitBytes } from '../../../support/split-scalars.js';
import { sharedDevice } from '../test-device.js';

/** The curves with ceremonies. A software adapter takes long to compile a group's kernels: one curve has them all. */
const GROUPS = (['bn254', 'bls12-381'] as const).flatMap((curve) =>
  (['g1', 'g2'] as const).filter((group) => isTestedInFull(curve, group)).map((group) => ({ curve, group })),
);

/** The points log G as they are prepared; zeros for the logarithm 0. */
function prepared(curve: CurveId, group: GroupId, logs: readonly bigint[]): Uint8Array {
  const { fr, g1 } = CURVES[curve];
  const packed = logs.map((given) => {
    const log = mod(given, fr.modulus);
    const some = log === 0n ? 1n : log;
    const { points } =
      group === 'g2'
        ? new G2Reference(curve).packBases([some])
        : packBases(curve, [multiplyAffine(CURVES[curve], g1.generator, some)!]);
    return log === 0n ? new Uint8Array(points.length) : points;
  });
  return joinBytes(packed);
}

/** The numbers 0 .. n - 1 in bit-reversed order. */
const reversed = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => {
    let result = 0;
    for (let bit = 1; bit < n; bit *= 2) result = 2 * result + (Math.floor(i / bit) % 2);
    return result;
  });

describe.each(GROUPS)('products of points on the GPU, $curve $group', ({ curve, group }) => {
  const r = CURVES[curve].fr.modulus;
  const random = new Random(7);
  const { lambda, basis } = ENDOMORPHISMS[curve]!;
  const bytesOf = (values: readonly bigint[]): Uint8Array =>
    splitBytes(
      curve,
      values.map((value) => mod(value, r)),
    );
  /** Every digit of a window occurs, alone and with carries; halves are 0 and negative; doubles and opposites meet. */
  const scalars = [
    ...[lambda, r - lambda, lambda + 1n, 2n * lambda, lambda - 1n, mod(lambda * lambda, r)],
    ...basis.flat().flatMap((length) => [mod(length / 2n, r), mod((length / 2n) * lambda, r)]),
    ...[0n, 1n, 2n, 7n, 8n, 9n, 15n, 16n, 17n, 0x88n, r - 1n, r - 2n, (r - 1n) / 2n, (r + 1n) / 2n],
    ...[BigInt(`0x${'7'.repeat(62)}`), BigInt(`0x${'8'.repeat(62)}`), BigInt(`0x${'f'.repeat(62)}`), 1n << 252n],
    ...Array.from({ length: 8 }, () => random.below(r)),
  ];
  const logs = scalars.map((_, i) => [1n, 2n, r - 1n, 0n][i] ?? random.below(r));
  let points: GpuPoints;

  beforeAll(async () => {
    points = new GpuPoints(await sharedDevice(), curve, group);
    await points.ready;
  });
  afterAll(() => points.destroy());

  it('multiplies each by its scalar', async () => {
    const [products] = await points.scale([prepared(curve, group, logs)], bytesOf(scalars));
    expect(products).toEqual(
      prepared(
        curve,
        group,
        logs.map((log, i) => log * scalars[i]!),
      ),
    );
  });

  it('multiplies all by one scalar, more than share an inversion', async () => {
    const many = [...logs, ...logs.map((log) => log + 5n)];
    const scalar = random.below(r);
    const size = logs.length * preparedPointBytes(curve, group);
    const all = prepared(curve, group, many);
    const parts = [all.subarray(0, size - 64), all.subarray(size - 64, size), all.subarray(size)];
    const products = await points.scale(parts, bytesOf([scalar]));
    expect(products.map(({ length }) => length)).toEqual(parts.map(({ length }) => length));
    expect(joinBytes(products)).toEqual(
      prepared(
        curve,
        group,
        many.map((log) => log * scalar),
      ),
    );
  });

  it('adds products to points and subtracts them, in every case', async () => {
    const factors = [3n, 1n, r - 1n, 0n, 5n, 7n, random.below(r), random.below(r)];
    const b = [2n, 4n, 4n, 9n, 0n, 3n, random.below(r), random.below(r)];
    // Infinite, equal to the product, its opposite, and others.
    const a = [6n, 4n, 4n, 8n, 1n, 0n, random.below(r), (b[7]! * factors[7]!) % r];
    const made = await points.butterflies(prepared(curve, group, a), prepared(curve, group, b), bytesOf(factors));
    const products = b.map((log, i) => log * factors[i]!);
    const expected = [...a.map((log, i) => log + products[i]!), ...a.map((log, i) => log - products[i]!)];
    expect(joinBytes(made)).toEqual(prepared(curve, group, expected));
    const [two, three] = [prepared(curve, group, [2n]), prepared(curve, group, [3n, 4n])];
    await expect(points.butterflies(two, three, bytesOf([1n]))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });

  it('takes no points, a single one, and refuses other lengths', async () => {
    expect(await points.scale([new Uint8Array(0)], bytesOf([3n]))).toEqual([new Uint8Array(0)]);
    const one = prepared(curve, group, [5n]);
    expect(await points.scale([one], bytesOf([3n]))).toEqual([prepared(curve, group, [15n])]);
    await expect(points.scale([one.subarray(1)], bytesOf([3n]))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(points.scale([one], bytesOf([3n, 4n]))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });

  /** A transform of logarithms in bit-reversed order, stage by stage. */
  const transformed = (logs: readonly bigint[], root: bigint): bigint[] => {
    const values = [...logs];
    for (let distance = 1; distance < values.length; distance *= 2) {
      for (let i = 0; i < values.length; i++) {
        if (Math.floor(i / distance) % 2 === 1) continue;
        const exponent = BigInt(((i % distance) * values.length) / 2 / distance);
        const [sum, product] = [values[i]!, values[i + distance]! * root ** exponent];
        values[i] = mod(sum + product, r);
        values[i + distance] = mod(sum - product, r);
      }
    }
    return values;
  };
  const powersOf = (first: bigint, ratio: bigint, count: number): bigint[] => {
    const powers: bigint[] = [];
    for (let i = 0, power = first; i < count; i++, power = mod(power * ratio, r)) powers.push(power);
    return powers;
  };

  it('transforms several domains at once, divided by their sizes', async () => {
    const given = [5n, 0n, 7n, 7n, random.below(r), r - 7n, 1n, random.below(r)];
    const domains = [1, 2, 4, 8];
    const inputs = domains.flatMap((n) =>
      reversed(n).map((i) => (i === 0 ? given[0]! * inverse(BigInt(n), r) : given[i]!)),
    );
    const roots = domains.map((n) => rootOfDomain(curve, n));
    const factors = [
      ...powersOf(1n, roots[3]!, 4),
      ...[1, 2, 3].flatMap((i) => powersOf(inverse(BigInt(domains[i]!), r), roots[i]!, domains[i]! / 2)),
    ];
    const shape = { from: 0, to: 3, isDivided: true };
    const done: number[] = [];
    const onProgress = (fraction: number): void => void done.push(fraction);
    const made = await points.transform(prepared(curve, group, inputs), shape, bytesOf(factors), { onProgress });
    const expected = domains.flatMap((n, d) =>
      powersOf(1n, roots[d]!, n).map((x) => {
        const sum = given.slice(0, n).reduce((all, log, i) => all + log * x ** BigInt(i), 0n);
        return mod(sum * inverse(BigInt(n), r), r);
      }),
    );
    expect(made).toEqual(prepared(curve, group, expected));
    expect(done.at(-1)).toBe(1);
  });

  it('transforms one domain, which is divided by any number, and refuses other lengths', async () => {
    const n = 8;
    const logs = Array.from({ length: n }, (_, i) => (i === 3 ? 0n : random.below(r)));
    const root = rootOfDomain(curve, n);
    const factors = powersOf(1n, root, n / 2);
    const expected = transformed(logs, root);
    const shape = { from: 3, to: 3, isDivided: false };
    const given = prepared(curve, group, logs);
    expect(await points.transform(given, shape, bytesOf(factors))).toEqual(prepared(curve, group, expected));
    const part = inverse(48n, r);
    const divided = bytesOf([...factors, ...powersOf(part, root, n / 2)]);
    const made = await points.transform(
      prepared(curve, group, [logs[0]! * part, ...logs.slice(1)]),
      { ...shape, isDivided: true },
      divided,
    );
    expect(made).toEqual(
      prepared(
        curve,
        group,
        expected.map((log) => log * part),
      ),
    );
    const wrong = { code: 'INVALID_LENGTH' };
    await expect(points.transform(given, shape, divided)).rejects.toMatchObject(wrong);
    await expect(points.transform(given, { ...shape, from: 2 }, bytesOf(factors))).rejects.toMatchObject(wrong);
  });

  it('ends when its signal fires', async () => {
    const signal = AbortSignal.abort();
    await expect(points.scale([prepared(curve, group, [5n])], bytesOf([3n]), { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
