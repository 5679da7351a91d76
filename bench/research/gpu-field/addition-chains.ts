import { pointForm } from '../../../sdk/bases/prepared.js';
import { fromLimbs } from '../../../sdk/curves/limbs.js';
import { mod } from '../../../sdk/curves/modular.js';
import { composeShader } from '../../../sdk/executors/gpu/msm/compose.js';
import type { Products } from '../../../sdk/executors/gpu/runtime/device.js';
import { BYTE_PRELUDE, bytePair, byteProduct, byteSquare } from './byte-product.js';
import { byteSums } from './byte-sums.js';
import { ciosPair, ciosProduct, type PerTurn, perTurnName } from './cios.js';
import type { Contender, Sizes } from './contender.js';
import { type FieldShape, MontgomeryReference, withLimbs } from './field-shape.js';
import { EDWARDS, edwardsByBytes, type Formula, XYZZ, XYZZ_PAIR, XYZZ_SQUARES, xyzzByBytes } from './formulas.js';
import { packedPoint, packedPoints } from './points.js';
import { lazyFormulas, signedProduct, signedSums } from './signed.js';
import { baseCoordinate, bindings, declarations, keep, sums, WORKGROUP } from './wgsl.js';

/** Whole mixed additions of points: each thread adds up a chain of packed points that it reads in random order. */

/** The number of threads whose sums are checked. */
const KEPT = 64;

/**
 * Words of the first operand in one iteration of the product by bytes: in additions without a loop, and in additions by
 * a loop.
 */
const BYTE_TURNS: readonly PerTurn[] = [1, 2, 4];
const BYTE_LOOPED: readonly PerTurn[] = [2, 4, 'unrolled'];

/**
 * Constants for the indices of the points that a thread adds, modulo the number of points. The first index is START
 * times the thread's number. A linear congruential generator gives the others; it repeats none.
 */
const START = 2654435761;
const FACTOR = 1664525;
const INCREMENT = 1013904223;

export async function additionChains(shape: FieldShape, sizes: Sizes): Promise<Contender[]> {
  const rolled = shape.limbs === 20 ? [1, 2, 4, 5] : [1, 2, 3, 5];
  const looped: PerTurn[] = shape.limbs === 20 ? [2, 5, 10, 'unrolled'] : [3, 5, 10, 15, 'unrolled'];
  const inputs = new Map([2, 3].map((coordinates) => [coordinates, packedPoints(shape, sizes.points, coordinates)]));
  const inWords = withLimbs(shape, 32);
  const chain = (formula: Formula, way: string, code: string, cut = shape): Contender => ({
    curve: shape.curve,
    work: 'addition',
    name: `${formula.name}: ${way}`,
    code,
    input: inputs.get(formula.baseCoordinates)!,
    params: { limbs: cut.limbs, count: sizes.additions, pointMask: sizes.points - 1, steps: formula.steps.length },
    threads: sizes.additionThreads,
    kept: KEPT,
    keptWords: 4 * cut.limbs,
    products: sizes.additions * formula.products,
    additions: sizes.additions,
    check: (kept) => checkSums(cut, formula, sizes, inputs.get(formula.baseCoordinates)!, kept),
  });
  const shipped = pointForm(shape.curve, 'g1') === 'edwards' ? EDWARDS : XYZZ;
  const shippedByBytes = (pointForm(shape.curve, 'g1') === 'edwards' ? edwardsByBytes : xyzzByBytes)(
    shape.r / inWords.r,
  );
  return [
    chain(shipped, 'as shipped', await shippedKernel(shape, shipped, 'limbs')),
    chain(shippedByBytes, 'as shipped', await shippedKernel(inWords, shippedByBytes, 'bytes'), inWords),
    ...[XYZZ, EDWARDS].flatMap((formula) => [
      ...rolled.map((perTurn) =>
        chain(formula, perTurnName(perTurn), kernel(shape, formula, ciosProduct(shape, perTurn), straight(formula))),
      ),
      ...looped.map((perTurn) =>
        chain(
          formula,
          `looped, ${perTurnName(perTurn)}`,
          kernel(shape, formula, ciosProduct(shape, perTurn), inLoop(formula)),
        ),
      ),
    ]),
    ...rolled.map((perTurn) =>
      chain(
        XYZZ_PAIR,
        perTurnName(perTurn),
        kernel(shape, XYZZ_PAIR, ciosProduct(shape, perTurn) + ciosPair(shape, perTurn), straight(XYZZ_PAIR)),
      ),
    ),
    ...lazyFormulas(shape).flatMap((formula) =>
      rolled.map((perTurn) =>
        chain(
          formula,
          perTurnName(perTurn),
          kernel(shape, formula, signedProduct(shape, perTurn), straight(formula), signedSums(shape)),
        ),
      ),
    ),
    ...[XYZZ, XYZZ_PAIR, XYZZ_SQUARES, EDWARDS].flatMap((formula) =>
      BYTE_TURNS.map((perTurn) =>
        chain(formula, `bytes, ${perTurnName(perTurn)}`, byteKernel(inWords, formula, perTurn, straight), inWords),
      ),
    ),
    ...[XYZZ, EDWARDS].flatMap((formula) =>
      BYTE_LOOPED.map((perTurn) =>
        chain(
          formula,
          `bytes, looped, ${perTurnName(perTurn)}`,
          byteKernel(inWords, formula, perTurn, inLoop),
          inWords,
        ),
      ),
    ),
  ];
}

/** The kernel of a formula with products of bytes, by `dot4U8Packed`. */
function byteKernel(
  shape: FieldShape,
  formula: Formula,
  perTurn: PerTurn,
  addition: (formula: Formula) => string,
): string {
  const products = [byteProduct, bytePair, byteSquare].map((product) => product(shape, perTurn));
  return BYTE_PRELUDE + kernel(shape, formula, products.join(''), addition(formula), byteSums(shape));
}

/** The kernel of a formula; `addition` is the WGSL of one addition. */
function kernel(
  shape: FieldShape,
  formula: Formula,
  products: string,
  addition: string,
  fieldSums = sums(shape),
): string {
  return `${declarations(shape)}
${products}
${fieldSums}
${baseCoordinate(shape)}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let thread = id.x;
  var index = (thread * ${START}u) & params.point_mask;
  var at = index * ${formula.baseCoordinates * shape.words}u;
${formula.sum.map((name, i) => `  var ${name} = ${formula.settle ?? ''}(base_coordinate(at, ${formula.start[i]}u));`).join('\n')}
${formula.temporaries.map((name) => `  var ${name}: Field;`).join('\n')}
  for (var n = 0u; n < params.count; n++) {
    index = (index * ${FACTOR}u + ${INCREMENT}u) & params.point_mask;
    at = index * ${formula.baseCoordinates * shape.words}u;
${addition}
  }
${keep(formula.sum, shape.limbs)}}
`;
}

/** An addition without a loop: compilers make a copy of the product's code for each product. */
function straight({ steps }: Formula): string {
  return steps
    .map(({ operands, after }) => {
      const product = ['', 'field_sqr', 'field_mul', '', 'field_mul_pair'][operands.length]!;
      return `    {\n      let w = ${product}(${operands.join(', ')});\n      ${after}\n    }`;
    })
    .join('\n');
}

/** An addition by a loop around one copy of the product: one switch chooses its operands, another uses its result. */
function inLoop({ steps }: Formula): string {
  const choose = (text: (step: Formula['steps'][number]) => string): string =>
    steps
      .map(
        (step, k) =>
          `        case ${k === steps.length - 1 ? 'default' : `${k}u`}: {\n          ${text(step)}\n        }`,
      )
      .join('\n');
  return `    for (var k = 0u; k < params.steps; k++) {
      var u: Field;
      var v: Field;
      switch (k) {
${choose(({ operands }) => `u = ${operands[0]}; v = ${operands[1]};`)}
      }
      let w = field_mul(u, v);
      switch (k) {
${choose(({ after }) => after)}
      }
    }`;
}

/** The same chain with the shaders that Pippin ships, which handle all special cases. */
async function shippedKernel(
  { curve, limbs }: FieldShape,
  { baseCoordinates, sum, start }: Formula,
  products: Products,
): Promise<string> {
  const fields = baseCoordinates === 2 ? ['x', 'y'] : ['minus', 'plus', 't'];
  return composeShader(
    curve,
    'g1',
    `${bindings('bases')}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let thread = id.x;
  var index = (thread * ${START}u) & params.point_mask;
  let first = base_load(index);
  var sum = Point(${start.map((k) => `first.${fields[k]}`).join(', ')});
  for (var n = 0u; n < params.count; n++) {
    index = (index * ${FACTOR}u + ${INCREMENT}u) & params.point_mask;
    sum = point_add_base(sum, base_load(index));
  }
${keep(
  sum.map((name) => `sum.${name}`),
  limbs,
)}}
`,
    products,
  );
}

function checkSums(shape: FieldShape, formula: Formula, sizes: Sizes, points: Uint32Array, kept: Uint32Array): void {
  const reference = new MontgomeryReference(shape);
  for (let t = 0; t < KEPT; t++) {
    let index = Math.imul(t, START) & (sizes.points - 1);
    const first = packedPoint(shape, points, index, formula.baseCoordinates);
    let sum = formula.start.map((k) => first[k]!);
    for (let n = 0; n < sizes.additions; n++) {
      index = (Math.imul(index, FACTOR) + INCREMENT) & (sizes.points - 1);
      sum = formula.add(reference, sum, packedPoint(shape, points, index, formula.baseCoordinates));
    }
    sum.forEach((expected, i) => {
      const at = (4 * t + i) * shape.limbs;
      const limbs = kept.subarray(at, at + shape.limbs);
      // Words of 32 bits are unsigned. Smaller limbs are below 2^31, and may be signed.
      const got = mod(fromLimbs(shape.limbBits === 32 ? limbs : Int32Array.from(limbs), shape.limbBits), shape.p);
      if (got !== expected) throw new Error(`thread ${t}, ${formula.sum[i]}: expected ${expected}, got ${got}`);
    });
  }
}
