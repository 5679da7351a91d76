import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { inverse, power } from '../../../curves/modular.js';
import type { Dispatch, GpuKernel } from '../runtime/stage.js';
import type { Step } from '../runtime/steps.js';
import type { GpuConstraints, GpuMatrix } from './gpu-constraints.js';
import {
  butterflyStage,
  joinRowsStage,
  multiplyStage,
  type QuotientBuffer,
  sumEntriesStage,
} from './quotient-stages.js';
import { kernelR } from './scalar-field.js';
import { type TransformShape, transformPasses } from './transform-passes.js';
import { twiddleStage } from './twiddle-table.js';

/** The kernels, in execution order. */
export const QUOTIENT_KERNELS: readonly GpuKernel[] = [
  twiddleStage,
  sumEntriesStage,
  joinRowsStage,
  multiplyStage,
  butterflyStage,
];

/** The inputs and the output of a quotient. */
interface QuotientWork {
  readonly constraints: GpuConstraints;
  /** The value of every signal: 32 bytes each, canonical. */
  readonly witness: GPUBuffer;
  /** The twiddle factors of NTTs of the domain size. */
  readonly twiddles: GPUBuffer;
  readonly shape: TransformShape;
  /** Masks to add to the values on the coset, one scalar each. */
  readonly masks: GPUBuffer | undefined;
  /** The buffer for the values on the coset. */
  readonly result: GPUBuffer;
}

/** From a witness to the values of (A w)(B w) - C w on the coset, plus masks if given, in `result`. */
export function* quotientSteps(work: QuotientWork): Generator<Step<QuotientBuffer>, void> {
  const { constraints, witness, twiddles, shape, masks, result } = work;
  const { coefficients, factors, matrices, facts } = constraints.contents;
  const count = facts.domainSize;
  yield* rowSteps(matrices[0], coefficients, witness, 'a');
  yield* rowSteps(matrices[1], coefficients, witness, 'b');
  yield* run(multiplyStage.dispatches({ count, factors, factor: DOMAIN_FACTOR, result: 'c' }));
  for (const data of ['a', 'b', 'c'] as const) yield* cosetSteps(data, Math.log2(count), twiddles, shape);
  yield* run(multiplyStage.dispatches({ count, subtracted: 'c', added: masks, factors, factor: COSET_FACTOR, result }));
  yield { kind: 'wipe' };
}

/** The rows of a matrix times the witness. */
export function* rowSteps(
  { longPieces, join, rows }: GpuMatrix,
  coefficients: GPUBuffer,
  witness: GPUBuffer,
  sums: QuotientBuffer,
): Generator<Step<QuotientBuffer>, void> {
  yield { kind: 'clear', buffer: sums };
  for (const each of longPieces) {
    yield* run(sumEntriesStage.dispatches({ run: each, coefficients, witness, sums: 'partials' }));
  }
  if (join !== undefined) yield* run(joinRowsStage.dispatches({ join, sums }));
  for (const each of rows) yield* run(sumEntriesStage.dispatches({ run: each, coefficients, witness, sums }));
}

/**
 * Replaces 2^log values of a polynomial on the domain by 2^log times its values on the coset. The lowest pass is part
 * of both NTTs: down through its levels, and up again.
 */
export function* cosetSteps(
  data: QuotientBuffer,
  log: number,
  factors: GPUBuffer,
  shape: TransformShape,
): Generator<Step<QuotientBuffer>, void> {
  const [lowest, ...higher] = transformPasses(log, shape);
  const common = { data, log, factors };
  for (const pass of higher.toReversed()) {
    yield* run(butterflyStage.dispatches({ ...common, ...pass, falls: true, rises: false }));
  }
  yield* run(butterflyStage.dispatches({ ...common, ...lowest!, falls: true, rises: true }));
  for (const pass of higher) {
    yield* run(butterflyStage.dispatches({ ...common, ...pass, falls: false, rises: true }));
  }
}

/** Bytes of the scratch buffers of a quotient. */
export function quotientBytes({
  contents: { facts, matrices },
}: GpuConstraints): Partial<Record<QuotientBuffer, number>> {
  const vector = facts.domainSize * SCALAR_BYTES;
  const partials = Math.max(...matrices.map(({ partialCount }) => partialCount)) * SCALAR_BYTES;
  const always = { a: vector, b: vector, c: vector };
  return partials === 0 ? always : { ...always, partials };
}

function* run(dispatches: readonly Dispatch<QuotientBuffer>[]): Generator<Step<QuotientBuffer>, void> {
  for (const dispatch of dispatches) yield { kind: 'dispatch', dispatch };
}

/** The indices of the constants for the two element-wise products: on the domain, and on the coset. */
const DOMAIN_FACTOR = 0;
const COSET_FACTOR = 1;

/** The factor by which snarkjs multiplies the coefficients. */
const SECTION_FACTOR = 1n << 512n;

/**
 * The constants by which the two element-wise products are multiplied, in this order, for a domain of n elements.
 *
 * The quotient's vectors are not in Montgomery form. The rows are L a and L b with L = 2^512 / R, because a Montgomery
 * product divides by R. The inverse NTTs do not divide by n. With f for the first constant, the values on the coset are
 * n L A, n L B and n L^2 f C / R^2. The second element-wise product divides by R: n^2 L^2 A B / R. Both have the same
 * factor if f = n R. The second constant g removes it: n^2 L^2 g / R^2 = 1.
 */
export function quotientFactors(curve: CurveId, domainSize: number): readonly [bigint, bigint] {
  const { modulus } = CURVES[curve].fr;
  const r = kernelR(curve);
  const n = BigInt(domainSize);
  const l = SECTION_FACTOR * inverse(r, modulus);
  return [(n * r) % modulus, power(r * inverse(n * l, modulus), 2n, modulus)];
}
