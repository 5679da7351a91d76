import { FIELD_SHADERS } from '../../../../shaders/generated/index.js';
import { PippinError } from '../../../base/errors.js';
import { CURVES, type CurveId, type GroupId } from '../../../curves/index.js';
import { loadShader } from '../load-shader.js';
import { pointLayout } from '../msm/point-layout.js';
import type { GpuDevice } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import { Scratch } from '../runtime/scratch.js';
import { layOut, lifetimesOf } from '../runtime/scratch-layout.js';
import { type GpuKernel, type Stage, U32_BYTES } from '../runtime/stage.js';
import { stageHeader } from '../runtime/stage-header.js';
import type { Step } from '../runtime/steps.js';
import { submitSteps } from '../runtime/submitter.js';
import { NO_ROOT, type RootBuffer, type RootRun, rootConstants, rootStage } from './root-stages.js';

/** The most points of one call. More make a fast GPU no faster. */
const MOST_POINTS = 2 ** 15;

type RootStep = Step<RootBuffer>;

/** Points that were computed from x and a sign. */
export interface GpuDecompressed {
  /** The points in the form of a .zkey: x and y times R mod p. */
  readonly points: Uint8Array<ArrayBuffer>;
  /** The numbers of points without a y, or whose y has not the sign that was asked for, in order. */
  readonly missing: readonly number[];
}

/**
 * Square roots on a GPU, over one group of a curve whose p is 3 (mod 4): y of points from x and a sign. x never comes
 * from the device, and the sign of y is checked; whether the point is on the curve, is for the caller to check. Device
 * faults reject with `DEVICE_LOST`, `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuRoots {
  /** Fulfilled when the kernel is compiled; rejects if it cannot be. */
  readonly ready: Promise<ReadonlyMap<GpuKernel, StagePipeline>>;
  private readonly stage: Stage<RootBuffer, never, RootRun>;
  private readonly scratch: Scratch<RootBuffer>;
  private readonly pace: Pace;
  /** Words of a coordinate, and limbs of a number. */
  private readonly words: number;
  private readonly limbs: number;

  /**
   * Starts compiling the kernel. `CURVE_MISMATCH` for a curve without kernels on the GPU.
   *
   * @param constants of another equation y^2 = x^3 + b, for tests.
   */
  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    group: GroupId,
    private readonly constants = rootConstants(curve, group),
  ) {
    const { degree, words, limbs } = pointLayout(curve, group);
    this.words = degree * words;
    this.limbs = limbs;
    this.stage = rootStage(degree, words);
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
    this.ready = this.compile();
    this.ready.catch(() => undefined);
  }

  /** The most points of one call, by the device's limits and memory. */
  get mostPoints(): number {
    const { maxStorageBufferBindingSize, maxBufferSize } = this.gpu.limits;
    const bytes = U32_BYTES * this.words;
    const room = this.gpu.memory.workRoom - this.constants.words.byteLength;
    return Math.floor(
      Math.min(MOST_POINTS, maxStorageBufferBindingSize / bytes, maxBufferSize / bytes, room / bytes / 2),
    );
  }

  /** @param compressed of each point x in the form of a .zkey, with the sign of y in the highest bit. */
  async decompress(compressed: Uint8Array): Promise<GpuDecompressed> {
    const given = new Uint32Array(compressed.slice().buffer);
    const count = given.length / this.words;
    if (!Number.isInteger(count) || count > this.mostPoints) {
      throw new PippinError('INVALID_LENGTH', `expected at most ${this.mostPoints} points, got ${given.length} words`);
    }
    if (count === 0) return { points: new Uint8Array(0), missing: [] };
    const { constants } = this;
    const size = given.byteLength;
    const steps: RootStep[] = [
      upload('compressed', given),
      upload('constants', constants.words),
      ...this.stage
        .dispatches({ count, steps: constants.steps })
        .map((dispatch) => ({ kind: 'dispatch', dispatch }) as const),
    ];
    const bytes = { compressed: size, constants: constants.words.byteLength, roots: size };
    const { finished } = await this.gpu.turns.run(() => this.submit(steps, bytes));
    return this.pointsOf(given, new Uint32Array((await finished).buffer));
  }

  /** Frees the memory when the pending computations have ended; a later one takes it again. */
  release(): void {
    void this.gpu.turns.run(async () => this.scratch.destroy());
  }

  private async submit(
    steps: readonly RootStep[],
    bytes: Readonly<Record<RootBuffer, number>>,
  ): Promise<{ readonly finished: Promise<Uint8Array> }> {
    const { gpu, scratch, pace, limbs } = this;
    gpu.throwIfLost();
    const pipelines = await this.ready;
    const size = bytes.roots;
    const readback = await gpu.readbacks.take(size);
    try {
      const all: RootStep[] = [...steps, { kind: 'read back', buffer: 'roots', size, target: readback }];
      await scratch.prepare(layOut(bytes, lifetimesOf(all)), gpu.memory.workRoom);
      const { finished } = await submitSteps(gpu, all, {
        pipelines,
        scratch,
        limbs,
        pace,
        stageTimer: undefined,
        isSecret: false,
        signal: undefined,
        onProgress: undefined,
      });
      const read = gpu.readbacks.read(readback, size);
      return { finished: Promise.all([read, finished]).then(([roots]) => roots) };
    } catch (error) {
      gpu.readbacks.drop(readback);
      throw error;
    }
  }

  private pointsOf(given: Uint32Array, roots: Uint32Array): GpuDecompressed {
    const { words } = this;
    const numberWords = CURVES[this.curve].coordinateBytes / U32_BYTES;
    const points = new Uint32Array(2 * given.length);
    const missing: number[] = [];
    for (let at = 0, to = 0; at < given.length; at += words, to += 2 * words) {
      for (let w = 0; w < words; w++) {
        points[to + w] = given[at + w]!;
        points[to + words + w] = roots[at + w]!;
      }
      const sign = given[at + words - 1]! >>> 31;
      points[to + words - 1]! &= 0x7fffffff;
      let deciding = at;
      // c1 has the sign where c0 is 0.
      if (words > numberWords && isZero(roots, at, numberWords)) deciding += numberWords;
      if (roots[at + words - 1] === NO_ROOT || (roots[deciding]! & 1) !== sign) missing.push(at / words);
    }
    return { points: new Uint8Array(points.buffer), missing };
  }

  private async compile(): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const { gpu, curve, stage } = this;
    const fields: Partial<Record<CurveId, (typeof FIELD_SHADERS)[keyof typeof FIELD_SHADERS]>> = FIELD_SHADERS;
    const field = fields[curve];
    if (field === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with kernels on the GPU, got ${curve}`);
    }
    const header = [stageHeader(stage), ...stage.libraries, stage.shader];
    const code = [await loadShader(curve, field.limbs), ...header].join('\n');
    return new Map([[stage, await gpu.pipelines.get(`root ${curve} ${stage.variant}`, stage, code)]]);
  }
}

function upload(buffer: RootBuffer, data: Uint32Array): RootStep {
  return { kind: 'upload', buffer, run: (write) => write(0, data) };
}

function isZero(words: Uint32Array, at: number, count: number): boolean {
  for (let w = 0; w < count; w++) if (words[at + w] !== 0) return false;
  return true;
}
