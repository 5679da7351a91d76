import type { CurveParameters } from '../../sdk/curves/index.js';
import { inverse } from '../../sdk/field/modular.js';
import type { GeneratedFile } from './generated-file.js';
import { bitsOf } from './lane-columns.js';
import { balancedLimbs, LANE_LIMB_BITS, type LaneFacts, laneFacts, nearestZero } from './lane-facts.js';
import { body, range } from './wasm-field-facts.js';
import { type Constant, laneMultiplyBody, laneMultiplySumBody, laneSquareBody } from './wasm-lane-products.js';
import { laneMultiplesBody, lanePackBody, laneReducedBody, laneSumBody, unpackedLaneLimb } from './wasm-lane-sums.js';

/** The AssemblyScript module of a curve's coordinate field in lanes of f64x2. */
export function generateWasmLanes(curve: CurveParameters): GeneratedFile[] {
  return [
    {
      path: `wasm/generated/${curve.id}-fq-lanes.ts`,
      text: laneModule('FqLanes', curve.fq.name, laneFacts(curve.fq), curve.g2 !== undefined),
    },
  ];
}

/** @param extended whether the module multiplies in the quadratic extension as well. */
function laneModule(name: string, field: string, facts: LaneFacts, extended: boolean): string {
  const { limbs, words, p, r } = facts;
  const pool = new Map<bigint, string>();
  const constant: Constant = (bits) => {
    const unsigned = BigInt.asUintN(64, bits);
    let found = pool.get(unsigned);
    if (found === undefined) {
      found = `K${pool.size}`;
      pool.set(unsigned, found);
    }
    return `v128.load(${found})`;
  };
  const loadDoubles = (sign: string): string[] =>
    range(limbs).map((j) => `v128.store(r, ${sign.replace('*', gather(j))}, ${16 * j});`);
  const one = nearestZero(r, p);
  // Half of p for each folded limb, and a multiple of p below half a limb (see productBody).
  const remainder = `${(limbs - 1) / 4 + 0.5} p`;
  const methods = `  /** Bytes of two elements in lanes. */
  get size(): usize { return ${16 * limbs}; }

  /** Bytes of one element by itself. */
  get elementSize(): usize { return ${8 * limbs}; }

  /** Bytes of one element in its packed form. */
  get packedSize(): usize { return ${4 * words}; }

  /** r = a b / R: |r| < ${remainder} + |a b| / R. |a_i b_j| <= 2^103. */
  mul(r: usize, a: usize, b: usize): void {
${laneMultiplyBody(facts, constant)}
  }

  /** r = a a / R: |r| < ${remainder} + a a / R. |a_i| <= 2^51. */
  sqr(r: usize, a: usize): void {
${laneSquareBody(facts, constant)}
  }
${
  extended
    ? `
  /** r = (a b + c d) / R: |r| < ${remainder} + |a b + c d| / R. |a_i b_j|, |c_i d_j| <= 2^103. */
  mulSum(r: usize, a: usize, b: usize, c: usize, d: usize): void {
${laneMultiplySumBody(facts, constant)}
  }
`
    : ''
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

${packedMethods(facts, constant)}`;
  const constants = [...pool].map(
    ([bits, found]) => `const ${found}: usize = memory.data<u64>([${hex(bits)}, ${hex(bits)}], 16);`,
  );
  return `// Generated by \`npm run generate\` from sdk/curves; do not edit.
// ${field} twice: ${limbs} limbs of ${LANE_LIMB_BITS} bits and a sign in f64x2, lowest first, in Montgomery form with R = 2^${limbs * LANE_LIMB_BITS}.
// Limb i of the first element is in the low lane of vector i, that of the second in the high one. Products of limbs are split by
// fused multiply-adds (Emmart, Zheng, Weems, "Faster modular exponentiation using double precision floating point arithmetic on
// the GPU", ARITH 2018): h = -(HIGH + a b rounded to a multiple of 2^52), l = LOW + the rest of a b, HIGH = 1.5 2^104, LOW = 1.5 2^52.
// The bits of h and l as integers count what they add to two columns; each column starts from what makes the patterns of HIGH and
// LOW cancel. For |a b| <= 2^103 h lies between -2^105 and -2^104, and |rest| <= 2^51. A column gets less than 64 such terms, so it
// stays below 2^57. What is called normalised has limbs up to 2^51 (the highest, as it comes); what is reduced, |a| < 0.51 p as well.

${constants.join('\n')}
${packedConstants(facts)}
@unmanaged
export class ${name} {
${methods}
}
`;
}

/** Whether elements in packed form have another R than those in lanes. */
function convertsPacked({ r, packedR }: LaneFacts): boolean {
  return r !== packedR;
}

/** The methods on packed elements: integers in 64-bit words as they are, and by a product more where R is another. */
function packedMethods(facts: LaneFacts, constant: Constant): string {
  const load = body([
    ...range(facts.words / 2).map((j) => `const w${j} = ${gather(j)};`),
    laneReducedBody(facts, constant, (j) => unpackedLaneLimb(facts, constant, j)).trimStart(),
  ]);
  const store = lanePackBody(facts, constant);
  if (!convertsPacked(facts)) {
    return `  /** Two elements from their packed form, reduced. */
  loadPacked(r: usize, x: usize, y: usize): void {
${load}
  }

  /** Reduced elements to their packed form, though between 0 and 2p. */
  storePacked(x: usize, y: usize, a: usize): void {
${store}
  }`;
  }
  return `  /** The limbs of two packed integers as they are, reduced. */
  loadPlain(r: usize, x: usize, y: usize): void {
${load}
  }

  /** Two elements from their packed form, reduced. */
  loadPacked(r: usize, x: usize, y: usize): void {
    this.loadPlain(r, x, y);
    this.mul(r, r, FROM_PACKED);
    this.reduce(r, r);
  }

  /** Reduced elements to their packed form, though between 0 and 2p. */
  storePacked(x: usize, y: usize, a: usize): void {
    this.mul(SCRATCH, a, TO_PACKED);
    this.reduce(SCRATCH, SCRATCH);
    this.storePlain(x, y, SCRATCH);
  }

  private storePlain(x: usize, y: usize, a: usize): void {
${store}
  }`;
}

function packedConstants(facts: LaneFacts): string {
  if (!convertsPacked(facts)) return '';
  const { p, r, packedR, limbs } = facts;
  return `const FROM_PACKED: usize = ${laneElement(r * r * inverse(packedR, p), facts)};
const TO_PACKED: usize = ${laneElement(packedR, facts)};
const SCRATCH: usize = memory.data(${16 * limbs}, 16);
`;
}

/** Text of the address of an element in both lanes. */
export function laneElement(value: bigint, { p, limbs }: LaneFacts): string {
  const bits = balancedLimbs(nearestZero(value, p), limbs).map((limb) => hex(bitsOf(Number(limb))));
  return `memory.data<u64>([${bits.flatMap((limb) => [limb, limb]).join(', ')}], 16)`;
}

/** Text of the vector of one word each of x and y. */
function gather(j: number): string {
  return `v128.load64_lane(y, v128.load64_zero(x, ${8 * j}), 1, ${8 * j})`;
}

function hex(bits: bigint): string {
  return `0x${bits.toString(16)}`;
}
