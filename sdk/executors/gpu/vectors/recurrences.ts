import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { power } from '../../../curves/modular.js';
import { elementBytes, kernelR } from '../polynomials/scalar-field.js';
import type { GpuVector } from './gpu-vector.js';
import type { Operation, VectorStep } from './operation.js';
import { RECURRENCE_BLOCK, type RecurrenceWork, recurrenceStage } from './vector-stages.js';

/** A recurrence over the elements of each residue class of the indices modulo `stride`. */
export interface Recurrence {
  /** What an accumulator is multiplied by before an element is added; undefined for products. */
  readonly x: bigint | undefined;
  readonly stride: number;
  readonly values: GpuVector;
  /** What takes the accumulator before each element; undefined if only the last ones are wanted. */
  readonly target?: GpuVector;
}

/** A level: the elements, and the blocks that make the next one. The first level is not a part of the totals. */
interface Level {
  readonly count: number;
  readonly blocks: number;
  readonly sourceAt: number;
  readonly targetAt: number;
}

/**
 * The operation that computes a recurrence, and answers the last accumulator of each class, in Montgomery form. Each
 * level's blocks give the elements of the next one, up to a single block; then the accumulators go down again. The
 * totals of Horner's method are coefficients in a power of x.
 */
export function recurrenceOperation(
  curve: CurveId,
  { x, stride, values, target }: Recurrence,
  signal: AbortSignal | undefined,
): Operation {
  const levels = levelsOf(values.length, stride);
  const constants = constantsOf(curve, x, levels.length);
  const top = levels.at(-1)!;
  return {
    reads: [values],
    ...(target && { target }),
    block: stride * RECURRENCE_BLOCK,
    scratch: {
      program: constants.length,
      totals: (top.targetAt + stride) * SCALAR_BYTES,
      flags: SCALAR_BYTES,
    },
    signal,
    *steps({ answer }) {
      yield { kind: 'upload', buffer: 'program', run: (write) => write(0, constants) };
      const falls = x !== undefined;
      for (const [i, level] of levels.entries()) {
        yield* levelSteps(level, { stride, falls, factor: i + 1, scans: false, carries: false }, values, undefined);
      }
      yield answer('totals', top.targetAt * SCALAR_BYTES, stride * SCALAR_BYTES);
      if (target === undefined) return;
      for (const [i, level] of [...levels.entries()].reverse()) {
        const carries = level !== top;
        yield* levelSteps(level, { stride, falls, factor: i + 1, scans: true, carries }, values, target);
      }
    },
  };
}

/** One level, in one direction. The first one is computed buffer by buffer, of whole blocks. */
function* levelSteps(
  level: Level,
  way: Pick<RecurrenceWork, 'stride' | 'falls' | 'factor' | 'scans' | 'carries'>,
  values: GpuVector,
  target: GpuVector | undefined,
): Generator<VectorStep, void> {
  const nested = way.factor > 1;
  const parts = [...values.expectElements().parts(0, values.length)];
  for (const [i, { buffer, first, count }] of (nested ? parts.slice(0, 1) : parts).entries()) {
    const part = { count, blocks: blocksOf(count, way.stride), targetAt: level.targetAt + first / RECURRENCE_BLOCK };
    const result = nested ? undefined : target?.expectElements().buffers[i];
    const work = { ...way, ...level, ...(!nested && part), nested, values: buffer, result };
    for (const dispatch of recurrenceStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
  }
}

/** The levels of a recurrence over `length` elements, at least one. */
function levelsOf(length: number, stride: number): Level[] {
  const levels: Level[] = [];
  let [count, sourceAt, targetAt] = [length, 0, 0];
  for (;;) {
    const blocks = blocksOf(count, stride);
    levels.push({ count, blocks, sourceAt, targetAt });
    if (blocks <= stride) return levels;
    [count, sourceAt, targetAt] = [blocks, targetAt, targetAt + blocks];
  }
}

/** The blocks of all residue classes together. */
function blocksOf(count: number, stride: number): number {
  return Math.ceil(count / stride / RECURRENCE_BLOCK) * stride;
}

/** What accumulators begin with, then what a falling one is multiplied by on each level. */
function constantsOf(curve: CurveId, x: bigint | undefined, levels: number): Uint8Array {
  const r = kernelR(curve);
  if (x === undefined) return elementBytes(curve, [r]);
  const { modulus } = CURVES[curve].fr;
  const factors = [x];
  for (let i = 1; i < levels; i++) factors.push(power(factors[i - 1]!, BigInt(RECURRENCE_BLOCK), modulus));
  return elementBytes(curve, [0n, ...factors.map((factor) => factor * r)]);
}
