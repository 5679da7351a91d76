import type { ScalarFieldParameters } from '../../../sdk/curves/index.js';
import { fieldName } from '../bounds.js';
import { body, range } from './field-facts.js';
import { checkTransformBounds } from './lane-bounds.js';
import {
  laneButterflyBody,
  laneExchangeBody,
  lanePlainButterflyBody,
  laneScaleBody,
  laneStoreBody,
} from './lane-butterflies.js';
import { LaneConstants } from './lane-constants.js';
import { balancedLimbs, laneFacts, nearestZero } from './lane-facts.js';
import { laneMultiplyBody } from './lane-products.js';
import { laneReducedBody, laneSumBody, unpackedLaneLimb } from './lane-sums.js';

/** The AssemblyScript module of a scalar field in lanes of f64x2: what transforms need of it. */
export function laneTransformModule(name: string, field: ScalarFieldParameters): string {
  const facts = laneFacts(field);
  checkTransformBounds(facts);
  const { limbs, limbBits, words, p, r } = facts;
  const constants = new LaneConstants();
  const constant = constants.load;
  const size = 16 * limbs;
  const apart = (offset: number): string => `v128.load64_lane(y, v128.load64_zero(x, ${offset}), 1, ${offset})`;
  const unpack = (finish: (j: number, limb: string) => string): string[] => [
    ...range(words / 2).map(
      (w) => `const w${w} = v128.load64_lane(source, v128.load64_zero(source, ${8 * w}), 1, ${8 * w + 4 * words});`,
    ),
    ...range(limbs).map((j) => finish(j, unpackedLaneLimb(facts, constant, j))),
  ];
  /** An element by itself in memory, normalised, the same in both lanes. */
  const element = (value: bigint): string => {
    return balancedLimbs(nearestZero(value, p), limbs, limbBits)
      .flatMap((limb) => [Number(limb), Number(limb)])
      .map((limb) => `${limb}.0`)
      .join(', ');
  };
  const row = (i: number): bigint => 1n << BigInt(limbBits * (i + 1));
  const methods = `  /** Elements side by side in a vector. */
  get lanes(): i32 { return 2; }

  /** Bytes of a vector of elements. */
  get size(): usize { return ${size}; }

  /** Bytes of a vector of spread factors. */
  get spreadSize(): usize { return ${size * limbs}; }

  /** Loads two canonical integers that follow each other, without conversion to Montgomery form: limbs from 0 to 2^52 - 1. */
  load(r: usize, source: usize): void {
${body(unpack((j, limb) => `v128.store(r, ${limb}, ${16 * j});`))}
  }

  /** Two elements as canonical integers that follow each other: |a| < 84 p, |a_i| <= 1.5 2^52. */
  store(target: usize, a: usize): void {
${laneStoreBody(facts, constant)}
  }

  /** The same as \`store\`, under the name that the i64 form uses for elements below 2 p. */
  @inline storePlain(target: usize, a: usize): void { this.store(target, a); }

  /** The elements at x and y, which may be in any lane of a vector. */
  gather(r: usize, x: usize, y: usize): void {
${body(range(limbs).map((j) => `v128.store(r, ${apart(16 * j)}, ${16 * j});`))}
  }

  /** (x0, x1), (y0, y1) to (x0, y0), (x1, y1). */
  exchange(x: usize, y: usize): void {
${laneExchangeBody(facts)}
  }

  /** r = a b / R: |r| < 1.5 p + |a b| / R. |a_i b_j| <= 2^103. */
  mul(r: usize, a: usize, b: usize): void {
${laneMultiplyBody(facts, constant)}
  }

  /** r = a - b, nothing carried. */
  sub(r: usize, a: usize, b: usize): void {
${laneSumBody(facts, 'sub')}
  }

  /** Brings |a| <= 3.5 p, its limbs up to 2^53, to |r| < 0.51 p with |r_i| <= 2^51. */
  reduce(r: usize, a: usize): void {
${laneReducedBody(facts, constant, (j) => `v128.load(a, ${16 * j})`)}
  }

  /** r = a times a spread factor: |r| < 2.6 p + |a| / 160. |a_i| <= 2^52. */
  scale(r: usize, a: usize, factor: usize): void {
${laneScaleBody(facts, constant)}
  }

  /** r = a R: what \`mul\` then takes for one of its operands. |a_i| <= 2^52. */
  toMontgomery(r: usize, a: usize): void {
    this.scale(r, a, MONTGOMERY);
  }

  /** A vector of factors in Montgomery form, from canonical integers. */
  loadFactor(r: usize, source: usize): void {
    this.load(r, source);
    this.toMontgomery(r, r);
    this.reduce(r, r);
  }

  /** r = a b for factors in Montgomery form. */
  mulFactors(r: usize, a: usize, b: usize): void {
    this.mul(r, a, b);
    this.reduce(r, r);
  }

  /** Spreads a vector of factors in Montgomery form: row i is the factor times 2^(52 (i + 1)), reduced. */
  spread(r: usize, a: usize): void {
    for (let i: usize = 0; i < ${limbs}; i++) this.mulFactors(r + i * ${size}, a, ROWS + i * ${size});
  }

  /** x, y = x + y, x - y: |x_i|, |y_i| <= 1.5 2^52 before, <= 2^52 after. */
  butterfly(x: usize, y: usize): void {
${lanePlainButterflyBody(facts, constant)}
  }

  /**
   * x, y = x + factor y, x - factor y, the factors in Montgomery form, one a lane. |x_i|, |y_i| <= 2^52, before and
   * after; |factor y| < 1.5 p + |y| / 160.
   */
  butterflyMontgomery(x: usize, y: usize, factor: usize): void {
${laneButterflyBody(facts, constant, 'montgomery', 'v128.load')}
  }

  /** The same with one factor for both lanes, which may be in any lane of a vector. */
  butterflyMontgomeryBoth(x: usize, y: usize, factor: usize): void {
${laneButterflyBody(facts, constant, 'montgomery', 'v128.load64_splat')}
  }

  /** The same with spread factors, one a lane: |factor y| < 2.6 p + |y| / 160. */
  butterflySpread(x: usize, y: usize, factor: usize): void {
${laneButterflyBody(facts, constant, 'spread', 'v128.load')}
  }

  /** The same with one spread factor for both lanes. */
  butterflySpreadBoth(x: usize, y: usize, factor: usize): void {
${laneButterflyBody(facts, constant, 'spread', 'v128.load64_splat')}
  }`;
  return `// ${fieldName(field)} twice, for transforms: lanes and products as in the module of the curve's other field.
//
// Only factors are in Montgomery form, elements are not, so that a product with a factor needs no conversion. Nothing
// is reduced between butterflies. With |x|, |y| < b a butterfly gives less than (1 + 1/160) b + 2.6 p: from 8 p, which the three stages
// without products leave at most, that is 80 p after 25 more stages, and from a scaled element's 3.2 p 80 p after 27. All limbs are at most
// 2^52, but the highest, which is below that for |a| < 84 p; it fits a product as any other.

const MONTGOMERY: usize = memory.data<f64>([${range(limbs)
    .map((i) => element(r * row(i)))
    .join(', ')}], 16);
const ROWS: usize = memory.data<f64>([${range(limbs)
    .map((i) => element(row(i)))
    .join(', ')}], 16);
${constants.toText()}

@unmanaged
export class ${name} {
${methods}
}
`;
}
