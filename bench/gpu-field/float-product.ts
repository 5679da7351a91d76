import { toLimbs } from '../../sdk/field/limbs.js';
import type { PerTurn } from './cios.js';
import { montgomeryMultiplier } from './column-products.js';
import type { FieldShape } from './field-shape.js';
import { repeat } from './wgsl.js';

/**
 * Limbs of 22 bits in f32, as Emmart does it in f64 with 51: a product a b of two limbs is split into a high and a low half
 * by two fused multiply-adds that round to the nearest,
 *
 *   high = fma(a, b, 3 * 2^44): one unit of its last place is 2^22;
 *   low = fma(a, b, 3 * 2^44 + 3 * 2^22 - high), exact: a b less the high half, plus 3 * 2^22, whose last place weighs 1.
 *
 * The halves are read off the bit patterns, which are summed as integers modulo 2^32; a column begins at minus the patterns of the
 * two constants, as often as it will get them. Where `fma` rounds the product, the result is wrong.
 */
export const FLOAT_LIMB_BITS = 22;

const HIGH = 3 * 2 ** 44;
const LOW = 3 * 2 ** 22;

/** The bit pattern of 2^23 and of the integers above it. */
const INTEGER = floatBits(2 ** 23);

export function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0]!;
}

export function floatOfBits(word: number): number {
  return new Float32Array(Uint32Array.of(word).buffer)[0]!;
}

/** `field_mul(a, b)`; the words of a Field are the bit patterns of the limbs. */
export function floatProduct(shape: FieldShape, perTurn: PerTurn): string {
  const { p, limbs, limbBits } = shape;
  const m = toLimbs(p, limbs, limbBits);
  const mask = 2 ** limbBits - 1;
  const start = (lows: number, highs: number): number =>
    Number(BigInt.asUintN(32, -BigInt(lows) * BigInt(floatBits(LOW)) - BigInt(highs) * BigInt(floatBits(HIGH))));
  // The column that comes in at turn i gets 2 (limbs - 1 - i) low halves and two more high ones.
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
      // The pattern of the low half that is still to come is a multiple of 2^22.
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
