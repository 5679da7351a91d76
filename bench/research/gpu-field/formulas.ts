import type { MontgomeryReference } from './field-shape.js';

/** One step of a point addition in WGSL: a product, or a sum of two products. */
export interface Step {
  /** [a] for the square of a; [a, b] for a b; [a, b, c, d] for a b + c d. */
  readonly operands: readonly string[];
  /** Statements that use the result, which is named `w`. */
  readonly after: string;
}

/** A mixed addition: adds the packed point at word `at` of the input to a sum of four coordinates. */
export interface Formula {
  readonly name: string;
  /** Coordinates of a packed point. */
  readonly baseCoordinates: number;
  /** Products of one addition. */
  readonly products: number;
  /**
   * The coordinates of the sum, and which coordinate of the first point each of them starts with. Any numbers below p
   * will do.
   */
  readonly sum: readonly string[];
  readonly start: readonly number[];
  /** The WGSL function that is applied to these coordinates of the first point, if one is needed. */
  readonly settle?: string;
  readonly temporaries: readonly string[];
  readonly steps: readonly Step[];
  readonly add: (m: MontgomeryReference, sum: readonly bigint[], base: readonly bigint[]) => bigint[];
}

/**
 * XYZZ without its special cases (Explicit-Formulas Database, madd-2008-s), 8M + 2S, in an order that keeps few values
 * alive. Bounds, found as in shaders/point/weierstrass.wgsl: X, Y < 6 p; ZZ, ZZZ < 2 p; differences below 9.3 p.
 */
export const XYZZ: Formula = {
  name: 'XYZZ',
  baseCoordinates: 2,
  products: 10,
  sum: ['x', 'y', 'zz', 'zzz'],
  start: [0, 1, 0, 1],
  temporaries: ['h', 'r', 'hh'],
  steps: [
    { operands: ['base_coordinate(at, 0u)', 'zz'], after: 'h = field_sub_wide(w, x);' },
    { operands: ['base_coordinate(at, 1u)', 'zzz'], after: 'r = field_sub_wide(w, y);' },
    { operands: ['h', 'h'], after: 'hh = w;' },
    { operands: ['zz', 'hh'], after: 'zz = w;' },
    // From here on the variable h is h^3; after the next step x is q = X h^2.
    { operands: ['h', 'hh'], after: 'h = w;' },
    { operands: ['x', 'hh'], after: 'x = w;' },
    { operands: ['zzz', 'h'], after: 'zzz = w;' },
    { operands: ['y', 'h'], after: 'y = w;' },
    // From here on x is the new X, and h is q - X.
    {
      operands: ['r', 'r'],
      after: 'hh = field_sub(w, field_add(field_add(x, x), h)); h = field_sub_wide(x, hh); x = hh;',
    },
    { operands: ['r', 'h'], after: 'y = field_sub(w, y);' },
  ],
  add: (m, [x, y, zz, zzz], [bx, by]) => {
    const h = m.sub(m.mul(bx!, zz!), x!);
    const r = m.sub(m.mul(by!, zzz!), y!);
    const hh = m.mul(h, h);
    const hhh = m.mul(h, hh);
    const q = m.mul(x!, hh);
    const sumX = m.sub(m.mul(r, r), m.add(m.add(q, q), hhh));
    return [sumX, m.sub(m.mul(r, m.sub(q, sumX)), m.mul(y!, hhh)), m.mul(zz!, hh), m.mul(zzz!, hhh)];
  },
};

/**
 * XYZZ with Y = r (q - X) - y h^3 as a sum of two products with one reduction. So Y < ((9.1 * 9.2 + 4 * 1.4) / 84 + 1)
 * p < 2.1 p on BN254, and `field_sub`, which adds 4 p, is enough to negate y.
 */
export const XYZZ_PAIR: Formula = {
  ...XYZZ,
  name: 'XYZZ, Y by a pair',
  steps: [
    ...XYZZ.steps.slice(0, 7),
    { operands: ['r', 'r'], after: 'hh = field_sub(w, field_add(field_add(x, x), h));' },
    { operands: ['r', 'field_sub_wide(x, hh)', 'h', 'field_sub(Field(), y)'], after: 'x = hh; y = w;' },
  ],
};

/** XYZZ_PAIR with `field_sqr` where a number is multiplied by itself. */
export const XYZZ_SQUARES: Formula = {
  ...XYZZ_PAIR,
  name: 'XYZZ, Y by a pair, squares',
  steps: XYZZ_PAIR.steps.map((step) =>
    step.operands.length === 2 && step.operands[0] === step.operands[1]
      ? { ...step, operands: step.operands.slice(1) }
      : step,
  ),
};

/**
 * XYZZ in the shipped shaders for products of bytes (shaders/point/weierstrass-bytes.wgsl), where bases have another
 * Montgomery form than the products. Their coordinates are `factor` times as large, which is a square u^2: the sum's
 * second coordinate is Y / u, and r / u takes the place of r.
 */
export const xyzzByBytes = (factor: bigint): Formula => ({
  ...XYZZ,
  name: 'XYZZ, bytes',
  add: (m, [x, y, zz, zzz], [bx, by]) => {
    const h = m.sub(m.mul(bx!, zz!), x!);
    const r = m.sub(m.mul(by!, zzz!), y!);
    const hh = m.mul(h, h);
    const hhh = m.mul(h, hh);
    const q = m.mul(x!, hh);
    const sumX = m.sub(factor * m.mul(r, r), m.add(m.add(q, q), hhh));
    return [sumX, m.sub(m.mul(r, m.sub(q, sumX)), m.mul(y!, hhh)), m.mul(zz!, hh), m.mul(zzz!, hhh)];
  },
});

/**
 * Extended twisted Edwards coordinates, 7M, as in shaders/point/edwards.wgsl. A packed point is (Y - X, Y + X, 2 d X
 * Y).
 */
export const EDWARDS: Formula = {
  name: 'Edwards',
  baseCoordinates: 3,
  products: 7,
  sum: ['x', 'y', 'z', 't'],
  start: [0, 1, 2, 0],
  temporaries: ['e', 'f', 'g', 'h'],
  steps: [
    { operands: ['base_coordinate(at, 0u)', 'field_sub(y, x)'], after: 'e = w;' },
    { operands: ['base_coordinate(at, 1u)', 'field_add(y, x)'], after: 'h = field_add(w, e); e = field_sub(w, e);' },
    {
      operands: ['base_coordinate(at, 2u)', 't'],
      after: 'z = field_add(z, z); f = field_sub(z, w); g = field_add(z, w);',
    },
    { operands: ['e', 'f'], after: 'x = w;' },
    { operands: ['g', 'h'], after: 'y = w;' },
    { operands: ['f', 'g'], after: 'z = w;' },
    { operands: ['e', 'h'], after: 't = w;' },
  ],
  add: (m, [x, y, z, t], [minus, plus, baseT]) => {
    const u = m.mul(m.sub(y!, x!), minus!);
    const v = m.mul(m.add(y!, x!), plus!);
    const c = m.mul(t!, baseT!);
    const d = m.add(z!, z!);
    const [e, f, g, h] = [m.sub(v, u), m.sub(d, c), m.add(d, c), m.add(v, u)];
    return [m.mul(e, f), m.mul(g, h), m.mul(f, g), m.mul(e, h)];
  },
};

/**
 * Edwards in the shipped shaders for products of bytes (shaders/point/edwards-bytes.wgsl), where bases have another
 * Montgomery form than the products. Their coordinates are `factor` times as large, so Z is multiplied by it, too.
 */
export const edwardsByBytes = (factor: bigint): Formula => ({
  ...EDWARDS,
  name: 'Edwards, bytes',
  add: (m, [x, y, z, t], base) => EDWARDS.add(m, [x!, y!, factor * z!, t!], base),
});
