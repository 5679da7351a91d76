import { fromLimbs, toLimbs } from '../../../sdk/curves/limbs.js';
import { onesBelow, randomBelow } from './biased.js';
import { ciosProduct } from './cios.js';
import type { Contender, Sizes } from './contender.js';
import { type FieldShape, MontgomeryReference } from './field-shape.js';
import { canonical, fermat, type Inversion, safegcd } from './inversions.js';
import { declarations, keep, repeat, WORKGROUP } from './wgsl.js';

/** Inversions alone: each thread computes one chain, in which a product follows each inversion. */

/** The number of sets of operands. Thread t takes set t modulo this number. */
const CASES = 256;

/**
 * Limbs that one iteration of the product's loop takes, for each number of limbs: the choice that is fast in whole
 * additions.
 */
const PER_TURN = { 20: 4, 30: 3 } as const;

export function inversionChains(shape: FieldShape, sizes: Sizes): Contender[] {
  return [safegcd(shape), fermat(shape)].map((inversion) => chain(shape, inversion, sizes));
}

function chain(shape: FieldShape, { name, code, params }: Inversion, sizes: Sizes): Contender {
  const { limbs, limbBits } = shape;
  const cases = operands(shape);
  const operand = (k: number): string =>
    `Field(array<u32, ${limbs}>(${repeat(limbs, (j) => `input[at + ${k * limbs + j}u]`).join(', ')}))`;
  return {
    curve: shape.curve,
    work: 'inversion',
    name,
    code: `${declarations(shape)}
${ciosProduct(shape, PER_TURN[limbs as keyof typeof PER_TURN])}
${canonical(shape)}
${code}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let thread = id.x;
  let at = (thread % ${CASES}u) * ${2 * limbs}u;
  var a = ${operand(0)};
  var b = ${operand(1)};
  for (var k = 0u; k < params.count; k++) {
    let next = field_mul(field_inv(a), b);
    b = a;
    a = next;
  }
${keep(['a'], limbs)}}
`,
    input: Uint32Array.from(cases.flatMap((values) => values.flatMap((value) => toLimbs(value, limbs, limbBits)))),
    params: { limbs, count: sizes.inversions, ...params },
    threads: sizes.productThreads,
    kept: CASES,
    keptWords: limbs,
    products: 0,
    additions: 0,
    inversions: sizes.inversions,
    check: (kept) => {
      const reference = new MontgomeryReference(shape);
      cases.forEach(([first, second], t) => {
        let [a, b] = [first!, second!];
        for (let k = 0; k < sizes.inversions; k++) [a, b] = [reference.mul(reference.inv(a), b), a];
        const got = fromLimbs(kept.subarray(t * limbs, (t + 1) * limbs), limbBits) % shape.p;
        if (got !== a) throw new Error(`thread ${t}: expected ${a}, got ${got}`);
      });
    },
  };
}

/**
 * Pairs of operands. The first ones are extreme values, then powers of 2, then random values; the second ones are
 * random.
 */
function operands({ p, r, limbBits }: FieldShape): bigint[][] {
  const multiples = [1n, 2n, 9n].map((k) => k * p);
  const extremes = [0n, 1n, 2n, r - 1n, ...multiples.flatMap((k) => [k - 1n, k, k + 1n, onesBelow(k, limbBits)])];
  const powers = Array.from({ length: 32 }, (_, i) => 1n << BigInt(8 * i));
  const values = [...extremes, ...powers];
  const random = randomBelow(9n * p);
  return Array.from({ length: CASES }, (_, i) => [values[i] ?? random(), random()]);
}
