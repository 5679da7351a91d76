import { toLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import type { FieldShape } from './field-shape.js';
import { carried, repeat } from './wgsl.js';

/**
 * Limbs of the first operand that one iteration of the product's loop takes, or `unrolled` for a product without a
 * loop.
 */
export type PerTurn = number | 'unrolled';

export function perTurnName(perTurn: PerTurn): string {
  return perTurn === 'unrolled' ? perTurn : `rolled ${perTurn}`;
}

/** `field_mul(a, b)`: Montgomery multiplication by operand scanning (CIOS). */
export function ciosProduct(shape: FieldShape, perTurn: PerTurn): string {
  return `fn field_mul(a: Field, b: Field) -> Field {\n${body(shape, perTurn, [['a', 'b']])}\n}\n`;
}

/** `field_mul_pair(a, b, c, d)`: a b + c d with one reduction. */
export function ciosPair(shape: FieldShape, perTurn: PerTurn): string {
  const pairs = [
    ['a', 'b'],
    ['c', 'd'],
  ] as const;
  return `fn field_mul_pair(a: Field, b: Field, c: Field, d: Field) -> Field {\n${body(shape, perTurn, pairs)}\n}\n`;
}

/**
 * A sum of products with one reduction. For each limb of the first operands, every column gets one multiply-add for
 * each pair of operands and one for the reduction. Where columns would pass 2^32, the limbs are taken in several parts,
 * and carries are propagated after each part.
 */
function body(shape: FieldShape, perTurn: PerTurn, pairs: readonly (readonly [string, string])[]): string {
  const { limbs, limbBits } = shape;
  const parts = columnParts(shape, pairs.length + 1);
  const columns = repeat(limbs, (j) => `  var s${j} = 0u;`);
  const result = carried(shape, (j) => `s${j}`);
  const start = [...pairs.map((_, pair) => `  var y${pair} = 0u;`), '  var q = 0u;', ...columns];
  if (perTurn === 'unrolled') {
    if (parts !== 1) throw new Error('the columns of an unrolled sum of products pass 2^32');
    const turns = repeat(limbs, (i) => turn(shape, pairs, (operand) => `${operand}.v[${i}]`));
    return [...start, ...turns, result].join('\n');
  }
  const turns = repeat(perTurn, (k) => turn(shape, pairs, (operand) => `of_${operand}[i + ${k}u]`));
  const firsts = pairs.map(([operand]) => `  var of_${operand} = ${operand}.v;`);
  if (parts === 1) {
    return [
      ...firsts,
      ...start,
      `  for (var i = 0u; i < params.limbs; i += ${perTurn}u) {`,
      ...turns,
      '  }',
      result,
    ].join('\n');
  }
  const carries = repeat(
    limbs - 1,
    (j) => `    s${j + 1} += s${j} >> ${limbBits}u;\n    s${j} &= ${2 ** limbBits - 1}u;`,
  );
  return [
    ...firsts,
    ...start,
    '  var i = 0u;',
    `  for (var end = params.limbs / ${parts}u; end <= params.limbs; end += params.limbs / ${parts}u) {`,
    `    for (; i < end; i += ${perTurn}u) {`,
    ...turns,
    '    }',
    ...carries,
    '  }',
    `  return Field(array<u32, ${limbs}>(${repeat(limbs, (j) => `s${j}`).join(', ')}));`,
  ].join('\n');
}

/**
 * The least number of equal parts of the limbs for which columns stay below 2^32, with `products` multiply-adds for
 * each limb.
 */
function columnParts({ limbs, limbBits }: FieldShape, products: number): number {
  const largest = 2 ** limbBits - 1;
  // Each column gets one carry from below, and may still hold one from the part before.
  const others = 2 * 2 ** (32 - limbBits);
  for (let parts = 1; parts <= limbs; parts++) {
    if (limbs % parts === 0 && (products * limbs * largest ** 2) / parts + others < 2 ** 32) return parts;
  }
  throw new Error('the limbs are too wide: a column passes 2^32 with the products of one limb');
}

/**
 * For one limb of the first operands: adds its products with the second operands, and the multiple of p that makes the
 * lowest column 0. Then moves the columns down by one.
 */
function turn(
  { p, limbs, limbBits }: FieldShape,
  pairs: readonly (readonly [string, string])[],
  limb: (operand: string) => string,
): string {
  const m = toLimbs(p, limbs, limbBits);
  const base = 1n << BigInt(limbBits);
  const multiplier = Number(mod(-inverse(p, base), base));
  const products = (j: number): string => pairs.map(([, b], pair) => `y${pair} * ${b}.v[${j}]`).join(' + ');
  const lines = pairs.map(([a], pair) => `y${pair} = ${limb(a)};`);
  lines.push(`s0 += ${products(0)};`, `q = (s0 * ${multiplier}u) & ${2 ** limbBits - 1}u;`);
  lines.push(`s0 = (s0 + q * ${m[0]}u) >> ${limbBits}u;`, `s0 += s1 + ${products(1)} + q * ${m[1]}u;`);
  for (let j = 2; j < limbs; j++) lines.push(`s${j - 1} = s${j} + ${products(j)} + q * ${m[j]}u;`);
  lines.push(`s${limbs - 1} = 0u;`);
  return lines.map((line) => `    ${line}`).join('\n');
}
