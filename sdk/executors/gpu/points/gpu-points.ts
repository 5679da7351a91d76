import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { bigintToBytes, copyBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, SCALAR_BYTES } from '../../../curves/index.js';
import { type PointLayout, pointLayout } from '../msm/point-layout.js';
import type { GpuDevice } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import { Scratch } from '../runtime/scratch.js';
import { type BufferBytes, layOut, lifetimesOf } from '../runtime/scratch-layout.js';
import { type GpuKernel, U32_BYTES } from '../runtime/stage.js';
import type { Step } from '../runtime/steps.js';
import { submitSteps } from '../runtime/submitter.js';
import { pointKernelCode, pointKernelKey } from './compose.js';
import {
  ladderStage,
  MULTIPLES,
  multiplesStage,
  normalizeStage,
  POINT_KERNELS,
  type PointBuffer,
  pointButterflyStage,
} from './point-stages.js';

/** The most points that are multiplied together. More would take memory and make a GPU no faster. */
const MOST_POINTS = 2 ** 16;

type PointStep = Step<PointBuffer>;

interface PointsCall {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Points, in arrays one after another, with their scalars, and the points that products are added to and subtracted
 * from.
 */
interface PointsWork {
  readonly points: readonly Uint8Array[];
  readonly scalars: Uint8Array;
  readonly addends: Uint8Array | undefined;
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
    this.ready = this.compile();
    this.ready.catch(() => undefined);
  }

  /** The most points, or pairs, of one call, by the device's limits and memory. */
  get mostPoints(): number {
    const { maxStorageBufferBindingSize, maxBufferSize } = this.gpu.limits;
    const { sumBytes } = this.layout;
    const byLimits = Math.min(maxStorageBufferBindingSize, maxBufferSize) / (MULTIPLES * sumBytes);
    const perPoint = sumOfBytes(this.bytesFor(1, 1, 2));
    return Math.floor(Math.min(MOST_POINTS, byLimits, this.gpu.memory.workRoom / perPoint));
  }

  /**
   * Each point times its scalar, prepared as the points are, in as many arrays of the same lengths.
   *
   * @param points prepared, at most `mostPoints` in all arrays together; zeros for infinity, which stays.
   * @param scalars canonical, of 32 bytes: one for each point, or one for all.
   */
  async scale(points: readonly Uint8Array[], scalars: Uint8Array, options: PointsCall = {}): Promise<Uint8Array[]> {
    return this.compute({ points, scalars, addends: undefined }, options);
  }

  /**
   * The butterflies of an NTT over points: all a_i + w_i b_i, and all a_i - w_i b_i, prepared or zeros.
   *
   * @param a prepared, or zeros for infinity, at most `mostPoints`.
   * @param b as many.
   * @param factors canonical, of 32 bytes: one for each pair, or one for all.
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
    const [sums, differences] = await this.compute({ points: [b], scalars: factors, addends: a }, options);
    return [sums!, differences!];
  }

  /** Frees the memory when the pending computations have ended. */
  destroy(): void {
    void this.gpu.turns.run(async () => this.scratch.destroy());
  }

  /** The products in arrays of the points' lengths; with addends all sums, and all differences. */
  private async compute({ points, scalars, addends }: PointsWork, { signal }: PointsCall): Promise<Uint8Array[]> {
    throwIfAborted(signal);
    const sizes = points.map(({ length }) => length);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    const count = size / preparedPointBytes(this.curve, this.group);
    if (!Number.isInteger(count) || count > this.mostPoints) {
      throw new PippinError('INVALID_LENGTH', `expected at most ${this.mostPoints} points, got ${size} bytes`);
    }
    const stride = scalars.length === SCALAR_BYTES ? 0 : 1;
    if (stride === 1 && scalars.length !== count * SCALAR_BYTES) {
      throw new PippinError('INVALID_LENGTH', `expected 1 or ${count} scalars, got ${scalars.length} bytes`);
    }
    if (count === 0) return sizes.map(() => new Uint8Array(0));
    const recoded = recode(scalars);
    const exponentBits = 32 * this.exponent.length;
    const dispatches = [
      ...multiplesStage.dispatches({ count }),
      ...ladderStage.dispatches({ count, stride }),
      ...(addends === undefined
        ? normalizeStage.dispatches({ count, exponentBits, of: 'sums' })
        : [
            ...pointButterflyStage.dispatches({ count }),
            ...normalizeStage.dispatches({ count: 2 * count, exponentBits, of: 'multiples' }),
          ]),
    ];
    const results = addends === undefined ? sizes : [size, size];
    const steps: PointStep[] = [
      upload('bases', ...points),
      upload('scalars', recoded),
      upload('exponent', this.exponent),
      ...(addends === undefined ? [] : [upload('addends', addends)]),
      ...dispatches.map((dispatch) => ({ kind: 'dispatch', dispatch }) as const),
    ];
    const bytes = this.bytesFor(count, recoded.byteLength / SCALAR_BYTES, addends === undefined ? count : 2 * count);
    try {
      const turn = this.gpu.turns.run(() => this.submit(steps, bytes, results, signal));
      return await untilAborted(
        turn.then(({ finished }) => finished),
        signal,
      );
    } finally {
      recoded.fill(0);
    }
  }

  private async submit(
    steps: readonly PointStep[],
    bytes: BufferBytes<PointBuffer>,
    results: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<{ readonly finished: Promise<Uint8Array[]> }> {
    throwIfAborted(signal);
    const { gpu, scratch, pace } = this;
    gpu.throwIfLost();
    const pipelines = await untilAborted(this.ready, signal);
    const size = bytes.points!;
    const readback = await gpu.readbacks.take(size);
    try {
      const all: PointStep[] = [
        ...steps,
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
        onProgress: undefined,
      });
      const read = gpu.readbacks.read(readback, size, (mapped) => partsOf(mapped, results));
      return { finished: Promise.all([read, finished]).then(([points]) => points) };
    } catch (error) {
      gpu.readbacks.drop(readback);
      throw error;
    }
  }

  private bytesFor(count: number, scalars: number, results: number): BufferBytes<PointBuffer> {
    const { baseBytes, sumBytes } = this.layout;
    return {
      bases: count * baseBytes,
      ...(results > count && { addends: count * baseBytes }),
      scalars: scalars * SCALAR_BYTES,
      multiples: MULTIPLES * count * sumBytes,
      sums: count * sumBytes,
      points: results * baseBytes,
      exponent: this.exponent.byteLength,
    };
  }

  /** q - 2 for a coordinate field of q elements, in words. */
  private exponentOfInverse(): Uint32Array {
    const { degree, words } = this.layout;
    const exponent = CURVES[this.curve].fq.modulus ** BigInt(degree) - 2n;
    return new Uint32Array(bigintToBytes(exponent, U32_BYTES * degree * words).buffer);
  }

  private async compile(): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const { gpu, curve, group } = this;
    const compiled = POINT_KERNELS.map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
      const code = await pointKernelCode(curve, group, kernel);
      return [kernel, await gpu.pipelines.get(pointKernelKey(curve, group, kernel), kernel, code)];
    });
    return new Map(await Promise.all(compiled));
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

/** Adds 8 in every window of 4 bits: then each window's value minus 8 is its signed digit. */
function recode(scalars: Uint8Array): Uint32Array {
  const words = new Uint32Array(copyBytes(scalars).buffer);
  const wordsOfScalar = SCALAR_BYTES / U32_BYTES;
  for (let i = 0, carry = 0; i < words.length; i++) {
    if (i % wordsOfScalar === 0) carry = 0;
    const sum = words[i]! + 0x88888888 + carry;
    words[i] = sum;
    carry = sum >= 2 ** 32 ? 1 : 0;
  }
  return words;
}

function sumOfBytes(bytes: BufferBytes<PointBuffer>): number {
  return Object.values(bytes).reduce((sum, each) => sum + each, 0);
}
