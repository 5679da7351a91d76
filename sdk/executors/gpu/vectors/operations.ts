import { newBytes, writeBigint } from '../../../base/bytes.js';
import { wipe } from '../../../base/free-memory.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { mod } from '../../../curves/modular.js';
import { Expression } from '../../../polynomials/expression.js';
import type { Monomial } from '../../../polynomials/polynomials.js';
import { elementBytes, kernelR } from '../polynomials/scalar-field.js';
import type { Write } from '../runtime/steps.js';
import type { GpuVector } from './gpu-vector.js';
import { type Operation, type VectorStep, WHOLE } from './operation.js';
import { copyToRegisters, encodeProgram, runProgram } from './programs.js';
import { gatherElementsStage, interleaveStage, invertStage, nonzeroStage } from './vector-stages.js';

/** `count` consecutive elements of a vector from number `from` on, which become others from number `at` on. */
export interface ElementRun {
  readonly vector: GpuVector;
  readonly from: number;
  readonly count: number;
  readonly at: number;
}

/** The runs of whole vectors one after another. */
export function runsOf(vectors: readonly GpuVector[]): ElementRun[] {
  let end = 0;
  return vectors.map((vector) => {
    const at = end;
    end += vector.length;
    return { vector, from: 0, count: vector.length, at };
  });
}

/** Copies runs of elements. */
export function concatenation(runs: readonly ElementRun[], target: GpuVector): Operation {
  return { reads: runs.map(({ vector }) => vector), target, steps: () => [copyRuns(runs, target)] };
}

/** Copies runs of elements to a vector. */
export function copyRuns(runs: readonly ElementRun[], target: GpuVector): VectorStep {
  const result = target.expectElements();
  const copies = runs.flatMap(({ vector, from, count, at }) => {
    const parts = [...vector.expectElements().parts(from, from + count)];
    return parts.flatMap((source) => {
      const first = source.first - from + at;
      return [...result.parts(first, first + source.count)].map((to) => ({ source, at: to.first - first, to }));
    });
  });
  return {
    kind: 'encode',
    run: (encoder) => {
      for (const { source, at, to } of copies) {
        const from = (source.from + at) * SCALAR_BYTES;
        encoder.copyBufferToBuffer(source.buffer, from, to.buffer, to.from * SCALAR_BYTES, to.count * SCALAR_BYTES);
      }
    },
  };
}

/**
 * Copies coefficients, and adds monomials to them: a program for each run of consecutive indices. Monomials blind
 * polynomials, and nothing would show that they are missing: so the kernel that adds them is one without which no proof
 * holds.
 */
export function monomialSum(
  curve: CurveId,
  runs: readonly ElementRun[],
  monomials: readonly Monomial[],
  target: GpuVector,
): Operation {
  const [x, y] = Expression.operands(2) as [Expression, Expression];
  const { bytes: program, instructions, registers } = encodeProgram(curve, x.plus(y), 2);
  const sums = consecutive(curve, monomials);
  const rows = Math.max(0, ...sums.map(({ bytes }) => bytes.length / SCALAR_BYTES));
  const discard = (): void => wipe(...sums.map(({ bytes }) => bytes));
  return {
    reads: runs.map(({ vector }) => vector),
    target,
    scratch: { program: program.length, registers: registers * rows * SCALAR_BYTES },
    onFailure: discard,
    *steps() {
      yield copyRuns(runs, target);
      if (sums.length > 0) yield { kind: 'upload', buffer: 'program', run: (write) => write(0, program) };
      for (const { index: offset, bytes } of sums) {
        const count = bytes.length / SCALAR_BYTES;
        yield copyToRegisters(target, { offset, count, at: 0 });
        const run = async (write: Write): Promise<void> => {
          await write(rows * SCALAR_BYTES, bytes);
          wipe(bytes);
        };
        yield { kind: 'upload', buffer: 'registers', run };
        yield* runProgram({ instructions, rows, offset, count }, target);
      }
    },
  };
}

/** Runs of monomials with consecutive indices: the first index, and the values in Montgomery form. */
function consecutive(
  curve: CurveId,
  monomials: readonly Monomial[],
): { readonly index: number; readonly bytes: Uint8Array }[] {
  const { modulus } = CURVES[curve].fr;
  const r = kernelR(curve);
  const values = new Map<number, bigint>();
  for (const { index, value } of monomials) values.set(index, (values.get(index) ?? 0n) + value);
  const runs: { readonly index: number; readonly values: bigint[] }[] = [];
  for (const index of [...values.keys()].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    const value = mod(values.get(index)! * r, modulus);
    if (last !== undefined && last.index + last.values.length === index) last.values.push(value);
    else runs.push({ index, values: [value] });
  }
  return runs.map((run) => ({ index: run.index, bytes: elementBytes(curve, run.values) }));
}

/** Elements of several vectors in turns. */
export function interleaving(vectors: readonly GpuVector[], target: GpuVector): Operation {
  return {
    reads: vectors,
    target,
    *steps() {
      const stride = vectors.length;
      for (const [offset, vector] of vectors.entries()) {
        for (const source of vector.expectElements().parts(0, vector.length)) {
          const at = source.first * stride + offset;
          const rowBefore = (element: number): number => Math.min(source.count, Math.ceil((element - at) / stride));
          for (const to of target.expectElements().parts(at, at + (source.count - 1) * stride + 1)) {
            const rows = { first: rowBefore(to.first), end: rowBefore(to.first + to.count) };
            const place = { stride, offset: at - to.first + to.from };
            const work = { ...rows, ...place, values: source.buffer, result: to.buffer };
            for (const dispatch of interleaveStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
          }
        }
      }
    },
  };
}

/** Brings words to the device, as they are. */
export function wordUpload(bytes: Uint8Array, target: GpuVector): Operation {
  return {
    target,
    block: WHOLE,
    scratch: { registers: bytes.length },
    *steps() {
      if (bytes.length === 0) return;
      yield { kind: 'upload', buffer: 'registers', run: (write) => write(0, bytes) };
      yield {
        kind: 'encode',
        run: (encoder, get) => encoder.copyBufferToBuffer(get('registers'), 0, target.expectBuffer(), 0, bytes.length),
      };
    },
  };
}

/** The elements with these indices, as many as the target has. */
export function gathering(
  values: GpuVector,
  indices: GpuVector,
  target: GpuVector,
  signal: AbortSignal | undefined,
): Operation {
  return {
    reads: [values, indices],
    target,
    block: WHOLE,
    signal,
    *steps() {
      const buffers = {
        values: values.expectBuffer(),
        indices: indices.expectBuffer(),
        result: target.expectBuffer(),
      };
      for (const dispatch of gatherElementsStage.dispatches({ count: target.length, ...buffers })) {
        yield { kind: 'dispatch', dispatch };
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
    block: WHOLE,
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
      for (const { buffer, from: first, count } of vector.expectElements().parts(from, vector.length)) {
        const work = { from: first, to: first + count, values: buffer };
        for (const dispatch of nonzeroStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
      }
      yield answer('flags', 0, Uint32Array.BYTES_PER_ELEMENT);
    },
  };
}
