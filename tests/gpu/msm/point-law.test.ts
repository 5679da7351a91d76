import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bls12377, bn254, type CurveParameters } from '../../../sdk/curves/index.js';
import {
  fromLimbs,
  packedMontgomeryBits,
  packedWords,
  toLimbs,
  WGSL_LIMB_BITS,
  wgslLimbs,
} from '../../../sdk/field/limbs.js';
import { inverse, mod } from '../../../sdk/field/modular.js';
import type { GpuDevice } from '../../../sdk/gpu/runtime/device.js';
import { type AffinePoint, addAffine } from '../../support/curve-reference.js';
import { multipleOf } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { runCases } from '../../support/wgsl-cases.js';
import { openTestDevice } from './stage-lab.js';

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await openTestDevice();
});
afterAll(() => gpu.destroy());

/** A form's coordinates of an affine point, with a free factor where the form is projective. */
interface Form {
  readonly names: readonly string[];
  readonly baseNames: readonly string[];
  sum(point: AffinePoint, z: bigint): bigint[];
  base(point: AffinePoint): bigint[];
  affine(sum: readonly bigint[]): AffinePoint;
}

function weierstrass({ fq: { modulus: p } }: CurveParameters): Form {
  return {
    names: ['x', 'y', 'zz', 'zzz'],
    baseNames: ['x', 'y'],
    sum: (point, z) =>
      point === undefined ? [0n, 0n, 0n, 0n] : [point[0] * z ** 2n, point[1] * z ** 3n, z ** 2n, z ** 3n],
    base: (point) => [...point!],
    affine: ([x, y, zz, zzz]) =>
      zz! % p === 0n ? undefined : [mod(x! * inverse(zz!, p), p), mod(y! * inverse(zzz!, p), p)],
  };
}

function edwards({ edwards, fq: { modulus: p } }: CurveParameters): Form {
  const { alpha, s, scale, d } = edwards!;
  const map = (point: AffinePoint): [bigint, bigint] => {
    if (point === undefined) return [0n, 1n];
    const xm = mod(s * (point[0] - alpha), p);
    const ym = mod(s * point[1], p);
    return [mod(scale * xm * inverse(ym, p), p), mod((xm - 1n) * inverse(xm + 1n, p), p)];
  };
  return {
    names: ['x', 'y', 'z', 't'],
    baseNames: ['minus', 'plus', 't'],
    sum: (point, z) => {
      const [x, y] = map(point);
      return [x * z, y * z, z, x * y * z];
    },
    base: (point) => {
      const [x, y] = map(point);
      return [y - x, y + x, 2n * d * x * y];
    },
    affine: ([x, y, z]) => {
      const ye = mod(y! * inverse(z!, p), p);
      if (ye === 1n) return undefined;
      const xm = mod((1n + ye) * inverse(1n - ye, p), p);
      const ym = mod(scale * xm * z! * inverse(x!, p), p);
      return [mod(xm * inverse(s, p) + alpha, p), mod(ym * inverse(s, p), p)];
    },
  };
}

describe.each([
  { curve: bn254, form: weierstrass(bn254) },
  { curve: bls12377, form: edwards(bls12377) },
])('the WGSL group law of $curve.id', ({ curve, form }) => {
  const p = curve.fq.modulus;
  const n = wgslLimbs(curve.fq.bits);
  const r = 1n << BigInt(n * WGSL_LIMB_BITS);
  const inverseR = inverse(r, p);
  const encode = (values: readonly bigint[], raised: bigint): number[] =>
    values.flatMap((v) => {
      const montgomery = mod(v * r, p);
      // 0 stands for the neutral element as it was set, and is not raised.
      return toLimbs(montgomery === 0n ? 0n : montgomery + raised * p, n, WGSL_LIMB_BITS);
    });
  const decode = (words: readonly number[]): AffinePoint =>
    form.affine(
      form.names.map((_, i) => mod(fromLimbs(words.slice(i * n, (i + 1) * n), WGSL_LIMB_BITS) * inverseR, p)),
    );
  const read = (type: string, names: readonly string[], from: string): string =>
    `${type}(${names.map((_, i) => `field_at(${from} + ${i}u * LIMBS)`).join(', ')})`;
  const put = (expression: string): string =>
    `  let result = ${expression};\n${form.names.map((name, i) => `  field_put(to + ${i}u * LIMBS, result.${name});`).join('\n')}`;
  const outWords = form.names.length * n;

  const random = new Random(3);
  const g = multipleOf(curve, 1n);
  const points: AffinePoint[] = [
    g,
    multipleOf(curve, 2n),
    multipleOf(curve, curve.fr.modulus - 1n),
    ...Array.from({ length: 4 }, () => multipleOf(curve, random.below(curve.fr.modulus))),
  ];
  const withNeutral: AffinePoint[] = [undefined, ...points];

  it('adds sums in every case, and doubles', async () => {
    const cases = withNeutral.flatMap((a) => withNeutral.map((b): [AffinePoint, AffinePoint] => [a, b]));
    const inputs = cases.map(([a, b], i) => [
      ...encode(form.sum(a, 1n + random.below(p - 1n)), BigInt(i % 2)),
      ...encode(form.sum(b, 1n + random.below(p - 1n)), BigInt((i >> 1) % 2)),
    ]);
    const body = put(
      `point_add(${read('Point', form.names, 'at')}, ${read('Point', form.names, `at + ${form.names.length}u * LIMBS`)})`,
    );
    const results = await runCases(gpu, curve.id, body, inputs, outWords);
    for (const [i, [a, b]] of cases.entries())
      expect({ i, sum: decode(results[i]!) }).toEqual({ i, sum: addAffine(curve, a, b) });
    const doubled = await runCases(
      gpu,
      curve.id,
      put(`point_double(${read('Point', form.names, 'at')})`),
      withNeutral.map((a) => encode(form.sum(a, 7n), 1n)),
      outWords,
    );
    for (const [i, a] of withNeutral.entries()) expect(decode(doubled[i]!)).toEqual(addAffine(curve, a, a));
  });

  it('adds bases to sums, and takes them away', async () => {
    const cases = withNeutral.flatMap((a) =>
      points.flatMap((b) => [0, 1].map((negative): [AffinePoint, AffinePoint, number] => [a, b, negative])),
    );
    const inputs = cases.map(([a, b, negative], i) => [
      ...encode(form.sum(a, 1n + random.below(p - 1n)), BigInt(i % 2)),
      ...encode(form.base(b), 0n),
      negative,
    ]);
    const baseAt = form.names.length;
    const flagAt = baseAt + form.baseNames.length;
    const body = put(
      `point_add_base(${read('Point', form.names, 'at')}, base_negate_if(${read('Base', form.baseNames, `at + ${baseAt}u * LIMBS`)}, input[at + ${flagAt}u * LIMBS] == 1u))`,
    );
    const results = await runCases(gpu, curve.id, body, inputs, outWords);
    for (const [i, [a, b, negative]] of cases.entries()) {
      const added: AffinePoint = negative === 1 ? [b![0], p - b![1]] : b;
      expect({ i, sum: decode(results[i]!) }).toEqual({ i, sum: addAffine(curve, a, added) });
    }
  });

  it('makes sums of bases, and the neutral element', async () => {
    const results = await runCases(
      gpu,
      curve.id,
      put(`point_from_base(${read('Base', form.baseNames, 'at')})`),
      points.map((b) => encode(form.base(b), 0n)),
      outWords,
    );
    for (const [i, b] of points.entries()) expect(decode(results[i]!)).toEqual(b);
    const [neutral] = await runCases(gpu, curve.id, put('point_identity()'), [[0]], outWords);
    expect(decode(neutral!)).toBeUndefined();
  });
});

describe.each([
  { curve: bn254, form: weierstrass(bn254) },
  { curve: bls12377, form: edwards(bls12377) },
])('the WGSL group law of $curve.id by bytes', ({ curve, form }) => {
  const p = curve.fq.modulus;
  const words = packedWords(curve.fq.bits);
  const r = 1n << BigInt(packedMontgomeryBits(curve.fq.bits));
  const inverseR = inverse(r, p);
  const packed = (values: readonly bigint[], raised: bigint): number[] =>
    values.flatMap((v) => {
      const montgomery = mod(v * r, p);
      return toLimbs(montgomery === 0n ? 0n : montgomery + raised * p, words, 32);
    });
  const decode = (result: readonly number[]): AffinePoint =>
    form.affine(form.names.map((_, i) => mod(fromLimbs(result.slice(i * words, (i + 1) * words), 32) * inverseR, p)));
  const read = (names: readonly string[], from: string): string =>
    names.map((_, i) => `field_at(${from} + ${i}u * WORDS)`).join(', ');
  const run = (body: string, cases: readonly (readonly number[])[]): Promise<number[][]> =>
    runCases(gpu, curve.id, body, cases, form.names.length * words, 'bytes');
  const put = (expression: string): string =>
    `  let result = point_for_buffer(${expression});\n${form.names.map((name, i) => `  field_put(to + ${i}u * WORDS, result.${name});`).join('\n')}`;
  const sum = `point_from_buffer(${read(form.names, 'at')})`;
  const base = `Base(${read(form.baseNames, `at + ${form.names.length}u * WORDS`)})`;

  it('adds bases to sums in every case, several times over, and takes them away', async () => {
    const random = new Random(5);
    const multiples = [1n, 2n, 3n, curve.fr.modulus - 1n, curve.fr.modulus - 2n, random.below(curve.fr.modulus)];
    const points = multiples.map((k) => multipleOf(curve, k));
    const cases = [undefined, ...points].flatMap((a) =>
      points.flatMap((b) => [0, 1].map((negative): [AffinePoint, AffinePoint, number] => [a, b, negative])),
    );
    const inputs = cases.map(([a, b, negative], i) => [
      // What other stages leave in buffers may pass p.
      ...packed(form.sum(a, 1n + random.below(p - 1n)), BigInt(i % 2)),
      ...packed(form.base(b), 0n),
      negative,
    ]);
    const flag = `input[at + ${form.names.length + form.baseNames.length}u * WORDS] == 1u`;
    const results = await run(
      `  let base = base_negate_if(${base}, ${flag});
  var sum = ${sum};
  for (var i = 0u; i < 3u + (params.limbs >> 8u); i++) {
    sum = point_add_base(sum, base);
  }
${put('sum')}`,
      inputs,
    );
    for (const [i, [a, b, negative]] of cases.entries()) {
      const added: AffinePoint = negative === 1 ? [b![0], p - b![1]] : b;
      let expected = a;
      for (let k = 0; k < 3; k++) expected = addAffine(curve, expected, added);
      expect({ i, sum: decode(results[i]!) }).toEqual({ i, sum: expected });
    }
  });
});
