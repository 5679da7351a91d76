import { CURVES, type GroupId, pointBytes } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { packedWords } from '../../field/limbs.js';
import type { BasesRange } from '../../msm/backend.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS, windowCount } from '../../msm/digits.js';
import type { MultiplesPlan } from '../../msm/multiples.js';
import { type ExceptionalPoint, type PointForm, preparedPointBytes } from '../../msm/prepared.js';
import { BucketMethod } from './bucket-method.js';
import { countOf } from './count-of.js';
import type { GroupExports } from './exports.js';
import { expectForm, expectGroup, type KernelInstance } from './kernel-instance.js';
import type { KernelTask } from './kernel-task.js';
import { LOAD_CHUNK, loadPrepared } from './load-prepared.js';
import { Steps } from './steps.js';

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

export interface LoadShardArgs {
  readonly id: string;
  readonly group: GroupId;
  readonly form: PointForm;
  /** With a plan all the points, then all their first multiples, and so on. */
  readonly points: Uint8Array;
  readonly plan?: MultiplesPlan | undefined;
}

export interface ReduceWindowsArgs {
  readonly group: GroupId;
  readonly form: PointForm;
  readonly sums: Uint8Array;
  readonly windowBits: number;
}

/** Bases in a kernel's memory. */
interface Shard {
  readonly group: GroupId;
  readonly at: number;
  readonly count: number;
  readonly plan: MultiplesPlan | undefined;
}

/** A kernel's methods for points: preparation, multi-scalar multiplication and its last steps. */
export function pointKernel(instance: KernelInstance) {
  const { curve, core, endomorphism, memory } = instance;
  const { scalarBytes } = CURVES[curve];
  const shards = new Map<string, Shard>();

  function release(id: string): void {
    const shard = shards.get(id);
    if (shard === undefined) return;
    memory.release(shard.at);
    shards.delete(id);
  }

  function readAffine(
    group: GroupId,
    allocate: (bytes: number) => number,
    compute: (target: number) => void,
  ): Uint8Array {
    const target = allocate(pointBytes(curve, group));
    compute(target);
    return memory.read(target, pointBytes(curve, group));
  }

  const exportsOf = (group: GroupId): GroupExports => expectGroup(instance, group);

  /** Bytes of one coordinate in packed form; in G2, of both c0 and c1. */
  function packedBytes(group: GroupId): number {
    return 4 * packedWords(CURVES[curve].fq.bits) * (group === 'g2' ? 2 : 1);
  }

  function expectWindowBits(c: number, least = MIN_WINDOW_BITS): void {
    if (Number.isInteger(c) && c >= least && c <= MAX_WINDOW_BITS) return;
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected windowBits as an integer from ${least} to ${MAX_WINDOW_BITS}, got ${c}`,
    );
  }

  function invalidPoint(group: GroupId, index: number): PippinError {
    return new PippinError(
      'INVALID_POINT',
      `expected point ${index} to lie on ${curve} ${group} with coordinates below p, got one that does not`,
    );
  }

  return {
    /**
     * Checks that every coordinate is below p and every point on the curve (`INVALID_POINT` names the first that is not, by its index plus
     * `firstIndex`), drops points at infinity, sets exceptional points aside and converts the rest to the packed form.
     */
    async prepareBases(
      { group, form, encoding, points, firstIndex = 0 }: PrepareBasesArgs,
      task?: KernelTask,
    ): Promise<PreparedPart> {
      expectForm(instance, form);
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

    /** Keeps prepared points ready for `multiply` under `id`, replacing what was there. `OUT_OF_MEMORY` when they do not fit. */
    loadShard({ id, group, form, points, plan }: LoadShardArgs): void {
      expectForm(instance, form);
      release(id);
      const exports = exportsOf(group);
      const preparedBytes = preparedPointBytes(curve, group);
      const count = countOf(points, preparedBytes, 'prepared points');
      const bases = countOf(points, preparedBytes * (plan?.multiples ?? 1), 'points with their multiples');
      const at = memory.allocate(count * exports.baseSize());
      let packed: number;
      try {
        packed = memory.allocate(Math.min(count, LOAD_CHUNK) * preparedBytes);
      } catch (error) {
        memory.release(at);
        throw error;
      }
      loadPrepared(memory, exports, { points, bytes: preparedBytes, packed, target: at });
      memory.release(packed);
      shards.set(id, { group, at, count: bases, plan });
    },

    releaseShard({ id }: { readonly id: string }): void {
      release(id);
    },

    /**
     * sum k_i P_i over the points of a shard, or over those of a range of it. `scalars` has a scalar for each point, each below the group's
     * order. Zeros are skipped, and points with equal scalars are added first. The kernel chooses `windowBits` if it is left out: those of the shard's multiples if it has
     * any, which are not used with other windows.
     */
    async multiply(
      {
        id,
        scalars,
        range,
        windowBits,
      }: {
        readonly id: string;
        readonly scalars: Uint8Array;
        readonly range?: BasesRange | undefined;
        readonly windowBits?: number | undefined;
      },
      task?: KernelTask,
    ): Promise<Uint8Array> {
      const shard = shards.get(id);
      if (shard === undefined) throw new PippinError('INTERNAL', `expected a loaded shard, got ${id}`);
      const count = countOf(scalars, scalarBytes, 'scalars');
      const { from, to } = range ?? { from: 0, to: shard.count };
      if (from < 0 || to > shard.count || count !== to - from) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected a scalar for each of the points ${from} to ${to} among ${shard.count} of the shard, got ${count}`,
        );
      }
      if (windowBits !== undefined) expectWindowBits(windowBits);
      return memory.scope(async (allocate) => {
        const group = exportsOf(shard.group);
        const scalarsAt = allocate(scalars.length);
        memory.write(scalarsAt, scalars);
        const sum = allocate(group.sumSize());
        group.setIdentity(sum);
        const method = new BucketMethod(
          core,
          group,
          shard.group === 'g1' ? endomorphism : undefined,
          memory,
          allocate,
          CURVES[curve],
        );
        const plan = windowBits === undefined || windowBits === shard.plan?.windowBits ? shard.plan : undefined;
        const stride = shard.count * group.baseSize();
        const bases = { at: shard.at + from * group.baseSize(), stride, plan };
        await method.addProducts(bases, scalarsAt, count, windowBits, sum, task);
        return readAffine(shard.group, allocate, (target) => group.storeAffine(target, sum));
      });
    },

    /**
     * The signed digits of n scalars, window by window: entry w * n + i is digit w of scalar i, with its absolute value in the low 31 bits and
     * its sign in bit 31; -2^(c-1) < d <= 2^(c-1). There are windowCount(scalar bits, c) windows.
     */
    async cutDigits({
      scalars,
      windowBits,
    }: {
      readonly scalars: Uint8Array;
      readonly windowBits: number;
    }): Promise<Uint32Array> {
      expectWindowBits(windowBits);
      const count = countOf(scalars, scalarBytes, 'scalars');
      const windows = windowCount(CURVES[curve].fr.bits, windowBits);
      return memory.scope((allocate) => {
        const source = allocate(scalars.length);
        const target = allocate(4 * windows * count);
        memory.write(source, scalars);
        core.scalars_cutDigits(source, count, windowBits, windows, target);
        return new Uint32Array(memory.read(target, 4 * windows * count).buffer);
      });
    },

    /** sum over w of 2^(c w) S_w, for the window sums of `PartialSums`. */
    async reduceWindows({ group, form, sums, windowBits }: ReduceWindowsArgs): Promise<Uint8Array> {
      expectForm(instance, form);
      // The window may be a single bit: the GPU gives the sums of single bits.
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

    /** Whether an affine point satisfies the curve's equation; infinity does. */
    async isOnCurve({ group, point }: { readonly group: GroupId; readonly point: Uint8Array }): Promise<boolean> {
      if (countOf(point, pointBytes(curve, group), 'points') !== 1) {
        throw new PippinError('INVALID_LENGTH', `expected one point, got ${point.length} bytes`);
      }
      return memory.scope((allocate) => {
        const source = allocate(point.length);
        memory.write(source, point);
        return exportsOf(group).isOnCurve(source) !== 0;
      });
    },
  };
}
