import { inverse, mod } from '../../../sdk/curves/modular.js';
import type { PerTurn } from './cios.js';
import type { FieldShape } from './field-shape.js';
import { EDWARDS, type Formula, XYZZ } from './formulas.js';
import { repeat } from './wgsl.js';

/**
 * Numbers with signed limbs from -2^12 to 2^12, as two's complement in the words of a Field; the highest limb has the
 * number's sign. Sums and differences are computed limb by limb, without carries and without adding a multiple of p,
 * and can be operands of products as they are. Below, |a| is the largest absolute value of a limb of a.
 *
 * The columns of a product stay below 2^31 as long as limbs * (|a| |b| + 2^24) + 2^19 does: |a| |b| <= 9.05e7 for 20
 * limbs, 5.47e7 for 30. The absolute value of the result is at most A B / R + p / 2, where A and B are those of a and
 * b, and its limbs are carried.
 */

const HALF = 2 ** 12;

/**
 * The largest limbs of the two operands of a product in the formulas, for each number of limbs. Products are tested
 * with them.
 */
export const WIDE = { 20: [8194, 8194], 30: [8194, 4098] } as const;

/** The signed limbs of a value: all but the highest are from -2^12 to 2^12 - 1. */
export function toSignedLimbs({ limbs, limbBits }: FieldShape, value: bigint): number[] {
  let rest = value;
  return repeatNumbers(limbs, (j) => {
    const limb = j === limbs - 1 ? rest : BigInt.asIntN(limbBits, rest);
    rest = (rest - limb) >> BigInt(limbBits);
    return Number(limb);
  });
}

function repeatNumbers(count: number, number: (i: number) => number): number[] {
  return Array.from({ length: count }, (_, i) => number(i));
}

/**
 * `field_mul(a, b)` by operand scanning in columns of i32. The reduction adds multiples q p, with -2^12 <= q < 2^12.
 */
export function signedProduct(shape: FieldShape, perTurn: PerTurn): string {
  const { p, limbs, limbBits } = shape;
  const m = toSignedLimbs(shape, p);
  const base = 1n << BigInt(limbBits);
  const multiplier = Number(mod(-inverse(p, base), base));
  const turn = (limb: string): string =>
    [
      `y = i32(${limb});`,
      's0 += y * i32(b.v[0]);',
      `q = ((s0 * ${multiplier}i) << ${32 - limbBits}u) >> ${32 - limbBits}u;`,
      `s0 = ((s0 + q * ${m[0]}i) >> ${limbBits}u) + s1 + y * i32(b.v[1]) + q * ${m[1]}i;`,
      ...repeat(limbs - 2, (j) => `s${j + 1} = s${j + 2} + y * i32(b.v[${j + 2}]) + q * ${m[j + 2]}i;`),
      `s${limbs - 1} = 0i;`,
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
  return `fn field_mul(a: Field, b: Field) -> Field {
  var y = 0i;
  var q = 0i;
${repeat(limbs, (j) => `  var s${j} = 0i;`).join('\n')}
${turns.join('\n')}
  var r: Field;
  var carry = 0i;
${repeat(
  limbs - 1,
  (j) => `  carry += s${j} + ${HALF}i;
  r.v[${j}] = u32((carry & ${2 ** limbBits - 1}i) - ${HALF}i);
  carry >>= ${limbBits}u;`,
).join('\n')}
  r.v[${limbs - 1}] = u32(carry + s${limbs - 1});
  return r;
}
`;
}

/**
 * `field_add` and `field_sub`, limb by limb. `field_settle(a)` carries once: each limb's carry goes to the next limb
 * and no further. Its result has limbs of at most 2^12 + |a| / 2^13 + 1.
 */
export function signedSums({ limbs, limbBits }: FieldShape): string {
  const each = (term: (j: number) => string): string =>
    `Field(array<u32, ${limbs}>(${repeat(limbs, term).join(', ')}))`;
  return `fn field_add(a: Field, b: Field) -> Field {
  return ${each((j) => `a.v[${j}] + b.v[${j}]`)};
}
fn field_sub(a: Field, b: Field) -> Field {
  return ${each((j) => `a.v[${j}] - b.v[${j}]`)};
}
fn field_settle(a: Field) -> Field {
${repeat(limbs - 1, (j) => `  let c${j} = u32(i32(a.v[${j}] + ${HALF}u) >> ${limbBits}u);`).join('\n')}
  return ${each((j) => {
    const kept = j === limbs - 1 ? `a.v[${j}]` : `a.v[${j}] - (c${j} << ${limbBits}u)`;
    return j === 0 ? kept : `${kept} + c${j - 1}`;
  })};
}
`;
}

/**
 * XYZZ and Edwards with carries only where a product needs them. Limbs are at most 2^12 in products and 2^13 - 1 in
 * unpacked points. Their size does not depend on how many p the value is.
 */
export function lazyFormulas({ limbs }: FieldShape): Formula[] {
  // If both operands have limbs of about 2^13, a column stays below 2^31 with 20 limbs but not with 30. With 30, one of
  // them is carried.
  const settled = (value: string): string => (limbs === 20 ? value : `field_settle(${value})`);
  const xyzz: Formula = {
    ...XYZZ,
    name: 'XYZZ, lazy carries',
    settle: 'field_settle',
    steps: [
      // |x| <= 4098 and |y| <= 2^13, so |h| <= 8194. r is multiplied by itself, so it is carried: |r| <= 4098.
      { operands: ['base_coordinate(at, 0u)', 'zz'], after: `h = ${settled('field_sub(w, x)')};` },
      { operands: ['base_coordinate(at, 1u)', 'zzz'], after: 'r = field_settle(field_sub(w, y));' },
      ...XYZZ.steps.slice(2, 8),
      // The new X is a sum of four products. Again |h| <= 8194.
      {
        operands: ['r', 'r'],
        after: 'hh = field_settle(field_sub(w, field_add(field_add(x, x), h))); h = field_sub(x, hh); x = hh;',
      },
      { operands: ['r', 'h'], after: 'y = field_sub(w, y);' },
    ],
  };
  const edwards: Formula = {
    ...EDWARDS,
    name: 'Edwards, lazy carries',
    settle: 'field_settle',
    steps: [
      { operands: ['base_coordinate(at, 0u)', settled('field_sub(y, x)')], after: 'e = w;' },
      {
        operands: ['base_coordinate(at, 1u)', settled('field_add(y, x)')],
        after: `h = field_add(w, e); e = ${settled('field_sub(w, e)')};`,
      },
      {
        operands: ['base_coordinate(at, 2u)', 't'],
        after: 'z = field_add(z, z); f = field_settle(field_sub(z, w)); g = field_settle(field_add(z, w));',
      },
      ...EDWARDS.steps.slice(3),
    ],
  };
  return [xyzz, edwards];
}
