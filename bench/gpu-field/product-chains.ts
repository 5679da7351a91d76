import { fromLimbs, toLimbs } from '../../sdk/field/limbs.js';
import { highestLimb, onesBelow, randomBelow } from './biased.js';
import { ciosPair, ciosProduct, type PerTurn, perTurnName } from './cios.js';
import type { Contender, Sizes } from './contender.js';
import { type FieldShape, MontgomeryReference } from './field-shape.js';
import { declarations, keep, repeat, WORKGROUP } from './wgsl.js';

/** Products alone: one dependent chain a thread. */

/** What one turn of a chain does with its operands a, b, c, d, in WGSL and in BigInt. */
interface Link {
  readonly products: number;
  readonly wgsl: string;
  readonly next: (m: MontgomeryReference, operands: readonly bigint[]) => bigint[];
}

const PRODUCT: Link = {
  products: 1,
  wgsl: 'a = field_mul(a, b);',
  next: (m, [a, b, c, d]) => [m.mul(a!, b!), b!, c!, d!],
};

const PAIR: Link = {
  products: 2,
  wgsl: 'let next = field_mul_pair(a, b, c, d); c = a; a = next;',
  next: (m, [a, b, c, d]) => [m.add(m.mul(a!, b!), m.mul(c!, d!)), b!, a!, d!],
};

/** Different sets of operands; the threads take them in turn. A power of two. */
const CASES = 256;

/** Operands stay below this many p: what additions give to a product is below 9.3 p. */
const BOUND = 9n;

export function productChains(shape: FieldShape, sizes: Sizes): Contender[] {
  const perTurns: PerTurn[] = [1, 2, 3, 4, 5, 10, 'unrolled'];
  const fitting = perTurns.filter((perTurn) => perTurn === 'unrolled' || shape.limbs % perTurn === 0);
  const pairTurns = shape.limbs === 20 ? [1, 2, 5] : [1, 3, 5];
  return [
    ...fitting.map((perTurn) => chain(perTurnName(perTurn), shape, ciosProduct(shape, perTurn), PRODUCT, sizes)),
    ...pairTurns.map((perTurn) => chain(`pair, ${perTurnName(perTurn)}`, shape, ciosPair(shape, perTurn), PAIR, sizes)),
  ];
}

function chain(name: string, shape: FieldShape, product: string, link: Link, sizes: Sizes): Contender {
  const { limbs, limbBits } = shape;
  const cases = operands(shape);
  const operand = (k: number): string =>
    `Field(array<u32, ${limbs}>(${repeat(limbs, (j) => `input[at + ${k * limbs + j}u]`).join(', ')}))`;
  return {
    curve: shape.curve,
    work: 'product',
    name,
    code: `${declarations(shape)}
${product}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let thread = id.x;
  let at = (thread % ${CASES}u) * ${4 * limbs}u;
  var a = ${operand(0)};
  var b = ${operand(1)};
  var c = ${operand(2)};
  var d = ${operand(3)};
  for (var k = 0u; k < params.count; k++) {
    ${link.wgsl}
  }
${keep(['a'], limbs)}}
`,
    input: Uint32Array.from(cases.flatMap((values) => values.flatMap((value) => toLimbs(value, limbs, limbBits)))),
    params: { limbs, count: sizes.products },
    threads: sizes.productThreads,
    kept: CASES,
    keptWords: limbs,
    products: sizes.products * link.products,
    additions: 0,
    check: (kept) => {
      const reference = new MontgomeryReference(shape);
      cases.forEach((values, t) => {
        let expected: readonly bigint[] = values;
        for (let k = 0; k < sizes.products; k++) expected = link.next(reference, expected);
        const got = fromLimbs(kept.subarray(t * limbs, (t + 1) * limbs), limbBits);
        if (got % shape.p !== expected[0])
          throw new Error(`thread ${t}: expected ${expected[0]}, got ${got % shape.p}`);
      });
    },
  };
}

/** All pairs of extreme values as a and b, with others as c and d; then random values. */
function operands({ p, limbBits }: FieldShape): bigint[][] {
  const ones = [onesBelow(p, limbBits), onesBelow(BOUND * p, limbBits), highestLimb(p, limbBits) - 1n];
  const extremes = [0n, 1n, p - 1n, p, BOUND * p - 1n, ...ones];
  const random = randomBelow(BOUND * p);
  return Array.from({ length: CASES }, (_, i) => {
    const a = extremes[i >> 3];
    const b = extremes[i & 7]!;
    return a === undefined ? [random(), random(), random(), random()] : [a, b, b, extremes[(i * 5) & 7]!];
  });
}
