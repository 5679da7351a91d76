import { toLimbs } from '../../../sdk/curves/limbs.js';
import type { PerTurn } from './cios.js';
import { montgomeryMultiplier } from './column-products.js';
import type { FieldShape } from './field-shape.js';
import { repeat } from './wgsl.js';

/**
 * Products on limbs of 22 bits in f32, by Emmart's method for limbs of 51 bits in f64. Two fused multiply-adds, which
 * round to the nearest, split the product a b of two limbs into a high and a low half:
 *
 *   high = fma(a, b, 3 * 2^44), the high half plus 3 * 2^44: the last place weighs 2^22, so the half is a b rounded to
 *   a multiple of that; low = fma(a, b, 3 * 2^44 + 3 * 2^22 - high), the low half plus 3 * 2^22: the last place weighs
 *   1, so this is exact.
 *
 * The bit patterns of the halves are summed as integers modulo 2^32. They include the bit patterns of the two
 * constants, 3 * 2^44 and 3 * 2^22. So a column starts at minus these, as many times as it will get them. Where `fma`
 * rounds the product, the result is wrong.
 */
export const FLOAT_LIMB_BITS = 22;

const HIGH = 3 * 2 ** 44;
const LOW = 3 * 2 ** 22;

/** The bit pattern of 2^23. With an integer n < 2^23 in its low bits, it is the bit pattern of 2^23 + n. */
const INTEGER = floatBits(2 ** 23);

export function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0]!;
}

export function floatOfBits(word: number): number {
  return new Float32Array(Uint32Array.of(word).buffer)[0]!;
}

/** `field_mul(a, b)`. The words of a Field are the bit patterns of its limbs. */
export function floatProduct(shape: FieldShape, perTurn: PerTurn): string {
  const { p, limbs, limbBits } = shape;
  const m = toLimbs(p, limbs, limbBits);
  const mask = 2 ** limbBits - 1;
  const start = (lows: number, highs: number): number =>
    Number(BigInt.asUintN(32, -BigInt(lows) * BigInt(floatBits(LOW)) - BigInt(highs) * BigInt(floatBits(HIGH))));
  // The column that is added in turn i gets 2 (limbs - 1 - i) low halves, and two high halves more than that.
  const first = start(2 * (limbs - 1), 2 * limbs);
  const step = start(-2, -2);
  const multiplyAdd = (limb: string, by: string, column: number): string[] => [
    `high = fma(${limb}, ${by}, ${HIGH}f);`,
    `s${column} += bitcast<u32>(fma(${limb}, ${by}, ${HIGH + LOW}f - high));`,
    `s${column + 1} += bitcast<u32>(high);`,
  ];
  const turn = (limb: string): string =>
    [
      `y = bitcast<f32>(${limb});`,
      `s${limbs} = entering;`,
      `entering += ${step}u;`,
      ...repeat(limbs, (j) => multiplyAdd('y', `bitcast<f32>(b.v[${j}])`, j).join('\n    ')),
      // s0 will get one more low half. The constant's bit pattern in it is a multiple of 2^22, so it does not matter
      // here.
      `q = bitcast<f32>(((s0 * ${montgomeryMultiplier(shape)}u) & ${mask}u) | ${INTEGER}u) - ${2 ** 23}f;`,
      ...repeat(limbs, (j) => multiplyAdd('q', `${m[j]}f`, j).join('\n    ')),
      `s0 = s1 + bitcast<u32>(bitcast<i32>(s0) >> ${limbBits}u);`,
      ...repeat(limbs - 1, (j) => `s${j + 1} = s${j + 2};`),
    ]
      .map((line) => `    ${line}`)
      .join('\n');
  const turns =
    perTurn === 'unrolled'
      ? repeat(limbs, (i) => turn(`a.v[${i}]`))
      : [
          '  var of_a = a.v;',
          `  for (var i = 0u; i < params.limbs; i += ${perTurn}u) {`,
          ...repeat(perTurn, (k) => turn(`of_a[i + ${k}u]`)),
          '  }',
        ];
  const limb = (value: string): string => `bitcast<u32>(bitcast<f32>((${value}) | ${INTEGER}u) - ${2 ** 23}f)`;
  return `fn field_mul(a: Field, b: Field) -> Field {
  var y = 0f;
  var q = 0f;
  var high = 0f;
  var entering = ${first}u;
${repeat(limbs, (j) => `  var s${j} = ${start(2 * (j + 1), 2 * j)}u;`).join('\n')}
  var s${limbs} = 0u;
${turns.join('\n')}
  var r: Field;
  var carry = 0i;
${repeat(
  limbs - 1,
  (j) => `  carry += bitcast<i32>(s${j});
  r.v[${j}] = ${limb(`u32(carry & ${mask}i)`)};
  carry >>= ${limbBits}u;`,
).join('\n')}
  r.v[${limbs - 1}] = ${limb(`u32(carry + bitcast<i32>(s${limbs - 1}))`)};
  return r;
}
`;
}
