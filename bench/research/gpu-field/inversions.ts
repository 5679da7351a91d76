import { toLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import type { FieldShape } from './field-shape.js';
import { repeat } from './wgsl.js';

/**
 * A field inversion in WGSL: `field_inv(a)`, in Montgomery form, for any a whose limbs are below 2^limbBits. 0 gives 0.
 */
export interface Inversion {
  readonly name: string;
  /** Needs `field_mul` and `field_canonical`. */
  readonly code: string;
  readonly params: { readonly steps: number; readonly turns: number };
}

/**
 * `field_canonical(e)`, or a function of another name: reduces e to a number below p with normalised limbs. The limbs
 * of e may be signed and need not be carried: |e_j| < 2^16 for all but the highest two. The value of e is between -8 p
 * and R.
 *
 * The quotient by p is computed from the highest two limbs, in units of the lower one of them. The other limbs come to
 * less than 8 units either way. So the computed quotient is never too large, and what remains is below p + 128 units.
 * It is compared with p only if it may be p or more.
 */
export function canonical({ p, limbs, limbBits }: FieldShape, name = 'field_canonical'): string {
  const m = toLimbs(p, limbs, limbBits);
  const mask = 2 ** limbBits - 1;
  const unit = BigInt(limbBits * (limbs - 2));
  const divisor = Number(p >> unit) + 1;
  const top = `${limbs - 1}`;
  return `fn ${name}(e: array<i32, ${limbs}>) -> Field {
  let units = (e[${top}] << ${limbBits}u) + e[${limbs - 2}] - 8 + ${8 * divisor};
  let quotient = i32(u32(units) / ${divisor}u) - 8;
  var r: Field;
  var carry = 0i;
${repeat(
  limbs - 1,
  (j) => `  carry += e[${j}] - quotient * ${m[j]};
  r.v[${j}] = u32(carry & ${mask});
  carry >>= ${limbBits}u;`,
).join('\n')}
  r.v[${top}] = u32(carry + e[${top}] - quotient * ${m[limbs - 1]});
  if ((r.v[${top}] << ${limbBits}u) + r.v[${limbs - 2}] >= ${divisor - 1}u) {
    var less: Field;
    carry = 0i;
${repeat(
  limbs - 1,
  (j) => `    carry += i32(r.v[${j}]) - ${m[j]};
    less.v[${j}] = u32(carry & ${mask});
    carry >>= ${limbBits}u;`,
).join('\n')}
    carry += i32(r.v[${top}]) - ${m[limbs - 1]};
    less.v[${top}] = u32(carry);
    if (carry >= 0) {
      r = less;
    }
  }
  return r;
}
`;
}

/** The argument of `field_canonical`: signed limbs, where `term(j)` is the expression of limb j. */
export function signedLimbs({ limbs }: FieldShape, term: (j: number) => string): string {
  return `array<i32, ${limbs}>(${repeat(limbs, (j) => `i32(${term(j)})`).join(', ')})`;
}

/** The expression of a Field constant. */
export function constant({ limbs, limbBits }: FieldShape, value: bigint): string {
  return `Field(array<u32, ${limbs}>(${toLimbs(value, limbs, limbBits)
    .map((limb) => `${limb}u`)
    .join(', ')}))`;
}

/** Inversion by Fermat's little theorem: a^(p - 2), with four bits of the exponent at a time. */
export function fermat(shape: FieldShape): Inversion {
  const { p, r } = shape;
  const exponent = p - 2n;
  const digits = Math.ceil(exponent.toString(2).length / 4);
  const words = toLimbs(exponent, Math.ceil(digits / 8), 32);
  return {
    name: 'Fermat',
    params: { steps: 5 * (digits - 1), turns: 16 },
    code: `fn field_inv(a: Field) -> Field {
  var exponent = array<u32, ${words.length}>(${words.map((word) => `${word}u`).join(', ')});
  var powers: array<Field, 16>;
  powers[0] = ${constant(shape, mod(r, p))};
  for (var i = 1u; i < params.turns; i++) {
    powers[i] = field_mul(powers[i - 1u], a);
  }
  var digit = ${digits - 1}u;
  var r = powers[exponent[digit >> 3u] >> ((digit & 7u) * 4u)];
  for (var step = 1u; step <= params.steps; step++) {
    var by = r;
    if (step % 5u == 0u) {
      digit--;
      by = powers[(exponent[digit >> 3u] >> ((digit & 7u) * 4u)) & 15u];
    }
    r = field_mul(r, by);
  }
  return r;
}
`,
  };
}

/**
 * Bernstein and Yang's inversion by division steps (https://gcd.cr.yp.to), with delta starting at 1/2 and the same
 * number of steps for every a.
 *
 * Steps are done in batches, one step for each bit of a limb. A batch depends only on the lowest limbs of f and g. It
 * gives a matrix (u v; q r) with |u| + |v|, |q| + |r| <= 2^limbBits. The matrix is then applied to the whole of f and g
 * and, modulo p by Montgomery reduction, to d and e; each result is divided by 2^limbBits, which drops a limb. Two
 * entries of the matrix share a word: u + v 2^16.
 *
 * At any time d a = f R^2 and e a = g R^2 mod p. At the end f = +-1, so +-d is the inverse in Montgomery form. A batch
 * makes |d| and |e| larger by at most p / 2.
 */
export function safegcd(shape: FieldShape, canonicalName = 'field_canonical'): Inversion {
  const { p, r, limbs, limbBits } = shape;
  const m = toLimbs(p, limbs, limbBits);
  const mask = 2 ** limbBits - 1;
  const base = 1n << BigInt(limbBits);
  const multiplier = Number(mod(-inverse(p, base), base));
  // Wuille's bound for this delta says how many steps are enough for numbers of `bits` bits.
  const bits = p.toString(2).length;
  const batches = Math.ceil((45907 * bits + 26313) / 19929 / limbBits);
  const offset = toLimbs(BigInt(Math.ceil(batches / 2) + 1) * p, limbs, limbBits);
  const start = toLimbs(mod(r * r, p), limbs, limbBits);
  const top = limbs - 1;
  const signed = 32 - limbBits;
  return {
    name: 'safegcd',
    params: { steps: batches, turns: limbBits },
    code: `fn field_inv(a: Field) -> Field {
  let below = ${canonicalName}(${signedLimbs(shape, (j) => `a.v[${j}]`)});
${repeat(limbs, (j) => `  var f${j} = ${m[j]}i;\n  var g${j} = i32(below.v[${j}]);\n  var d${j} = 0i;\n  var e${j} = ${start[j]}i;`).join('\n')}
  // -(delta + 1/2)
  var zeta = -1i;
  for (var batch = 0u; batch < params.steps; batch++) {
    var f = f0;
    var g = g0;
    var uv = 1i;
    var qr = ${2 ** 16}i;
    for (var k = 0u; k < params.turns; k++) {
      var swap = zeta >> 31u;
      let odd = -(g & 1i);
      g += ((f ^ swap) - swap) & odd;
      qr += ((uv ^ swap) - swap) & odd;
      swap &= odd;
      zeta = (zeta ^ swap) - 1i;
      f += g & swap;
      uv += qr & swap;
      g >>= 1u;
      uv <<= 1u;
    }
    let u = (uv << 16u) >> 16u;
    let v = (uv - u) >> 16u;
    let q = (qr << 16u) >> 16u;
    let r = (qr - q) >> 16u;
    var x = (u * f0 + v * g0) >> ${limbBits}u;
    var y = (q * f0 + r * g0) >> ${limbBits}u;
${repeat(
  top,
  (j) => `    x += u * f${j + 1} + v * g${j + 1};
    y += q * f${j + 1} + r * g${j + 1};
    f${j} = x & ${mask};
    g${j} = y & ${mask};
    x >>= ${limbBits}u;
    y >>= ${limbBits}u;`,
).join('\n')}
    f${top} = x;
    g${top} = y;
    x = u * d0 + v * e0;
    y = q * d0 + r * e0;
    // Multiples of p, from -2^${limbBits - 1} on, that let the lowest limbs go.
    let s = ((x * ${multiplier}i) << ${signed}u) >> ${signed}u;
    let t = ((y * ${multiplier}i) << ${signed}u) >> ${signed}u;
    x = (x + s * ${m[0]}i) >> ${limbBits}u;
    y = (y + t * ${m[0]}i) >> ${limbBits}u;
${repeat(
  top,
  (j) => `    x += u * d${j + 1} + v * e${j + 1} + s * ${m[j + 1]}i;
    y += q * d${j + 1} + r * e${j + 1} + t * ${m[j + 1]}i;
    d${j} = x & ${mask};
    e${j} = y & ${mask};
    x >>= ${limbBits}u;
    y >>= ${limbBits}u;`,
).join('\n')}
    d${top} = x;
    e${top} = y;
  }
  let sign = 1i | (f${top} >> 31u);
  var carry = 0i;
  var result: Field;
${repeat(
  top,
  (j) => `  carry += sign * d${j} + ${offset[j]}i;
  result.v[${j}] = u32(carry & ${mask});
  carry >>= ${limbBits}u;`,
).join('\n')}
  result.v[${top}] = u32(carry + sign * d${top} + ${offset[top]}i);
  return result;
}
`,
  };
}
