import { toLimbs } from '../../../sdk/curves/limbs.js';
import { body, range } from './field-facts.js';
import { bitsOf, highAndLow, highOf, INTEGER, LOW } from './lane-columns.js';
import type { LaneFacts } from './lane-facts.js';
import type { Constant } from './lane-products.js';

/** Limb by limb, nothing carried: r = a + b or a - b. */
export function laneSumBody({ limbs }: LaneFacts, operation: 'add' | 'sub'): string {
  return body(
    range(limbs).map(
      (j) => `v128.store(r, f64x2.${operation}(v128.load(a, ${16 * j}), v128.load(b, ${16 * j})), ${16 * j});`,
    ),
  );
}

/** What `limb(j)` gives, carried, less the nearest multiple of p, and carried again. */
export function laneReducedBody(facts: LaneFacts, constant: Constant, limb: (j: number) => string): string {
  const { limbs, limbBits, modulusLimbs, p } = facts;
  const top = limbs - 1;
  const number = (value: number): string => constant(bitsOf(value));
  // 2^(limbBits top) / p: times the highest limb, how many p the value is.
  const perLimb = Number((1n << BigInt(limbBits * top + 200)) / p) / 2 ** 200;
  return body([
    `const high = ${number(highOf(limbBits))}, scale = ${number(2 ** -limbBits)};`,
    'let c: v128;',
    ...range(limbs).map((j) => `let x${j} = ${limb(j)};`),
    ...carryLines(limbs),
    `const k = f64x2.nearest(f64x2.mul(x${top}, ${number(perLimb)}));`,
    ...range(limbs).map((j) => `x${j} = f64x2.relaxed_nmadd(k, ${number(Number(modulusLimbs[j]))}, x${j});`),
    ...carryLines(limbs),
    ...range(limbs).map((j) => `v128.store(r, x${j}, ${16 * j});`),
  ]);
}

/**
 * Carries so that all limbs but the highest lie between -B/2 and B/2, B = 2^limbBits: c is a limb rounded to a multiple
 * of B.
 */
export function carryLines(limbs: number, x = 'x'): string[] {
  return range(limbs - 1).flatMap((j) => carryLine(x, j));
}

/** The same for limb j alone, the limbs below it being done. */
export function carryLine(x: string, j: number): string[] {
  return [
    `c = f64x2.sub(f64x2.add(${x}${j}, high), high);`,
    `${x}${j} = f64x2.sub(${x}${j}, c);`,
    `${x}${j + 1} = f64x2.relaxed_madd(c, scale, ${x}${j + 1});`,
  ];
}

/**
 * Which lanes hold 0, p or -p, as bits. k = a_0 / p mod 2^limbBits is rarely -1, 0 or 1. Only if it is, the limbs of a
 * - k p are carried and compared with 0.
 */
export function laneMultiplesBody(facts: LaneFacts, constant: Constant): string {
  const { limbs, limbBits, modulusLimbs, inverse } = facts;
  const number = (value: number): string => constant(bitsOf(value));
  const factor = number(Number(inverse));
  return body([
    `const high = ${number(highOf(limbBits))}, low = ${number(LOW)}, step = ${number(highAndLow(limbBits).step)};`,
    'let x0 = v128.load(a);',
    `const h = f64x2.relaxed_nmadd(x0, ${factor}, ${number(-highOf(limbBits))});`,
    `const l = f64x2.relaxed_madd(x0, ${factor}, ${highAndLow(limbBits).plus('h')});`,
    'const k = f64x2.sub(l, low);',
    `const candidates = f64x2.lt(f64x2.abs(k), ${number(2)});`,
    'if (!v128.any_true(candidates)) return 0;',
    `const scale = ${number(2 ** -limbBits)};`,
    'let c: v128;',
    ...range(limbs - 1).map((j) => `let x${j + 1} = v128.load(a, ${16 * (j + 1)});`),
    ...range(limbs).map((j) => `x${j} = f64x2.relaxed_nmadd(k, ${number(Number(modulusLimbs[j]))}, x${j});`),
    ...carryLines(limbs),
    `const nonzero = ${range(limbs).reduce((sum, j) => (j === 0 ? 'f64x2.abs(x0)' : `f64x2.add(${sum}, f64x2.abs(x${j}))`), '')};`,
    `return i64x2.bitmask(v128.and(candidates, f64x2.eq(nonzero, ${number(0)})));`,
  ]);
}

/** One limb of a packed element, from the 64-bit words w0, w1, .. */
export function unpackedLaneLimb({ words, limbBits }: LaneFacts, constant: Constant, j: number): string {
  const bit = j * limbBits;
  const word = bit >> 6;
  const shift = bit & 63;
  const next = shift + limbBits > 64 && word + 1 < words / 2;
  const low = shift === 0 ? `w${word}` : `i64x2.shr_u(w${word}, ${shift})`;
  const joined = next ? `v128.or(${low}, i64x2.shl(w${word + 1}, ${64 - shift}))` : low;
  const exponent = constant(bitsOf(INTEGER));
  return `f64x2.sub(v128.or(v128.and(${joined}, ${constant(2n ** BigInt(limbBits) - 1n)}), ${exponent}), ${exponent})`;
}

/** The 64-bit words of a + p, for a between -p and p. */
export function lanePackBody({ p, limbs, limbBits, words }: LaneFacts, constant: Constant): string {
  const plain = toLimbs(p, limbs, limbBits);
  const lines = [
    `const low = ${constant(bitsOf(LOW))}, mask = ${constant(2n ** BigInt(limbBits) - 1n)};`,
    'let t: v128;',
  ];
  for (const j of range(limbs)) {
    const pattern = constant(BigInt(plain[j]!) - bitsOf(LOW));
    const sum = `i64x2.add(f64x2.add(v128.load(a, ${16 * j}), low), ${pattern})`;
    lines.push(`t = ${j === 0 ? sum : `i64x2.add(${sum}, i64x2.shr_s(t, ${limbBits}))`};`);
    lines.push(`const d${j} = v128.and(t, mask);`);
  }
  for (const w of range(words / 2)) {
    const terms = range(limbs).flatMap((j) => {
      const shift = j * limbBits - 64 * w;
      if (shift <= -limbBits || shift >= 64) return [];
      return [shift === 0 ? `d${j}` : shift > 0 ? `i64x2.shl(d${j}, ${shift})` : `i64x2.shr_u(d${j}, ${-shift})`];
    });
    lines.push(`t = ${terms.reduce((sum, term) => `v128.or(${sum}, ${term})`)};`);
    lines.push(`v128.store64_lane(x, t, 0, ${8 * w});`, `v128.store64_lane(y, t, 1, ${8 * w});`);
  }
  return body(lines);
}
