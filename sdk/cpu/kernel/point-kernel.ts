import { CURVES, type CurveId, type GroupId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { packedWords } from '../../field/limbs.js';
import { windowCount } from '../../msm/digits.js';
import { type ExceptionalPoint, type PointForm, pointForm, preparedPointBytes } from '../../msm/prepared.js';
import { BucketMethod } from './bucket-method.js';
import { countOf } from './count-of.js';
import type { GroupExports, ModuleExports } from './exports.js';
import type { KernelTask, PointEncoding, PreparedPart } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { Steps } from './steps.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from './window-bits.js';

/** Points prepared by one call into WASM; also how many share an inversion on the Edwards form. */
const PREPARE_CHUNK = 512;

/** Bases in a kernel's memory. */
interface Shard {
  readonly group: GroupId;
  readonly at: number;
  readonly count: number;
}

/** The half of a kernel that works on points: preparation, multi-scalar multiplication and its end. */
export class PointKernel {
  private readonly shards = new Map<string, Shard>();

  constructor(
    private readonly curve: CurveId,
    private readonly exports: ModuleExports,
    private readonly memory: KernelMemory,
  ) {}

  async prepareBases(
    group: GroupId,
    form: PointForm,
    encoding: PointEncoding,
    points: Uint8Array,
    firstIndex: number,
    task?: KernelTask,
  ): Promise<PreparedPart> {
    this.expectForm(form);
    const bytes = pointBytes(this.curve, group);
    const count = countOf(points, bytes, 'points');
    const preparedBytes = preparedPointBytes(this.curve, group);
    const prepared = new Uint8Array(count * preparedBytes);
    const indices = new Uint32Array(count);
    const exceptional: ExceptionalPoint[] = [];
    let kept = 0;
    await this.memory.scope(async (allocate) => {
      const chunk = Math.min(count, PREPARE_CHUNK);
      const source = allocate(chunk * bytes);
      const target = allocate(chunk * preparedBytes);
      const indexAt = allocate(chunk * 4);
      const exceptionalAt = allocate(4 + chunk * 4);
      const exceptionalPoints = allocate(chunk * bytes);
      // Four elements a point and one more; a sum has four elements.
      const scratch = form === 'edwards' ? allocate((chunk + 1) * this.exportsOf(group).sumSize()) : 0;
      await new Steps(task, count).run(count, PREPARE_CHUNK, (from, to) => {
        this.memory.write(source, points.subarray(from * bytes, to * bytes));
        this.memory.clear(exceptionalAt, 4);
        const found = this.exportsOf(group).prepare(
          source,
          to - from,
          encoding === 'montgomery' ? 1 : 0,
          target,
          indexAt,
          exceptionalAt,
          exceptionalPoints,
          scratch,
        );
        if (found < 0) throw this.invalidPoint(group, firstIndex + from - 1 - found);
        prepared.set(this.memory.read(target, found * preparedBytes), kept * preparedBytes);
        for (let i = 0; i < found; i++) indices[kept + i] = from + this.memory.readUint32(indexAt + 4 * i);
        kept += found;
        for (let i = 0; i < this.memory.readUint32(exceptionalAt); i++) {
          exceptional.push({
            index: from + this.memory.readUint32(exceptionalAt + 4 + 4 * i),
            point: this.memory.read(exceptionalPoints + i * bytes, bytes),
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
  }

  loadShard(id: string, group: GroupId, form: PointForm, points: Uint8Array): void {
    this.expectForm(form);
    this.releaseShard(id);
    const { baseSize, loadBases } = this.exportsOf(group);
    const preparedBytes = preparedPointBytes(this.curve, group);
    const count = countOf(points, preparedBytes, 'prepared points');
    const at = this.memory.allocate(count * baseSize());
    const chunk = Math.min(count, PREPARE_CHUNK);
    let source: number;
    try {
      source = this.memory.allocate(chunk * preparedBytes);
    } catch (error) {
      this.memory.release(at);
      throw error;
    }
    for (let from = 0; from < count; from += chunk) {
      const to = Math.min(count, from + chunk);
      this.memory.write(source, points.subarray(from * preparedBytes, to * preparedBytes));
      loadBases(source, to - from, at + from * baseSize());
    }
    this.memory.release(source);
    this.shards.set(id, { group, at, count });
  }

  releaseShard(id: string): void {
    const shard = this.shards.get(id);
    if (shard === undefined) return;
    this.memory.release(shard.at);
    this.shards.delete(id);
  }

  async multiply(
    id: string,
    scalars: Uint8Array,
    windowBits: number | undefined,
    task?: KernelTask,
  ): Promise<Uint8Array> {
    const shard = this.shards.get(id);
    if (shard === undefined) throw new PippinError('INTERNAL', `expected a loaded shard, got ${id}`);
    const count = countOf(scalars, SCALAR_BYTES, 'scalars');
    if (count !== shard.count) {
      throw new PippinError('INVALID_LENGTH', `expected ${shard.count} scalars for the shard, got ${count}`);
    }
    if (windowBits !== undefined) this.expectWindowBits(windowBits);
    return this.memory.scope(async (allocate) => {
      const group = this.exportsOf(shard.group);
      const scalarsAt = allocate(scalars.length);
      this.memory.write(scalarsAt, scalars);
      const sum = allocate(group.sumSize());
      group.setIdentity(sum);
      const method = new BucketMethod(
        this.exports.core,
        group,
        shard.group === 'g1' ? this.exports.endomorphism : undefined,
        this.memory,
        allocate,
        CURVES[this.curve].fr.bits,
      );
      await method.addProducts(shard.at, scalarsAt, count, windowBits, sum, task);
      return this.readAffine(shard.group, allocate, (target) => group.storeAffine(target, sum));
    });
  }

  async cutDigits(scalars: Uint8Array, windowBits: number): Promise<Uint32Array> {
    this.expectWindowBits(windowBits);
    const count = countOf(scalars, SCALAR_BYTES, 'scalars');
    const windows = windowCount(CURVES[this.curve].fr.bits, windowBits);
    return this.memory.scope((allocate) => {
      const source = allocate(scalars.length);
      const target = allocate(4 * windows * count);
      this.memory.write(source, scalars);
      this.exports.core.cutDigits(source, count, windowBits, windows, target);
      return new Uint32Array(this.memory.read(target, 4 * windows * count).buffer);
    });
  }

  async reduceWindows(group: GroupId, form: PointForm, sums: Uint8Array, windowBits: number): Promise<Uint8Array> {
    this.expectForm(form);
    // A backend may give the sums of single bits.
    this.expectWindowBits(windowBits, 1);
    const sumBytes = 4 * this.packedBytes(group);
    const count = countOf(sums, sumBytes, 'window sums');
    return this.memory.scope((allocate) => {
      const source = allocate(sums.length);
      this.memory.write(source, sums);
      return this.readAffine(group, allocate, (target) =>
        this.exportsOf(group).reduceWindows(source, count, windowBits, target),
      );
    });
  }

  async combine(group: GroupId, points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array> {
    const count = countOf(points, pointBytes(this.curve, group), 'points');
    if (scalars !== undefined && scalars.length !== count * SCALAR_BYTES) {
      throw new PippinError('INVALID_LENGTH', `expected ${count} scalars for the points, got ${scalars.length} bytes`);
    }
    return this.memory.scope((allocate) => {
      const source = allocate(points.length);
      this.memory.write(source, points);
      const scalarsAt = scalars === undefined ? 0 : allocate(scalars.length);
      if (scalars !== undefined) this.memory.write(scalarsAt, scalars);
      return this.readAffine(group, allocate, (target) =>
        this.exportsOf(group).combine(source, scalarsAt, count, target),
      );
    });
  }

  async isOnCurve(group: GroupId, point: Uint8Array): Promise<boolean> {
    if (countOf(point, pointBytes(this.curve, group), 'points') !== 1) {
      throw new PippinError('INVALID_LENGTH', `expected one point, got ${point.length} bytes`);
    }
    return this.memory.scope((allocate) => {
      const source = allocate(point.length);
      this.memory.write(source, point);
      return this.exportsOf(group).isOnCurve(source) !== 0;
    });
  }

  private readAffine(
    group: GroupId,
    allocate: (bytes: number) => number,
    compute: (target: number) => void,
  ): Uint8Array {
    const target = allocate(pointBytes(this.curve, group));
    compute(target);
    return this.memory.read(target, pointBytes(this.curve, group));
  }

  private exportsOf(group: GroupId): GroupExports {
    const found = this.exports.groups[group];
    if (found === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with ${group} kernels, got ${this.curve}`);
    }
    return found;
  }

  /** Bytes of one coordinate (of both halves of one in Fq2) in packed form. */
  private packedBytes(group: GroupId): number {
    return 4 * packedWords(CURVES[this.curve].fq.bits) * (group === 'g2' ? 2 : 1);
  }

  private expectForm(form: PointForm): void {
    if (form !== pointForm(this.curve)) {
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected the ${pointForm(this.curve)} form for ${this.curve}, got ${form}`,
      );
    }
  }

  private expectWindowBits(c: number, least = MIN_WINDOW_BITS): void {
    if (Number.isInteger(c) && c >= least && c <= MAX_WINDOW_BITS) return;
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected windowBits as an integer from ${least} to ${MAX_WINDOW_BITS}, got ${c}`,
    );
  }

  private invalidPoint(group: GroupId, index: number): PippinError {
    return new PippinError(
      'INVALID_POINT',
      `expected point ${index} to lie on ${this.curve} ${group} with coordinates below p, got one that does not`,
    );
  }
}
