import { bls12_381 } from '@noble/curves/bls12-381.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WgslCurve } from '../../../scripts/generate/wgsl/wgsl-curve.js';
import type { CurveParameters } from '../../../sdk/curves/index.js';
import {
  fromLimbs,
  packedMontgomeryBits,
  packedWords,
  toLimbs,
  WGSL_LIMB_BITS,
  wgslLimbs,
} from '../../../sdk/field/limbs.js';
import { inverse, mod } from '../../../sdk/field/modular.js';
import type { GpuDevice, Products } from '../../../sdk/gpu/runtime/device.js';
import { addAffine } from '../../support/curve-reference.js';
import { Random } from '../../support/random.js';
import { runCases } from '../../support/wgsl-cases.js';
import { EDWARDS_253, WEIERSTRASS_381 } from '../../support/wgsl-curves.js';
import { sharedDevice } from '../test-device.js';

/** The point modules over fields of other shapes than those of the registry's curves. */

/** An affine point; undefined is the point at infinity of the Weierstrass form. */
type Point = readonly [bigint, bigint] | undefined;

interface Form {
  readonly curve: WgslCurve;
  readonly generator: Point;
  readonly neutral: Point;
  readonly sumNames: readonly string[];
  readonly baseNames: readonly string[];
  add(p: Point, q: Point): Point;
  negate(p: Point): Point;
  sum(p: Point, z: bigint): readonly bigint[];
  base(p: Point): readonly bigint[];
  affine(sum: readonly bigint[]): Point;
}

function weierstrass(curve: WgslCurve, generator: Point): Form {
  const p = curve.fq.modulus;
  return {
    curve,
    generator,
    neutral: undefined,
    sumNames: ['x', 'y', 'zz', 'zzz'],
    baseNames: ['x', 'y'],
    add: (a, b) => addAffine(curve as CurveParameters, a, b),
    negate: (a) => a && [a[0], mod(-a[1], p)],
    sum: (a, z) => (a === undefined ? [0n, 0n, 0n, 0n] : [a[0] * z ** 2n, a[1] * z ** 3n, z ** 2n, z ** 3n]),
    base: (a) => a!,
    affine: ([x, y, zz, zzz]) =>
      zz === 0n ? undefined : [mod(x! * inverse(zz!, p), p), mod(y! * inverse(zzz!, p), p)],
  };
}

function edwards(curve: WgslCurve, generator: Point): Form {
  const p = curve.fq.modulus;
  const { d } = curve.edwards!;
  return {
    curve,
    generator,
    neutral: [0n, 1n],
    sumNames: ['x', 'y', 'z', 't'],
    baseNames: ['minus', 'plus', 't'],
    add: (a, b) => {
      const [[x1, y1], [x2, y2]] = [a!, b!];
      const t = mod(d * x1 * x2 * y1 * y2, p);
      return [
        mod((x1 * y2 + y1 * x2) * inverse(1n + t, p), p),
        mod((y1 * y2 + x1 * x2) * inverse(mod(1n - t, p), p), p),
      ];
    },
    negate: (a) => [mod(-a![0], p), a![1]],
    sum: (a, z) => [a![0] * z, a![1] * z, z, a![0] * a![1] * z],
    base: (a) => [a![1] - a![0], a![1] + a![0], 2n * d * a![0] * a![1]],
    affine: ([x, y, z]) => [mod(x! * inverse(z!, p), p), mod(y! * inverse(z!, p), p)],
  };
}

const BASE = bls12_381.G1.Point.BASE.toAffine();
const FORMS = [
  weierstrass(WEIERSTRASS_381, [BASE.x, BASE.y]),
  // The generator of the subgroup of prime order that arkworks has.
  edwards(EDWARDS_253, [
    4497879464030519973909970603271755437257548612157028181994697785683032656389n,
    4357141146396347889246900916607623952598927460421559113092863576544024487809n,
  ]),
];

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await sharedDevice();
});

// Side by side, since compiling takes nearly all of the time.
describe.concurrent.each(FORMS)('the WGSL group law over $curve.fq.name', (form) => {
  const { curve } = form;
  const p = curve.fq.modulus;
  const random = new Random(9);
  const points: Point[] = [form.generator];
  while (points.length < 4) points.push(form.add(points.at(-1), form.generator));
  points.push(form.negate(points[0]));
  const withNeutral = [form.neutral, ...points];

  it.each(['limbs', 'bytes'] satisfies Products[])('adds bases to sums in every case by %s', async (products) => {
    const isLimbs = products === 'limbs';
    const size = isLimbs ? wgslLimbs(curve.fq.bits) : packedWords(curve.fq.bits);
    const limbBits = isLimbs ? WGSL_LIMB_BITS : 32;
    const montgomery = 1n << BigInt(packedMontgomeryBits(curve.fq.bits));
    const encode = (values: readonly bigint[], raised: bigint): number[] =>
      values.flatMap((v) => {
        const value = mod(v * montgomery, p);
        return toLimbs(value === 0n ? 0n : value + raised * p, size, limbBits);
      });
    const decode = (words: readonly number[]): Point =>
      form.affine(
        form.sumNames.map((_, k) =>
          mod(fromLimbs(words.slice(k * size, (k + 1) * size), limbBits) * inverse(mod(montgomery, p), p), p),
        ),
      );
    const cases = withNeutral.flatMap((sum) =>
      points.flatMap((base) => [0, 1].map((negative) => ({ sum, base, negative }))),
    );
    const at = (names: readonly string[], from: number): string =>
      names.map((_, k) => `field_at(at + ${(from + k) * size}u)`).join(', ');
    const baseAt = form.sumNames.length;
    const flagAt = (baseAt + form.baseNames.length) * size;
    // By limbs sums are added too: three times the base to the sum.
    const results = await runCases(
      gpu,
      curve,
      `  let base = base_negate_if(Base(${at(form.baseNames, baseAt)}), input[at + ${flagAt}u] == 1u);
  var sum = point_from_buffer(${at(form.sumNames, 0)});
  for (var i = 0u; i < 3u + (params.limbs >> 8u); i++) {
    sum = point_add_base(sum, base);
  }
  ${isLimbs ? `sum = point_add(sum, point_from_buffer(${at(form.sumNames, 0)}));` : ''}
  let result = point_for_buffer(sum);
${form.sumNames.map((name, k) => `  field_put(to + ${k * size}u, result.${name});`).join('\n')}`,
      cases.map(({ sum, base, negative }, i) => [
        ...encode(form.sum(sum, 1n + random.below(p - 1n)), BigInt(i % 2)),
        ...encode(form.base(base), 0n),
        negative,
      ]),
      form.sumNames.length * size,
      products,
    );
    for (const [i, { sum, base, negative }] of cases.entries()) {
      const added = negative === 1 ? form.negate(base) : base;
      let expected = sum;
      for (let k = 0; k < 3; k++) expected = form.add(expected, added);
      if (isLimbs) expected = form.add(expected, sum);
      expect({ i, sum: decode(results[i]!) }).toEqual({ i, sum: expected });
    }
  });
});
