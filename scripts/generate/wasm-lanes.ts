import type { CurveParameters } from '../../sdk/curves/index.js';
import type { GeneratedFile } from './generated-file.js';
import { bitsOf } from './lane-columns.js';
import { LaneConstants } from './lane-constants.js';
import { balancedLimbs, hasLanes, LANE_LIMB_BITS, type LaneFacts, laneFacts } from './lane-facts.js';
import { body, range } from './wasm-field-facts.js';
import { laneMultiplyBody, laneMultiplySumBody, laneSquareBody } from './wasm-lane-products.js';
import { laneMultiplesBody, lanePackBody, laneReducedBody, laneSumBody, unpackedLaneLimb } from './wasm-lane-sums.js';
import { laneTransformModule } from './wasm-lane-transform.js';

/** The AssemblyScript modules of a curve's fields in lanes of f64x2, where they have that form. */
export function generateWasmLanes(curve: CurveParameters): GeneratedFile[] {
  if (!hasLanes(curve.fq)) return [];
  return [
    {
      path: `wasm/generated/${curve.id}-fq-lanes.ts`,
      text: laneModule('FqLanes', curve.fq.name, laneFacts(curve.fq)),
    },
    { path: `wasm/generated/${curve.id}-fr-lanes.ts`, text: laneTransformModule('FrLanes', curve.fr) },
  ];
}

function laneModule(name: string, field: string, facts: LaneFacts): string {
  const { limbs, words, p, r } = facts;
  const constants = new LaneConstants();
  const constant = constants.load;
  const loadDoubles = (sign: string): string[] =>
    range(limbs).map((j) => `v128.store(r, ${sign.replace('*', gather(j))}, ${16 * j});`);
  const one = r % p > p / 2n ? (r % p) - p : r % p;
  const words64 = range(words / 2).map((j) => `const w${j} = ${gather(j)};`);
  const methods = `  /** Bytes of two elements in lanes. */
  get size(): usize { return ${16 * limbs}; }

  /** Bytes of one element by itself. */
  get elementSize(): usize { return ${8 * limbs}; }

  /** Bytes of one element in its packed form. */
  get packedSize(): usize { return ${4 * words}; }

  /** r = a b / R: |r| < 1.5 p + |a b| / R. |a_i b_j| <= 2^103. */
  mul(r: usize, a: usize, b: usize): void {
${laneMultiplyBody(facts, constant)}
  }

  /** r = a a / R: |r| < 1.5 p + a a / R. |a_i| <= 2^51. */
  sqr(r: usize, a: usize): void {
${laneSquareBody(facts, constant)}
  }

  /** r = (a b + c d) / R: |r| < 1.5 p + |a b + c d| / R. |a_i b_j|, |c_i d_j| <= 2^103. */
  mulSum(r: usize, a: usize, b: usize, c: usize, d: usize): void {
${laneMultiplySumBody(facts, constant)}
  }

  /** r = a + b, nothing carried. */
  add(r: usize, a: usize, b: usize): void {
${laneSumBody(facts, 'add')}
  }

  /** r = -a. */
  neg(r: usize, a: usize): void {
${body(range(limbs).map((j) => `v128.store(r, f64x2.neg(v128.load(a, ${16 * j})), ${16 * j});`))}
  }

  /** r = a - b, nothing carried. */
  sub(r: usize, a: usize, b: usize): void {
${laneSumBody(facts, 'sub')}
  }

  /**
   * Brings |a| <= 3.5 p, its limbs up to 2^53, to |r| < 0.51 p with |r_i| <= 2^51: no more than 3 p are taken away, so that 2^51 and
   * three limbs of p in between stay below 2^53.
   */
  reduce(r: usize, a: usize): void {
${laneReducedBody(facts, constant, (j) => `v128.load(a, ${16 * j})`)}
  }

  /** r = a - b - e, reduced within the bounds of \`reduce\`. */
  sub2(r: usize, a: usize, b: usize, e: usize): void {
${laneReducedBody(facts, constant, (j) => `f64x2.sub(f64x2.sub(v128.load(a, ${16 * j}), v128.load(b, ${16 * j})), v128.load(e, ${16 * j}))`)}
  }

  /** Which lanes hold a multiple of p, as bits: for |a| < 2p, |a_i| <= 2^52. */
  multiples(a: usize): i32 {
${laneMultiplesBody(facts, constant)}
  }

  copy(r: usize, a: usize): void {
${body(range(limbs).map((j) => `v128.store(r, v128.load(a, ${16 * j}), ${16 * j});`))}
  }

  setOne(r: usize): void {
${body(balancedLimbs(one, limbs).map((limb, j) => `v128.store(r, ${constant(bitsOf(Number(limb)))}, ${16 * j});`))}
  }

  /** r = a in the lanes that \`mask\` has all bits of, b in others. */
  select(r: usize, a: usize, b: usize, mask: v128): void {
${body(range(limbs).map((j) => `v128.store(r, v128.bitselect(v128.load(a, ${16 * j}), v128.load(b, ${16 * j}), mask), ${16 * j});`))}
  }

  /** The elements at x and y, side by side. */
  load(r: usize, x: usize, y: usize): void {
${body(loadDoubles('*'))}
  }

  /** As \`load\`, with the signs turned that \`signs\` has bits of. */
  loadSigned(r: usize, x: usize, y: usize, signs: v128): void {
${body(loadDoubles('v128.xor(*, signs)'))}
  }

  /** One lane to an element by itself. */
  storeFirst(x: usize, a: usize): void {
${body(range(limbs).map((j) => `v128.store64_lane(x, v128.load(a, ${16 * j}), 0, ${8 * j});`))}
  }

  storeSecond(y: usize, a: usize): void {
${body(range(limbs).map((j) => `v128.store64_lane(y, v128.load(a, ${16 * j}), 1, ${8 * j});`))}
  }

  /** Two elements from their packed form, reduced. */
  loadPacked(r: usize, x: usize, y: usize): void {
${body(words64)}
${laneReducedBody(facts, constant, (j) => unpackedLaneLimb(facts, constant, j))}
  }

  /** Reduced elements to their packed form, though between 0 and 2p. */
  storePacked(x: usize, y: usize, a: usize): void {
${lanePackBody(facts, constant)}
  }`;
  return `// Generated by \`npm run generate\` from sdk/curves; do not edit.
// ${field} twice: ${limbs} limbs of ${LANE_LIMB_BITS} bits and a sign in f64x2, lowest first, in Montgomery form with R = 2^${limbs * LANE_LIMB_BITS}.
// Limb i of the first element is in the low lane of vector i, that of the second in the high one. Products of limbs are split by
// fused multiply-adds (Emmart, Zheng, Weems, "Faster modular exponentiation using double precision floating point arithmetic on
// the GPU", ARITH 2018): h = -(HIGH + a b rounded to a multiple of 2^52), l = LOW + the rest of a b, HIGH = 1.5 2^104, LOW = 1.5 2^52.
// The bits of h and l as integers count what they add to two columns; each column starts from what makes the patterns of HIGH and
// LOW cancel. For |a b| <= 2^103 h lies between -2^105 and -2^104, and |rest| <= 2^51. A column gets less than 64 such terms, so it
// stays below 2^57. What is called normalised has limbs up to 2^51 (the highest, as it comes); what is reduced, |a| < 0.51 p as well.

${constants.toText()}

@unmanaged
export class ${name} {
${methods}
}
`;
}

/** Text of the vector of one word each of x and y. */
function gather(j: number): string {
  return `v128.load64_lane(y, v128.load64_zero(x, ${8 * j}), 1, ${8 * j})`;
}
