import { fromLimbs, toLimbs } from '../../../sdk/curves/limbs.js';
import { mod } from '../../../sdk/curves/modular.js';
import { highestLimb, onesBelow, randomBelow } from './biased.js';
import { BYTE_PRELUDE, bytePair, byteProduct, byteSquare } from './byte-product.js';
import { ciosPair, ciosProduct, type PerTurn, perTurnName } from './cios.js';
import { dedicatedSquare, karatsubaProduct, scanningProduct } from './column-products.js';
import type { Contender, Sizes } from './contender.js';
import { type FieldShape, MontgomeryReference, withLimbs } from './field-shape.js';
import { FLOAT_LIMB_BITS, floatBits, floatOfBits, floatProduct } from './float-product.js';
import { signedProduct, toSignedLimbs, WIDE } from './signed.js';
import { declarations, keep, repeat, WORKGROUP } from './wgsl.js';

/** Products alone: each thread computes one chain, in which every product depends on the one before. */

/** One step of a chain: what it does with the operands a, b, c, d, in WGSL and in BigInt. */
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

const SQUARE: Link = {
  products: 1,
  wgsl: 'a = field_sqr(a);',
  next: (m, [a, b, c, d]) => [m.mul(a!, a!), b!, c!, d!],
};

const PAIR: Link = {
  products: 2,
  wgsl: 'let next = field_mul_pair(a, b, c, d); c = a; a = next;',
  next: (m, [a, b, c, d]) => [m.add(m.mul(a!, b!), m.mul(c!, d!)), b!, a!, d!],
};

/** The number of sets of operands, a power of two. Thread t takes set t modulo this number. */
const CASES = 256;

/**
 * Operands are below BOUND p, about as in point additions, where they are below 9.3 p. Where BOUND p is not below R /
 * 2, operands are below R / 2 instead, or below R / 4 for pairs.
 */
const BOUND = 9n;

/** One implementation of a product, a square or a sum of two products. */
interface Variant {
  readonly name: string;
  readonly shape: FieldShape;
  /** WGSL that must precede all other code, if there is any. */
  readonly directives?: string;
  readonly hardwareOnly?: string;
  readonly code: string;
  readonly link?: Link;
  /** How a value is cut into limbs, if they are signed; and how a limb is stored in a word and read from it. */
  readonly toLimbs?: (value: bigint) => number[];
  readonly toWord?: (limb: number) => number;
  readonly fromWord?: (word: number) => number;
  /** Limbs of pairs of operands, as large as the product allows. */
  readonly wide?: readonly (readonly [number[], number[]])[];
}

export function productChains(shape: FieldShape, sizes: Sizes): Contender[] {
  const perTurns: PerTurn[] = [1, 2, 3, 4, 5, 10, 'unrolled'];
  const fitting = perTurns.filter((perTurn) => perTurn === 'unrolled' || shape.limbs % perTurn === 0);
  const pairTurns = shape.limbs === 20 ? [1, 2, 5] : [1, 3, 5];
  const variants: Variant[] = [
    ...fitting.map((perTurn) => ({ name: perTurnName(perTurn), shape, code: ciosProduct(shape, perTurn) })),
    ...pairTurns.map((perTurn) => ({
      name: `pair, ${perTurnName(perTurn)}`,
      shape,
      code: ciosPair(shape, perTurn),
      link: PAIR,
    })),
    ...fitting.map((perTurn) => signed(shape, perTurn)),
    ...([2, 5, 'unrolled'] as const).flatMap((perTurn) => [
      { name: `square, ${perTurnName(perTurn)}`, shape, code: dedicatedSquare(shape, perTurn), link: SQUARE },
      { name: `Karatsuba, ${perTurnName(perTurn)}`, shape, code: karatsubaProduct(shape, perTurn) },
    ]),
    ...[13, 14].map((bits) => ({
      name: `scanning, ${bits} bits`,
      shape: withLimbs(shape, bits),
      code: scanningProduct(withLimbs(shape, bits)),
    })),
    ...([1, 2, 3, 'unrolled'] as const).map((perTurn) => ({
      name: `f32, 22 bits, ${perTurnName(perTurn)}`,
      shape: withLimbs(shape, FLOAT_LIMB_BITS),
      code: floatProduct(withLimbs(shape, FLOAT_LIMB_BITS), perTurn),
      toWord: floatBits,
      fromWord: floatOfBits,
      hardwareOnly: 'they round the product within a fused multiply-add',
    })),
    ...bytes(shape),
  ];
  return variants.map((variant) => chain(variant, sizes));
}

/** Products of bytes, by `dot4U8Packed`. */
function bytes(shape: FieldShape): Variant[] {
  const inWords = withLimbs(shape, 32);
  const perTurns = [1, 2, 4, 'unrolled'] as const;
  const ways = [
    { name: 'bytes', product: byteProduct, link: PRODUCT },
    { name: 'bytes, pair', product: bytePair, link: PAIR },
    { name: 'bytes, square', product: byteSquare, link: SQUARE },
  ];
  return ways.flatMap(({ name, product, link }) =>
    perTurns.map((perTurn) => ({
      name: `${name}, ${perTurnName(perTurn)}`,
      shape: inWords,
      directives: BYTE_PRELUDE,
      code: product(inWords, perTurn),
      link,
      fromWord: (word: number) => word,
    })),
  );
}

function signed(shape: FieldShape, perTurn: PerTurn): Variant {
  const [a, b] = WIDE[shape.limbs as keyof typeof WIDE];
  // The highest limb is 0, so that the value is at most a few p.
  const wide = (limb: number, next = limb): number[] =>
    Array.from({ length: shape.limbs }, (_, j) => (j === shape.limbs - 1 ? 0 : j % 2 === 0 ? limb : next));
  return {
    name: `signed limbs, ${perTurnName(perTurn)}`,
    shape,
    code: signedProduct(shape, perTurn),
    toLimbs: (value) => toSignedLimbs(shape, value),
    wide: [
      [wide(a), wide(b)],
      [wide(-a), wide(b)],
      [wide(a, -a), wide(b, -b)],
      [wide(-b), wide(a, -a)],
    ],
  };
}

function chain(variant: Variant, sizes: Sizes): Contender {
  const { name, shape, directives = '', code, link = PRODUCT } = variant;
  const { toWord = (limb) => limb, fromWord = (word) => word | 0 } = variant;
  const { curve, p, limbs, limbBits } = shape;
  const cases = operands(variant);
  const values = cases.map((operands) => operands.map((operand) => mod(fromLimbs(operand, limbBits), p)));
  const operand = (k: number): string =>
    `Field(array<u32, ${limbs}>(${repeat(limbs, (j) => `input[at + ${k * limbs + j}u]`).join(', ')}))`;
  return {
    curve,
    work: 'product',
    name,
    ...(variant.hardwareOnly === undefined ? {} : { hardwareOnly: variant.hardwareOnly }),
    code: `${directives}${declarations(shape)}
${code}
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
    input: Uint32Array.from(cases.flat(2), toWord),
    params: { limbs, count: sizes.products },
    threads: sizes.productThreads,
    kept: CASES,
    keptWords: limbs,
    products: sizes.products * link.products,
    additions: 0,
    check: (kept) => {
      const reference = new MontgomeryReference(shape);
      values.forEach((start, t) => {
        let expected: readonly bigint[] = start;
        for (let k = 0; k < sizes.products; k++) expected = link.next(reference, expected);
        const words = Array.from(kept.subarray(t * limbs, (t + 1) * limbs), fromWord);
        const got = mod(fromLimbs(words, limbBits), p);
        if (got !== expected[0]) throw new Error(`thread ${t}: expected ${expected[0]}, got ${got}`);
      });
    },
  };
}

/**
 * Sets of operands in limbs. First a and b are all pairs of extreme values, with others as c and d; then `wide`; then
 * random values.
 */
function operands({ shape, wide = [], toLimbs: cut, link = PRODUCT }: Variant): number[][][] {
  const { p, r, limbs, limbBits } = shape;
  const limbsOf = (value: bigint): number[] => cut?.(value) ?? toLimbs(value, limbs, limbBits);
  const bound = r > 2n * BOUND * p ? BOUND * p : r / BigInt(2 * link.products);
  const ones = [onesBelow(p, limbBits), onesBelow(bound, limbBits), highestLimb(p, limbBits) - 1n];
  const extremes = [0n, 1n, p - 1n, p, bound - 1n, ...ones].map(limbsOf);
  const below = randomBelow(bound);
  const random = (): number[] => limbsOf(below());
  return Array.from({ length: CASES }, (_, i) => {
    const a = extremes[i >> 3];
    const b = extremes[i & 7]!;
    if (a !== undefined) return [a, b, b, extremes[(i * 5) & 7]!];
    return [...(wide[i - extremes.length ** 2] ?? [random(), random()]), random(), random()];
  });
}
