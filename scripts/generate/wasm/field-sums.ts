import { toLimbs, WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { body, type Facts, MASK, range } from './field-facts.js';

export interface Operand {
  readonly name: string;
  readonly negative: boolean;
}

export const plus = (name: string): Operand => ({ name, negative: false });
export const minus = (name: string): Operand => ({ name, negative: true });

/**
 * Reduces a sum v of elements below 2p, with signs, to less than 2p in one pass. The multiple of p to add is determined
 * from the highest limbs before any carry. They give v / p up to one part in 2^13 for each operand, and k is chosen so
 * that v + k p is between p/2 and 3p/2 (or between 0 and 2p if v is at the end of its range), far enough from 0 and 2p.
 */
export function signedSumBody(facts: Facts, operands: readonly Operand[]): string {
  const { p, limbs } = facts;
  const lowest = headLimb(facts);
  const unit = 1n << BigInt(lowest * WASM_LIMB_BITS);
  const term = (j: number): string =>
    operands
      .map(
        ({ name, negative }, i) =>
          `${i === 0 ? (negative ? '-' : '') : negative ? ' - ' : ' + '}<i32>load<u32>(${name}, ${4 * j})`,
      )
      .join('');
  const wide = headNeeds64Bits(facts);
  const lines = [`let head: ${wide ? 'i64' : 'i32'} = ${term(lowest)};`];
  for (let j = lowest + 1; j < limbs; j++) {
    lines.push(`head += ${wide ? '<i64>' : ''}(${term(j)}) << ${(j - lowest) * WASM_LIMB_BITS};`);
  }
  const highest = 2 * operands.filter(({ negative }) => !negative).length;
  const lowestMultiple = -2 * operands.filter(({ negative }) => negative).length;
  // The sum lies between lowestMultiple p and highest p; k from 2 - highest to -lowestMultiple brings it to 0..2p.
  // -a alone is never positive, and takes p or 2p.
  const first = Math.min(1, 2 - highest);
  const steps: string[] = [];
  for (let k = first + 1; k <= -lowestMultiple; k++) {
    const middle = (p * BigInt(3 - 2 * k)) / (2n * unit);
    steps.push(`i32(head < ${middle})`);
  }
  const row = steps.join(' + ');
  lines.push(`const multiple = MULTIPLES + <usize>((${row} + ${first + MOST_SUBTRACTED}) * ${4 * limbs});`);
  lines.push('let c: i32 = 0;');
  for (const j of range(limbs)) {
    lines.push(`c += ${term(j)} + load<i32>(multiple, ${4 * j});`, `store<u32>(r, c & ${MASK}, ${4 * j});`);
    if (j < limbs - 1) lines.push(`c >>= ${WASM_LIMB_BITS};`);
  }
  return body(lines);
}

/** Whether the head of a sum, which lies between -4 p and 4 p, needs more than 32 bits. */
function headNeeds64Bits(facts: Facts): boolean {
  return 4n * ((facts.p >> BigInt(headLimb(facts) * WASM_LIMB_BITS)) + 2n) >= 1n << 31n;
}

/** The lowest limb of an element's head: from there on are the highest 15 bits of p or more. */
function headLimb({ p, limbs }: Facts): number {
  let limb = limbs - 1;
  while (p >> BigInt(limb * WASM_LIMB_BITS) < 1n << 15n) limb--;
  return limb;
}

/** Most and least multiples of p that the sums of elements take away. */
const MOST_SUBTRACTED = 2;
const MOST_ADDED = 4;

/** -2p, -p, 0, p, .. 4p by their limbs, negative ones with negative limbs. */
export function multiples({ p, limbs }: Facts): string {
  const rows: number[] = [];
  for (let k = -MOST_SUBTRACTED; k <= MOST_ADDED; k++) {
    const magnitude = toLimbs(p * BigInt(Math.abs(k)), limbs, WASM_LIMB_BITS);
    rows.push(...magnitude.map((limb) => (k < 0 ? 0 - limb : limb)));
  }
  return rows.join(', ');
}

/** a - p, and p again when that is negative. */
export function reduceBody(facts: Facts): string {
  const { modulusLimbs } = facts;
  const lines = addBack(facts, modulusLimbs, (j) => `<i32>load<u32>(a, ${4 * j}) - ${modulusLimbs[j]}`);
  return body(['const r = a;', ...lines]);
}

/** Stores the limb-wise difference, carried, plus \`multiple\` when the whole is negative. */
function addBack({ limbs }: Facts, multiple: readonly number[], difference: (j: number) => string): string[] {
  const lines = ['let c: i32 = 0;'];
  for (const j of range(limbs)) {
    lines.push(`c += ${difference(j)};`, `const d${j}: i32 = c & ${MASK};`, `c >>= ${WASM_LIMB_BITS};`);
  }
  // c is now -1 for a negative difference and 0 for any other: a mask.
  lines.push('const negative: i32 = c;', 'c = 0;');
  for (const j of range(limbs)) {
    lines.push(`c += d${j} + (${multiple[j]} & negative);`, `store<u32>(r, c & ${MASK}, ${4 * j});`);
    if (j < limbs - 1) lines.push(`c >>= ${WASM_LIMB_BITS};`);
  }
  return lines;
}

export function isZeroBody({ limbs, modulusLimbs }: Facts): string {
  const lines = [
    'let x: u32 = load<u32>(a);',
    `if (x != 0 && x != ${modulusLimbs[0]}) return false;`,
    `let zero: u32 = x, modulus: u32 = x ^ ${modulusLimbs[0]};`,
  ];
  for (const j of range(limbs).slice(1))
    lines.push(`x = load<u32>(a, ${4 * j});`, 'zero |= x;', `modulus |= x ^ ${modulusLimbs[j]};`);
  return body([...lines, 'return zero == 0 || modulus == 0;']);
}
