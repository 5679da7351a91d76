import { newBytes, writeBigint } from '../../../base/bytes.js';
import { wipe } from '../../../base/free-memory.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { mod } from '../../../curves/modular.js';
import type { Monomial } from '../../../polynomials/polynomials.js';
import { elementBytes, kernelR } from '../polynomials/scalar-field.js';
import type { GpuVector } from './gpu-vector.js';
import type { Operation, VectorStep } from './recorder.js';
import { interleaveStage, invertStage, monomialsStage, nonzeroStage } from './vector-stages.js';

/** `count` consecutive elements of a vector from number `from` on, which become others from number `at` on. */
export interface Run {
  readonly vector: GpuVector;
  readonly from: number;
  readonly count: number;
  readonly at: number;
}

/** The runs of whole vectors one after another. */
export function runsOf(vectors: readonly GpuVector[]): Run[] {
  let end = 0;
  return vectors.map((vector) => {
    const at = end;
    end += vector.length;
    return { vector, from: 0, count: vector.length, at };
  });
}

/** Copies runs of elements. */
export function concatenation(runs: readonly Run[], target: GpuVector): Operation {
  return { reads: runs.map(({ vector }) => vector), target, steps: () => [copyRuns(runs, target)] };
}

function copyRuns(runs: readonly Run[], target: GpuVector): VectorStep {
  const result = target.expectBuffer();
  const copies = runs
    .filter(({ count }) => count > 0)
    .map(({ vector, from, count, at }) => ({ source: vector.expectBuffer(), from, count, at }));
  return {
    kind: 'encode',
    run: (encoder) => {
      for (const { source, from, count, at } of copies) {
        encoder.copyBufferToBuffer(source, from * SCALAR_BYTES, result, at * SCALAR_BYTES, count * SCALAR_BYTES);
      }
    },
  };
}

/** Words of a monomial on the device: four for its index, then the value. */
const MONOMIAL_BYTES = 16 + SCALAR_BYTES;

/** Copies coefficients, and adds monomials to them. */
export function monomialSum(
  curve: CurveId,
  runs: readonly Run[],
  monomials: readonly Monomial[],
  target: GpuVector,
): Operation {
  const { modulus } = CURVES[curve].fr;
  const sums = new Map<number, bigint>();
  for (const { index, value } of monomials) sums.set(index, (sums.get(index) ?? 0n) + value);
  const bytes = newBytes(sums.size * MONOMIAL_BYTES);
  const words = new DataView(bytes.buffer);
  for (const [i, [index, value]] of [...sums].entries()) {
    words.setUint32(i * MONOMIAL_BYTES, index, true);
    writeBigint(bytes, i * MONOMIAL_BYTES + 16, SCALAR_BYTES, mod(value * kernelR(curve), modulus));
  }
  return {
    reads: runs.map(({ vector }) => vector),
    target,
    scratch: { program: bytes.length },
    onFailure: () => wipe(bytes),
    *steps() {
      yield copyRuns(runs, target);
      if (sums.size === 0) return;
      yield {
        kind: 'upload',
        buffer: 'program',
        run: async (write) => {
          await write(0, bytes);
          // They blind the polynomial.
          wipe(bytes);
        },
      };
      for (const dispatch of monomialsStage.dispatches({ count: sums.size, result: target.expectBuffer() })) {
        yield { kind: 'dispatch', dispatch };
      }
    },
  };
}

/** Elements of several vectors in turns. */
export function interleaving(vectors: readonly GpuVector[], target: GpuVector): Operation {
  return {
    reads: vectors,
    target,
    *steps() {
      for (const [offset, vector] of vectors.entries()) {
        const buffers = { values: vector.expectBuffer(), result: target.expectBuffer() };
        const work = { count: vector.length, stride: vectors.length, offset, ...buffers };
        for (const dispatch of interleaveStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
      }
    },
  };
}

/** Inverses of all elements. */
export function inversion(curve: CurveId, a: GpuVector, target: GpuVector, signal: AbortSignal | undefined): Operation {
  // The kernel takes the exponent of Fermat's inversion after the element 1.
  const exponent = newBytes(SCALAR_BYTES);
  writeBigint(exponent, 0, SCALAR_BYTES, CURVES[curve].fr.modulus - 2n);
  const constants = newBytes(2 * SCALAR_BYTES);
  constants.set(elementBytes(curve, [kernelR(curve)]));
  constants.set(exponent, SCALAR_BYTES);
  return {
    reads: [a],
    target,
    scratch: { program: constants.length },
    signal,
    *steps() {
      yield { kind: 'upload', buffer: 'program', run: (write) => write(0, constants) };
      const buffers = { values: a.expectBuffer(), result: target.expectBuffer() };
      for (const dispatch of invertStage.dispatches({ count: a.length, ...buffers })) {
        yield { kind: 'dispatch', dispatch };
      }
    },
  };
}

/** Answers a word that is 0 if all elements from number `from` on are 0. */
export function nonzeroQuestion(vector: GpuVector, from: number): Operation {
  return {
    reads: [vector],
    scratch: { flags: SCALAR_BYTES },
    *steps({ answer }) {
      yield { kind: 'clear', buffer: 'flags' };
      const work = { from, to: vector.length, values: vector.expectBuffer() };
      for (const dispatch of nonzeroStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
      yield answer('flags', 0, Uint32Array.BYTES_PER_ELEMENT);
    },
  };
}
