import { toLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import type { PerTurn } from './cios.js';
import type { FieldShape } from './field-shape.js';
import { carried, repeat } from './wgsl.js';

/**
 * Products that are computed column by column: either all columns of a b before the reduction, which are named t0, t1,
 * ..., or each column of a b together with that of the reduction.
 */

/** `field_mul(a, b)` by one level of Karatsuba's method: three products of half as many limbs. For limbs of 13 bits. */
export function karatsubaProduct(shape: FieldShape, perTurn: PerTurn): string {
  const half = shape.limbs / 2;
  const product = (to: string, a: (i: number) => string, b: (i: number) => string): string[] =>
    repeat(2 * half - 1, (k) => `  let ${to}${k} = ${terms(half, k, (i) => `${a(i)} * ${b(k - i)}`)};`);
  const low = (k: number): string => (k >= 0 && k < 2 * half - 1 ? `l${k}` : '0u');
  const high = (k: number): string => (k >= 0 && k < 2 * half - 1 ? `h${k}` : '0u');
  const middle = (k: number): string => (k >= 0 && k < 2 * half - 1 ? `(m${k} - l${k} - h${k})` : '0u');
  return `fn field_mul(a: Field, b: Field) -> Field {
${repeat(half, (i) => `  let x${i} = a.v[${i}] + a.v[${half + i}];\n  let y${i} = b.v[${i}] + b.v[${half + i}];`).join('\n')}
${product(
  'l',
  (i) => `a.v[${i}]`,
  (i) => `b.v[${i}]`,
).join('\n')}
${product(
  'h',
  (i) => `a.v[${half + i}]`,
  (i) => `b.v[${half + i}]`,
).join('\n')}
${product(
  'm',
  (i) => `x${i}`,
  (i) => `y${i}`,
).join('\n')}
${repeat(2 * shape.limbs - 1, (k) => `  var t${k} = ${low(k)} + ${middle(k - half)} + ${high(k - 2 * half)};`).join('\n')}
${reduction(shape, perTurn)}
}
`;
}

/** `field_sqr(a)`: each product of two different limbs is computed once and doubled. For limbs of 13 bits. */
export function dedicatedSquare(shape: FieldShape, perTurn: PerTurn): string {
  const { limbs } = shape;
  const column = (k: number): string => {
    const cross: string[] = [];
    for (let i = Math.max(0, k - limbs + 1); 2 * i < k; i++) cross.push(`a.v[${i}] * a.v[${k - i}]`);
    const parts = cross.length === 0 ? [] : [`2u * (${cross.join(' + ')})`];
    return [...parts, ...(k % 2 === 0 ? [`a.v[${k / 2}] * a.v[${k / 2}]`] : [])].join(' + ');
  };
  return `fn field_sqr(a: Field) -> Field {
${repeat(2 * limbs - 1, (k) => `  var t${k} = ${column(k)};`).join('\n')}
${reduction(shape, perTurn)}
}
`;
}

/**
 * Adds the multiples of p that make the lower half of the columns 0. As a loop, it moves the columns down by one for
 * each limb.
 */
function reduction(shape: FieldShape, perTurn: PerTurn): string {
  const { p, limbs, limbBits } = shape;
  const m = toLimbs(p, limbs, limbBits);
  const quotient = `& ${2 ** limbBits - 1}u`;
  const multiplier = `${montgomeryMultiplier(shape)}u`;
  const upper = repeat(limbs, (j) => (j === limbs - 1 ? '0u' : `t${limbs + j}`));
  if (perTurn === 'unrolled') {
    const turns = repeat(limbs, (i) =>
      [
        `  let q${i} = (t${i} * ${multiplier}) ${quotient};`,
        `  t${i + 1} += (t${i} + q${i} * ${m[0]}u) >> ${limbBits}u;`,
        ...repeat(limbs - 1, (j) => `  t${i + j + 1} += q${i} * ${m[j + 1]}u;`),
      ].join('\n'),
    );
    return [...turns, carried(shape, (j) => upper[j]!)].join('\n');
  }
  const turn = (k: number): string =>
    [
      `    q = (t0 * ${multiplier}) ${quotient};`,
      `    t0 = ((t0 + q * ${m[0]}u) >> ${limbBits}u) + t1 + q * ${m[1]}u;`,
      ...repeat(limbs - 2, (j) => `    t${j + 1} = t${j + 2} + q * ${m[j + 2]}u;`),
      `    t${limbs - 1} = upper[i + ${k}u];`,
    ].join('\n');
  return `  var upper = array<u32, ${limbs}>(${upper.join(', ')});
  var q = 0u;
  for (var i = 0u; i < params.limbs; i += ${perTurn}u) {
${repeat(perTurn, turn).join('\n')}
  }
${carried(shape, (j) => `t${j}`)}`;
}

/**
 * `field_mul(a, b)` by product scanning: all products in a column, of a by b and of the quotient by p, are summed
 * before the next column is begun. Where the sum would pass 2^32, the bits above a limb are carried to the next column
 * in between.
 */
export function scanningProduct(shape: FieldShape): string {
  const { p, limbs, limbBits } = shape;
  const m = toLimbs(p, limbs, limbBits);
  const mask = 2 ** limbBits - 1;
  // How many products fit, beside a carry from below, which is less than 2^25, and the limb that remains after a carry.
  const fitting = Math.floor((2 ** 32 - 2 ** 25) / mask ** 2);
  const lines: string[] = [];
  for (let k = 0; k < 2 * limbs - 1; k++) {
    const first = Math.max(0, k - limbs + 1);
    const products: string[] = [];
    for (let i = first; i <= Math.min(k, limbs - 1); i++) {
      products.push(`a.v[${i}] * b.v[${k - i}]`);
      if (i < k) products.push(`q${i} * ${m[k - i]}u`);
    }
    const isCut = products.length + (k < limbs ? 1 : 0) > fitting;
    if (isCut) lines.push('  up = 0u;');
    for (let at = 0; at < products.length; at += fitting) {
      if (at > 0) lines.push(`  up += s >> ${limbBits}u;`, `  s &= ${mask}u;`);
      lines.push(`  s += ${products.slice(at, at + fitting).join(' + ')};`);
    }
    if (k < limbs) {
      lines.push(`  let q${k} = (s * ${montgomeryMultiplier(shape)}u) & ${mask}u;`);
      if (products.length % fitting === 0) lines.push(`  up += s >> ${limbBits}u;`, `  s &= ${mask}u;`);
      lines.push(`  s += q${k} * ${m[0]}u;`);
    } else {
      lines.push(`  r.v[${k - limbs}] = s & ${mask}u;`);
    }
    lines.push(`  s >>= ${limbBits}u;`);
    if (isCut) lines.push('  s += up;');
  }
  return `fn field_mul(a: Field, b: Field) -> Field {
  var r: Field;
  var s = 0u;
  var up = 0u;
${lines.join('\n')}
  r.v[${limbs - 1}] = s;
  return r;
}
`;
}

/** -1 / p mod 2^limbBits. */
export function montgomeryMultiplier({ p, limbBits }: FieldShape): number {
  const base = 1n << BigInt(limbBits);
  return Number(mod(-inverse(p, base), base));
}

/** The sum of `term(i)` for all limbs i that contribute to column k, in the product of two numbers of `count` limbs. */
function terms(count: number, k: number, term: (i: number) => string): string {
  const first = Math.max(0, k - count + 1);
  return repeat(Math.min(k, count - 1) - first + 1, (i) => term(first + i)).join(' + ');
}
