import { fromLimbs } from '../../../sdk/curves/limbs.js';
import { mod } from '../../../sdk/curves/modular.js';
import { ciosProduct, type PerTurn, perTurnName } from './cios.js';
import type { Contender, Sizes } from './contender.js';
import { type FieldShape, MontgomeryReference } from './field-shape.js';
import { canonical, constant, fermat, type Inversion, safegcd, signedLimbs } from './inversions.js';
import { packedPoint, packedPoints } from './points.js';
import { signedProduct, signedSums } from './signed.js';
import { PARAMS, packedWord, repeat, sums, unpackedLimb, WORKGROUP } from './wgsl.js';

/**
 * Affine additions of independent pairs of points, which are read in random order. The pairs of a thread share one
 * inversion.
 */

/**
 * Constants that make two points of a pair's number. One of every `SAME` pairs is the same point twice; its sum is not
 * computed but 0.
 */
const FIRST = 2654435761;
const SECOND = 1664525;
const INCREMENT = 1013904223;
const SAME = 256;

/**
 * The WGSL of products and differences. `packable` makes a product fit to be packed, and `settled` an inverse fit for
 * further products.
 */
interface Arithmetic {
  readonly name: string;
  readonly code: string;
  readonly packable: (product: string) => string;
  readonly settled: (inverse: string) => string;
}

/**
 * Bounds: differences < 5 p; products < 1.1 p, but the first ones with the inverse, which is < 48 p, are < (48 * 5 / 84
 * + 1) p < 4 p.
 */
function unsigned(shape: FieldShape, perTurn: PerTurn): Arithmetic {
  return {
    name: perTurnName(perTurn),
    code: ciosProduct(shape, perTurn) + sums(shape),
    packable: (product) => product,
    settled: (inverse) => inverse,
  };
}

/**
 * Signed limbs: differences are not carried, but a number is carried before it is packed. One operand of each product
 * is a product or settled, with limbs of at most 2^12 + 1; the limbs of the other operand are below 2^13.
 */
function signed(shape: FieldShape, perTurn: PerTurn): Arithmetic {
  return {
    name: `signed, ${perTurnName(perTurn)}`,
    code: signedProduct(shape, perTurn) + signedSums(shape),
    packable: (product) => `field_canonical(${signedLimbs(shape, (j) => `${product}.v[${j}]`)})`,
    settled: (inverse) => `field_settle(${inverse})`,
  };
}

export function sharedInversions(shape: FieldShape, sizes: Sizes): Contender[] {
  const points = packedPoints(shape, sizes.points, 2);
  const [small, large]: PerTurn[] = shape.limbs === 20 ? [2, 4] : [2, 3];
  const batches = [16, 32, 64, 128];
  const plain = [unsigned(shape, small!), unsigned(shape, large!)];
  const lazy = [signed(shape, small!), signed(shape, large!)];
  const ways: [Inversion, Arithmetic[]][] = [
    [safegcd(shape), [...plain, ...lazy]],
    [fermat(shape), plain],
  ];
  return ways.flatMap(([inversion, arithmetics]) =>
    batches.flatMap((pairs) =>
      arithmetics.map((arithmetic) => contender(shape, inversion, pairs, arithmetic, points, sizes)),
    ),
  );
}

function contender(
  shape: FieldShape,
  inversion: Inversion,
  pairs: number,
  arithmetic: Arithmetic,
  points: Uint32Array<ArrayBuffer>,
  sizes: Sizes,
): Contender {
  const threads = Math.max(WORKGROUP, sizes.pairs / pairs);
  return {
    curve: shape.curve,
    work: 'addition',
    name: `affine, ${pairs} per ${inversion.name}: ${arithmetic.name}`,
    code: kernel(shape, inversion, arithmetic),
    input: points,
    params: { limbs: shape.limbs, count: pairs, pointMask: sizes.points - 1, ...inversion.params },
    threads,
    scratchWords: threads * pairs * shape.words,
    outputWords: threads * pairs * 2 * shape.words,
    kept: WORKGROUP,
    keptWords: pairs * 2 * shape.words,
    products: 6 * pairs,
    additions: pairs,
    check: (kept) => checkSums(shape, sizes, points, kept),
  };
}

/**
 * The sums of a workgroup are stored together: first one sum of each thread, then the next one of each. The running
 * products are stored in the same order, but split into vectors of four words: the first vector of each thread, then
 * the second. Every coordinate of a point is below p.
 */
function kernel(shape: FieldShape, inversion: Inversion, arithmetic: Arithmetic): string {
  const { p, r, limbs, words } = shape;
  const vectors = words / 4;
  const word = (w: number): string => `w${w >> 2}[${w & 3}]`;
  const limb = (j: number): string => `a.v[${j}]`;
  const unpacked = (j: number): string => `    ${unpackedLimb(shape, j, word)},`;
  const vector = (i: number): string => `vec4u(${repeat(4, (w) => packedWord(shape, 4 * i + w, limb)).join(', ')})`;
  return `${PARAMS}struct Field {
  v: array<u32, ${limbs}>,
}
struct Packed {
  w: array<vec4u, ${vectors}>,
}
@group(0) @binding(1) var<storage, read> points: array<Packed>;
@group(0) @binding(2) var<storage, read_write> results: array<Packed>;
@group(0) @binding(3) var<storage, read_write> scratch: array<vec4u>;
${arithmetic.code}
${canonical(shape)}
${inversion.code}
fn unpack(packed: Packed) -> Field {
${repeat(vectors, (i) => `  let w${i} = packed.w[${i}];`).join('\n')}
  return Field(array<u32, ${limbs}>(
${repeat(limbs, unpacked).join('\n')}
  ));
}

fn pack(a: Field) -> Packed {
  return Packed(array<vec4u, ${vectors}>(${repeat(vectors, vector).join(', ')}));
}

/// The indices of the points of a pair.
fn pair_points(pair: u32) -> vec2u {
  let first = (pair * ${FIRST}u) & params.point_mask;
  let second = (pair * ${SECOND}u + ${INCREMENT}u) & params.point_mask;
  return vec2u(first, select(second, first, pair % ${SAME}u == ${SAME - 1}u));
}

fn is_same(a: Packed, b: Packed) -> bool {
  return ${repeat(vectors, (i) => `all(a.w[${i}] == b.w[${i}])`).join(' && ')};
}

/// x2 - x1, or 1 where that is 0.
fn denominator(x1: Packed, x2: Packed) -> Field {
  if (is_same(x1, x2)) {
    return ${constant(shape, mod(r, p))};
  }
  return field_sub(unpack(x2), unpack(x1));
}

@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let first = group.x * params.count * ${WORKGROUP}u;
  var product = ${arithmetic.settled(constant(shape, mod(r, p)))};
  for (var k = 0u; k < params.count; k++) {
    let at = first + k * ${WORKGROUP}u;
    let pair = pair_points(at + lane);
    let prefix = pack(${arithmetic.packable('product')});
${repeat(vectors, (i) => `    scratch[at * ${vectors}u + ${i * WORKGROUP}u + lane] = prefix.w[${i}];`).join('\n')}
    product = field_mul(product, denominator(points[pair.x * 2u], points[pair.y * 2u]));
  }
  var inverse = ${arithmetic.settled('field_inv(product)')};
  for (var k = params.count; k > 0u; k--) {
    let at = first + (k - 1u) * ${WORKGROUP}u;
    let pair = pair_points(at + lane);
    let x1 = points[pair.x * 2u];
    let x2 = points[pair.y * 2u];
    let prefix = unpack(Packed(array<vec4u, ${vectors}>(${repeat(vectors, (i) => `scratch[at * ${vectors}u + ${i * WORKGROUP}u + lane]`).join(', ')})));
    var slope = field_mul(inverse, prefix);
    inverse = field_mul(inverse, denominator(x1, x2));
    let y1 = unpack(points[pair.x * 2u + 1u]);
    slope = field_mul(slope, field_sub(unpack(points[pair.y * 2u + 1u]), y1));
    let square = field_mul(slope, slope);
    let a = unpack(x1);
    let b = unpack(x2);
    let x = field_canonical(${signedLimbs(shape, (j) => `square.v[${j}] - a.v[${j}] - b.v[${j}]`)});
    let w = field_mul(slope, field_sub(a, x));
    let y = field_canonical(${signedLimbs(shape, (j) => `w.v[${j}] - y1.v[${j}]`)});
    if (is_same(x1, x2)) {
      results[(at + lane) * 2u] = Packed();
      results[(at + lane) * 2u + 1u] = Packed();
    } else {
      results[(at + lane) * 2u] = pack(x);
      results[(at + lane) * 2u + 1u] = pack(y);
    }
  }
}
`;
}

/** Checks the sums of the first workgroup. */
function checkSums(shape: FieldShape, sizes: Sizes, points: Uint32Array, kept: Uint32Array): void {
  const m = new MontgomeryReference(shape);
  for (let pair = 0; pair * 2 * shape.words < kept.length; pair++) {
    const first = Math.imul(pair, FIRST) & (sizes.points - 1);
    const second = (Math.imul(pair, SECOND) + INCREMENT) & (sizes.points - 1);
    const same = first === second || pair % SAME === SAME - 1;
    const [x1, y1] = packedPoint(shape, points, first, 2);
    const [x2, y2] = packedPoint(shape, points, second, 2);
    const slope = m.mul(m.sub(y2!, y1!), m.inv(m.sub(x2!, x1!)));
    const x = m.sub(m.mul(slope, slope), m.add(x1!, x2!));
    const y = m.sub(m.mul(slope, m.sub(x1!, x)), y1!);
    [x, y].forEach((value, i) => {
      const expected = same ? 0n : value;
      const at = (2 * pair + i) * shape.words;
      const got = fromLimbs(kept.subarray(at, at + shape.words), 32);
      if (got !== expected) throw new Error(`pair ${pair}, ${'xy'[i]}: expected ${expected}, got ${got}`);
    });
  }
}
