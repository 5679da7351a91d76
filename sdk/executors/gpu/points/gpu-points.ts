import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { bigintToBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, SCALAR_BYTES } from '../../../curves/index.js';
import { type PointLayout, pointLayout } from '../msm/point-layout.js';
import type { GpuDevice } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import { Scratch } from '../runtime/scratch.js';
import { type BufferBytes, layOut, lifetimesOf } from '../runtime/scratch-layout.js';
import { type Dispatch, type GpuKernel, U32_BYTES } from '../runtime/stage.js';
import type { Step } from '../runtime/steps.js';
import { submitSteps } from '../runtime/submitter.js';
import { compilePointKernels } from './compose.js';
import {
  butterfliesRun,
  factorsOfTransform,
  type PointDomains,
  pointsOfTransform,
  productsRun,
  transformRuns,
} from './pair-run.js';
import { butterflyDispatches, MULTIPLES, type PointBuffer, productDispatches } from './point-stages.js';

/** The most points that are multiplied together. More would take memory and make a GPU no faster. */
const MOST_POINTS = 2 ** 16;
/** The most bytes of the points of an NTT, on any device: a readback and the host's copy take as many. */
const MOST_TRANSFORM_BYTES = 2 ** 27;

type PointStep = Step<PointBuffer>;

interface PointsCall {
  readonly signal?: AbortSignal | undefined;
}

interface TransformCall extends PointsCall {
  /** Called with the done fraction. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Points, in arrays one after another, and what is done with them in place. */
interface PointsWork {
  readonly points: readonly Uint8Array[];
  readonly factors: Uint8Array;
  readonly dispatches: readonly Dispatch<PointBuffer>[];
  /** The most pairs of a run. */
  readonly rows: number;
}

/**
 * Products of points and scalars on a GPU, over one group of a curve in Weierstrass form. What a computation leaves on
 * the device is overwritten. Device faults reject with `DEVICE_LOST`, `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuPoints {
  /** Fulfilled when the kernels are compiled; rejects if one cannot be. */
  readonly ready: Promise<ReadonlyMap<GpuKernel, StagePipeline>>;
  private readonly layout: PointLayout;
  private readonly scratch: Scratch<PointBuffer>;
  private readonly pace: Pace;
  private readonly exponent: Uint32Array;

  /** Starts compiling the kernels. `CURVE_MISMATCH` for a group without kernels on the GPU. */
  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
  ) {
    this.layout = pointLayout(curve, group);
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
    this.exponent = this.exponentOfInverse();
    this.ready = compilePointKernels(gpu, curve, group);
    this.ready.catch(() => undefined);
  }

  /** The most points, or pairs, of one call, by the device's limits and memory. */
  get mostPoints(): number {
    const { sumBytes } = this.layout;
    const perPoint = sumOfBytes(this.bytesFor(2, 1, 1)) + 2 * this.layout.baseBytes;
    const byMemory = this.gpu.memory.workRoom / 2 / perPoint;
    return Math.floor(Math.min(MOST_POINTS, this.mostBinding / (MULTIPLES * sumBytes), byMemory));
  }

  /** The most points of one NTT, by the device's limits and memory. */
  get mostTransformed(): number {
    const { baseBytes } = this.layout;
    // With the copy that is read back, and the factors.
    const byMemory = this.gpu.memory.workRoom / 2 / (2 * baseBytes + 2 * SCALAR_BYTES);
    return Math.floor(Math.min(Math.min(MOST_TRANSFORM_BYTES, this.mostBinding) / baseBytes, byMemory));
  }

  /**
   * Each point times its scalar, prepared as the points are, in as many arrays of the same lengths.
   *
   * @param points prepared, of the subgroup of prime order, at most `mostPoints` in all arrays together; zeros for
   * infinity, which stays.
   * @param scalars in halves (`splitScalars` of the kernels), of 32 bytes: one for each point, or one for all.
   */
  async scale(points: readonly Uint8Array[], scalars: Uint8Array, options: PointsCall = {}): Promise<Uint8Array[]> {
    const count = this.countOf(points, this.mostPoints);
    const isOne = scalars.length === SCALAR_BYTES;
    if (!isOne) expectFactors(scalars, count);
    const dispatches = count === 0 ? [] : productDispatches(productsRun(count, isOne ? 0 : 1), this.exponentBits);
    return this.compute({ points, factors: scalars, dispatches, rows: count }, options);
  }

  /**
   * The butterflies of an NTT over points: all a_i + w_i b_i, and all a_i - w_i b_i, prepared or zeros.
   *
   * @param a prepared, of the subgroup of prime order, or zeros for infinity, at most `mostPoints`.
   * @param b as many.
   * @param factors in halves, of 32 bytes, one for each pair.
   */
  async butterflies(
    a: Uint8Array,
    b: Uint8Array,
    factors: Uint8Array,
    options: PointsCall = {},
  ): Promise<readonly [Uint8Array, Uint8Array]> {
    if (a.length !== b.length) {
      throw new PippinError('INVALID_LENGTH', `expected ${a.length} bytes of points b as of a, got ${b.length}`);
    }
    const count = this.countOf([a], this.mostPoints);
    expectFactors(factors, count);
    const dispatches = count === 0 ? [] : butterflyDispatches(butterfliesRun(count), this.exponentBits);
    const work = { points: [a, b], factors, dispatches, rows: count };
    const [sums, differences] = await this.compute(work, options);
    return [sums!, differences!];
  }

  /**
   * NTTs over points, sum_i w^(ij) P_i for a root of unity w, over one domain or several at once. Points stay on the
   * GPU from stage to stage.
   *
   * @param points prepared, of the subgroup of prime order, or zeros for infinity, at most `mostTransformed`: domain
   * behind domain, each in bit-reversed order. Where results are divided, a domain's first point is divided before.
   * @param factors in halves, of 32 bytes: w^i for i < n / 2 and the largest domain; where results are divided also the
   * same powers of each domain's w times 1 / d, the domain of one point left out.
   */
  async transform(
    points: Uint8Array,
    domains: PointDomains,
    factors: Uint8Array,
    options: TransformCall = {},
  ): Promise<Uint8Array> {
    const count = this.countOf([points], this.mostTransformed);
    if (count !== pointsOfTransform(domains)) {
      throw new PippinError('INVALID_LENGTH', `expected ${pointsOfTransform(domains)} points, got ${count}`);
    }
    if (domains.to > 0) expectFactors(factors, factorsOfTransform(domains));
    const rows = Math.min(this.mostPoints, Math.ceil(count / 2));
    const runs = [...transformRuns(domains, rows)];
    const dispatches = runs.flatMap((run) => butterflyDispatches(run, this.exponentBits));
    const [transformed] = await this.compute({ points: [points], factors, dispatches, rows }, options);
    return transformed!;
  }

  /** Frees the memory when the pending computations have ended. */
  destroy(): void {
    void this.gpu.turns.run(async () => this.scratch.destroy());
  }

  /** The points in arrays of the same lengths, after the dispatches. */
  private async compute(work: PointsWork, options: TransformCall): Promise<Uint8Array[]> {
    const { signal } = options;
    throwIfAborted(signal);
    if (work.dispatches.length === 0) return work.points.map((points) => points.slice());
    const turn = this.gpu.turns.run(() => this.submit(work, options));
    return untilAborted(
      turn.then(({ finished }) => finished),
      signal,
    );
  }

  private async submit(
    { points, factors, dispatches, rows }: PointsWork,
    { signal, onProgress }: TransformCall,
  ): Promise<{ readonly finished: Promise<Uint8Array[]> }> {
    throwIfAborted(signal);
    const { gpu, scratch, pace } = this;
    gpu.throwIfLost();
    const pipelines = await untilAborted(this.ready, signal);
    const sizes = points.map(({ length }) => length);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    const count = size / this.layout.baseBytes;
    const bytes = this.bytesFor(count, rows, factors.length / SCALAR_BYTES);
    const readback = await gpu.readbacks.take(size);
    try {
      const all: PointStep[] = [
        upload('points', ...points),
        upload('factors', factors),
        upload('exponent', this.exponent),
        ...dispatches.map((dispatch) => ({ kind: 'dispatch', dispatch }) as const),
        { kind: 'read back', buffer: 'points', size, target: readback },
        { kind: 'wipe' },
      ];
      await scratch.prepare(layOut(bytes, lifetimesOf(all)), gpu.memory.workRoom);
      const { finished } = await submitSteps(gpu, all, {
        pipelines,
        scratch,
        limbs: this.layout.limbs,
        pace,
        stageTimer: undefined,
        isSecret: true,
        signal,
        onProgress,
      });
      const read = gpu.readbacks.read(readback, size, (mapped) => partsOf(mapped, sizes));
      return { finished: Promise.all([read, finished]).then(([made]) => made) };
    } catch (error) {
      gpu.readbacks.drop(readback);
      throw error;
    }
  }

  private bytesFor(points: number, rows: number, factors: number): BufferBytes<PointBuffer> {
    const { baseBytes, sumBytes } = this.layout;
    return {
      points: points * baseBytes,
      factors: factors * SCALAR_BYTES,
      multiples: MULTIPLES * rows * sumBytes,
      sums: rows * sumBytes,
      exponent: this.exponent.byteLength,
    };
  }

  private get exponentBits(): number {
    return 32 * this.exponent.length;
  }

  private get mostBinding(): number {
    return Math.min(this.gpu.limits.maxStorageBufferBindingSize, this.gpu.limits.maxBufferSize);
  }

  /** The points in all arrays together; `INVALID_LENGTH` if there are more. */
  private countOf(points: readonly Uint8Array[], most: number): number {
    const bytes = points.reduce((sum, { length }) => sum + length, 0);
    const count = bytes / preparedPointBytes(this.curve, this.group);
    if (Number.isInteger(count) && count <= most) return count;
    throw new PippinError('INVALID_LENGTH', `expected at most ${most} points, got ${bytes} bytes`);
  }

  /** p - 2 for coordinates modulo p, in words. */
  private exponentOfInverse(): Uint32Array {
    const exponent = CURVES[this.curve].fq.modulus - 2n;
    return new Uint32Array(bigintToBytes(exponent, U32_BYTES * this.layout.words).buffer);
  }
}

/** Copies of parts of these sizes, one after another. */
function partsOf(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return bytes.slice(at - size, at);
  });
}

/** Uploads arrays one after another. */
function upload(buffer: PointBuffer, ...data: readonly (Uint8Array | Uint32Array)[]): PointStep {
  return {
    kind: 'upload',
    buffer,
    async run(write) {
      let at = 0;
      for (const part of data) {
        await write(at, part);
        at += part.byteLength;
      }
    },
  };
}

/** `INVALID_LENGTH` unless there are so many factors. */
function expectFactors(factors: Uint8Array, count: number): void {
  if (factors.length === count * SCALAR_BYTES) return;
  throw new PippinError('INVALID_LENGTH', `expected ${count} scalars, got ${factors.length} bytes`);
}

function sumOfBytes(bytes: BufferBytes<PointBuffer>): number {
  return Object.values(bytes).reduce((sum, each) => sum + each, 0);
}
