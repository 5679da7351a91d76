import { PippinError } from '../../../base/errors.js';
import { type ExceptionalPoint, type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../curves/index.js';
import { packedWords } from '../../../curves/limbs.js';
import type { GroupExports } from './exports.js';
import { countOf, expectForm, expectGroup, expectWindowBits, type KernelInstance } from './kernel-instance.js';
import type { Allocate } from './memory.js';
import { type KernelTask, Steps } from './steps.js';

/** Points prepared by one call into WASM; on the Edwards form these also share one inversion. */
const PREPARE_CHUNK = 512;

/** How the coordinates of points handed to `prepareBases` are encoded; both little-endian, coordinateBytes each. */
export type PointEncoding =
  /** Integers below p. */
  | 'canonical'
  /** a * 2^(8 coordinateBytes) mod p: 2^256 for BN254 (what a .zkey holds), 2^384 for BLS12-377. */
  | 'montgomery';

/** The result of preparing a run of points: a part of `PreparedBases`, indices relative to the run's first point. */
export interface PreparedPart {
  readonly kept: number;
  readonly points: Uint8Array;
  /** undefined when all are kept. */
  readonly indices: Uint32Array | undefined;
  readonly exceptional: readonly ExceptionalPoint[];
}

export interface PrepareBasesArgs {
  readonly group: GroupId;
  readonly form: PointForm;
  readonly encoding: PointEncoding;
  readonly points: Uint8Array;
  /** The index, among all points, of the first in this run (0 when left out); it is used only in error messages. */
  readonly firstIndex?: number;
}

export interface ReduceWindowsArgs {
  readonly group: GroupId;
  readonly form: PointForm;
  readonly sums: Uint8Array;
  readonly windowBits: number;
}

/** Window sums, or affine points in the boundary form if `windowBits` is left out. */
export interface FinishArgs extends Omit<ReduceWindowsArgs, 'windowBits'> {
  readonly windowBits?: number | undefined;
}

/** A kernel's methods for points: their preparation, and the last steps of a multi-scalar multiplication. */
export function pointKernel(instance: KernelInstance) {
  const { curve, memory } = instance;
  const { scalarBytes } = CURVES[curve];

  function readAffine(group: GroupId, allocate: Allocate, compute: (target: number) => void): Uint8Array {
    const target = allocate(pointBytes(curve, group));
    compute(target);
    return memory.read(target, pointBytes(curve, group));
  }

  const exportsOf = (group: GroupId): GroupExports => expectGroup(instance, group);

  /** Bytes of one coordinate in packed form; in G2, of both c0 and c1. */
  function packedBytes(group: GroupId): number {
    return 4 * packedWords(CURVES[curve].fq.bits) * (group === 'g2' ? 2 : 1);
  }

  function invalidPoint(group: GroupId, index: number): PippinError {
    return new PippinError(
      'INVALID_POINT',
      `expected point ${index} to lie on ${curve} ${group} with coordinates below p, got one that does not`,
    );
  }

  const methods = {
    /**
     * Checks that every coordinate is below p and every point on the curve (`INVALID_POINT` names the first that is
     * not, by its index plus `firstIndex`), drops points at infinity, sets exceptional points aside and converts the
     * rest to the packed form.
     */
    async prepareBases(
      { group, form, encoding, points, firstIndex = 0 }: PrepareBasesArgs,
      task?: KernelTask,
    ): Promise<PreparedPart> {
      expectForm(instance, group, form);
      const bytes = pointBytes(curve, group);
      const count = countOf(points, bytes, 'points');
      const preparedBytes = preparedPointBytes(curve, group);
      const prepared = new Uint8Array(count * preparedBytes);
      const indices = new Uint32Array(count);
      const exceptional: ExceptionalPoint[] = [];
      let kept = 0;
      await memory.scope(async (allocate) => {
        const chunk = Math.min(count, PREPARE_CHUNK);
        const source = allocate(chunk * bytes);
        const target = allocate(chunk * preparedBytes);
        const indexAt = allocate(chunk * 4);
        const exceptionalAt = allocate(4 + chunk * 4);
        const exceptionalPoints = allocate(chunk * bytes);
        // The scratch has four elements for each point and one more. A sum has four elements.
        const scratch = form === 'edwards' ? allocate((chunk + 1) * exportsOf(group).sumSize()) : 0;
        await new Steps(task, count).run(count, PREPARE_CHUNK, (from, to) => {
          memory.write(source, points.subarray(from * bytes, to * bytes));
          memory.clear(exceptionalAt, 4);
          const found = exportsOf(group).prepare(
            source,
            to - from,
            encoding === 'montgomery' ? 1 : 0,
            target,
            indexAt,
            exceptionalAt,
            exceptionalPoints,
            scratch,
          );
          if (found < 0) throw invalidPoint(group, firstIndex + from - 1 - found);
          prepared.set(memory.read(target, found * preparedBytes), kept * preparedBytes);
          const keptHere = memory.viewUint32(indexAt, found);
          for (let i = 0; i < found; i++) indices[kept + i] = from + keptHere[i]!;
          kept += found;
          for (let i = 0; i < memory.readUint32(exceptionalAt); i++) {
            exceptional.push({
              index: from + memory.readUint32(exceptionalAt + 4 + 4 * i),
              point: memory.read(exceptionalPoints + i * bytes, bytes),
            });
          }
        });
      });
      return {
        kept,
        points: kept === count ? prepared : prepared.slice(0, kept * preparedBytes),
        indices: kept === count ? undefined : indices.slice(0, kept),
        exceptional,
      };
    },

    /** sum over w of 2^(c w) S_w, for the window sums of `PartialSums`. */
    async reduceWindows({ group, form, sums, windowBits }: ReduceWindowsArgs): Promise<Uint8Array> {
      expectForm(instance, group, form);
      // The window may be a single bit: the GPU returns bit sums.
      expectWindowBits(windowBits, 1);
      const sumBytes = 4 * packedBytes(group);
      const count = countOf(sums, sumBytes, 'window sums');
      return memory.scope((allocate) => {
        const source = allocate(sums.length);
        memory.write(source, sums);
        return readAffine(group, allocate, (target) =>
          exportsOf(group).reduceWindows(source, count, windowBits, target),
        );
      });
    },

    /** sum k_i P_i of a few affine points, without buckets; every k_i is 1 if `scalars` is left out. */
    async combine({
      group,
      points,
      scalars,
    }: {
      readonly group: GroupId;
      readonly points: Uint8Array;
      readonly scalars?: Uint8Array | undefined;
    }): Promise<Uint8Array> {
      const count = countOf(points, pointBytes(curve, group), 'points');
      if (scalars !== undefined && scalars.length !== count * scalarBytes) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected ${count} scalars for the points, got ${scalars.length} bytes`,
        );
      }
      return memory.scope((allocate) => {
        const source = allocate(points.length);
        memory.write(source, points);
        const scalarsAt = scalars === undefined ? 0 : allocate(scalars.length);
        if (scalars !== undefined) memory.write(scalarsAt, scalars);
        return readAffine(group, allocate, (target) => exportsOf(group).combine(source, scalarsAt, count, target));
      });
    },

    /**
     * The result of an MSM as an affine point: what window sums, as of `reduceWindows`, or affine points add up to.
     * undefined if it does not satisfy the curve's equation; infinity does.
     */
    async finish({ group, form, sums, windowBits }: FinishArgs): Promise<Uint8Array | undefined> {
      let point = sums;
      if (windowBits !== undefined) point = await methods.reduceWindows({ group, form, sums, windowBits });
      else if (countOf(sums, pointBytes(curve, group), 'points') > 1)
        point = await methods.combine({ group, points: sums });
      return memory.scope((allocate) => {
        const source = allocate(point.length);
        memory.write(source, point);
        // A copy, since the given bytes are freed after the call.
        return exportsOf(group).isOnCurve(source) !== 0 ? memory.read(source, point.length) : undefined;
      });
    },
  };
  return methods;
}
