import { body, range } from './field-facts.js';
import { bitsOf, Columns, highAndLow, highOf, LOW } from './lane-columns.js';
import type { LaneFacts } from './lane-facts.js';
import { type Constant, type Finish, laneMultiplyLines, laneSpreadLines } from './lane-products.js';
import { carryLine, carryLines } from './lane-sums.js';

/** How a factor is given: in Montgomery form or spread into rows. */
export type FactorForm = 'montgomery' | 'spread';
/** Whether it has limbs for each lane, or one limb for both. */
export type FactorLoad = 'v128.load' | 'v128.load64_splat';

/** x, y = x + factor y, x - factor y. */
export function laneButterflyBody(
  facts: LaneFacts,
  constant: Constant,
  form: FactorForm,
  loadFactor: FactorLoad,
): string {
  const { limbs, limbBits } = facts;
  const finish: Finish = (j, limb) => [
    ...(j < limbs - 1 ? carryLine('u', j) : []),
    `v = ${limb};`,
    `v128.store(x, f64x2.add(u${j}, v), ${16 * j});`,
    `v128.store(y, f64x2.sub(u${j}, v), ${16 * j});`,
  ];
  const lines = form === 'spread' ? laneSpreadLines : laneMultiplyLines;
  return body([
    `const scale = ${constant(bitsOf(2 ** -limbBits))};`,
    'let c: v128, v: v128;',
    ...range(limbs).map((j) => `let u${j} = v128.load(x, ${16 * j});`),
    ...lines(facts, constant, ['y', 'factor'], loadFactor, finish),
  ]);
}

/** x, y = x + y, x - y. */
export function lanePlainButterflyBody({ limbs, limbBits }: LaneFacts, constant: Constant): string {
  return body([
    `const high = ${constant(bitsOf(highOf(limbBits)))}, scale = ${constant(bitsOf(2 ** -limbBits))};`,
    'let c: v128;',
    ...range(limbs).flatMap((j) => [`let u${j} = v128.load(x, ${16 * j});`, `let v${j} = v128.load(y, ${16 * j});`]),
    ...carryLines(limbs, 'u'),
    ...carryLines(limbs, 'v'),
    ...range(limbs).flatMap((j) => [
      `v128.store(x, f64x2.add(u${j}, v${j}), ${16 * j});`,
      `v128.store(y, f64x2.sub(u${j}, v${j}), ${16 * j});`,
    ]),
  ]);
}

/** r = a times a spread factor. */
export function laneScaleBody(facts: LaneFacts, constant: Constant): string {
  const finish: Finish = (j, limb) => [`v128.store(r, ${limb}, ${16 * j});`];
  return body(laneSpreadLines(facts, constant, ['a', 'factor'], 'v128.load', finish));
}

/** (x0, x1), (y0, y1) to (x0, y0), (x1, y1). */
export function laneExchangeBody({ limbs }: LaneFacts): string {
  return body([
    'let u: v128, v: v128;',
    ...range(limbs).flatMap((j) => [
      `u = v128.load(x, ${16 * j});`,
      `v = v128.load(y, ${16 * j});`,
      `v128.store(x, i64x2.shuffle(u, v, 0, 2), ${16 * j});`,
      `v128.store(y, i64x2.shuffle(u, v, 1, 3), ${16 * j});`,
    ]),
  ]);
}

/**
 * Two elements as canonical bytes, side by side. k = floor(a_4 2^208 / p - 2^-44) multiples of p are taken away: a_4
 * tells a / p up to 2^-45, so that a - k p lies between 0 and (1 + 2^-43) p, and p is taken away once more where that
 * leaves no less than 0.
 */
export function laneStoreBody({ p, limbs, limbBits, words, modulusLimbs }: LaneFacts, constant: Constant): string {
  const number = (value: number): string => constant(bitsOf(value));
  const top = limbs - 1;
  const all = 2n ** BigInt(limbBits) - 1n;
  const perLimb = Number((1n << BigInt(limbBits * top + 200)) / p) / 2 ** 200;
  const columns = new Columns(limbs, limbBits, constant);
  columns.text(
    `const low = ${number(LOW)}, step = ${number(highAndLow(limbBits).step)}, mask = ${constant(all)}, scale = ${number(2 ** -limbBits)};`,
    `let high = ${number(highOf(limbBits))};`,
    'let c: v128, h: v128, l: v128;',
    ...range(limbs).map((j) => `let x${j} = v128.load(a, ${16 * j});`),
    ...carryLines(limbs),
    `high = ${number(-highOf(limbBits))};`,
    `const k = f64x2.floor(f64x2.relaxed_madd(x${top}, ${number(perLimb)}, ${number(-(2 ** -44))}));`,
  );
  for (const j of range(limbs)) {
    if (j < top) {
      columns.product('k', number(-Number(modulusLimbs[j])), j);
      columns.add(j, `f64x2.add(x${j}, low)`, bitsOf(LOW));
      columns.join(j);
      columns.text(`const d${j} = v128.and(t${j}, mask);`);
      columns.carryUnsigned(j);
    } else {
      const rest = `f64x2.relaxed_nmadd(k, ${number(Number(modulusLimbs[j]))}, x${j})`;
      columns.add(j, `f64x2.add(${rest}, low)`, bitsOf(LOW));
      columns.join(j);
    }
  }
  const digit = (j: number): string => (j < top ? `d${j}` : `t${top}`);
  columns.text(
    ...range(limbs).flatMap((j) => {
      const limb = constant((p >> BigInt(limbBits * j)) & all);
      const difference = `i64x2.sub(${digit(j)}, ${limb})`;
      return [
        `const s${j} = ${j === 0 ? difference : `i64x2.add(${difference}, i64x2.shr_s(s${j - 1}, ${limbBits}))`};`,
      ];
    }),
    `const negative = i64x2.shr_s(s${top}, 63);`,
    ...range(limbs).map((j) => `const e${j} = v128.bitselect(${digit(j)}, v128.and(s${j}, mask), negative);`),
    ...range(words / 2).flatMap((w) => {
      const terms = range(limbs).flatMap((j) => {
        const shift = j * limbBits - 64 * w;
        if (shift <= -limbBits || shift >= 64) return [];
        return [shift === 0 ? `e${j}` : shift > 0 ? `i64x2.shl(e${j}, ${shift})` : `i64x2.shr_u(e${j}, ${-shift})`];
      });
      return [
        `l = ${terms.reduce((sum, term) => `v128.or(${sum}, ${term})`)};`,
        `v128.store64_lane(target, l, 0, ${8 * w});`,
        `v128.store64_lane(target, l, 1, ${8 * w + 4 * words});`,
      ];
    }),
  );
  return body(columns.toLines());
}
