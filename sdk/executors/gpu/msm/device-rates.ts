import type { GroupId } from '../../../curves/index.js';
import type { GpuDevice } from '../runtime/device.js';
import { BufferUsage } from '../runtime/flags.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import { Scratch } from '../runtime/scratch.js';
import { layOut, lifetimesOf } from '../runtime/scratch-layout.js';
import { type GpuKernel, U32_BYTES } from '../runtime/stage.js';
import type { Step } from '../runtime/steps.js';
import { submitSteps } from '../runtime/submitter.js';
import { ADDITION_COST } from './cost.js';
import type { PointLayout } from './point-layout.js';
import { accumulateStage } from './stages/accumulate.js';
import type { MsmBuffer } from './stages/msm-stage.js';
import { SLOTS_AT } from './stages/pieces.js';

/** Device properties that plan costs depend on. */
export interface DeviceRates {
  /** Additions done in the time of one: the number of threads that run concurrently. */
  readonly concurrency: number;
  /** G1 additions done in the time of uploading one scalar. */
  readonly uploadCost: number;
}

/** Additions per thread. */
const LENGTH = 8;

/**
 * Bases that threads read, and the length of the list of their indices. The list is the timed upload: 2 MiB, as large
 * as one upload of scalars.
 */
const BASES = 4096;
const LISTED_BASES = 2 ** 19;

/** Threads that certainly run concurrently: one workgroup. */
const FEW = 64;

/** Threads that occupy most devices, and threads that occupy large ones. */
const MANY = [4096, 32_768];

/** A device is occupied when its threads take this many times as long as a few do. */
const OCCUPIED = 2;

/**
 * A timed run takes at least this many milliseconds, so that a submit's overhead hardly counts, with at most this many
 * repeats.
 */
const LEAST_MS = 5;
const MOST_REPEATS = 256;

/** Shorter runs are timed twice, since a pause of the machine would make one many times as long. */
const SHORT_MS = 50;

/** Results outside these bounds are noise. */
const CONCURRENCY_BOUNDS = [16, 65_536] as const;
const UPLOAD_COST_BOUNDS = [0, 64] as const;

/**
 * Measures a group's additions and uploads on a device, in 100 to 300 ms: few and many threads do the same chain of
 * additions. The clock rate hardly matters, since only ratios count.
 */
export async function measureRates(
  gpu: GpuDevice,
  group: GroupId,
  layout: PointLayout,
  pipelines: ReadonlyMap<GpuKernel, StagePipeline>,
  scalarBytes: number,
): Promise<DeviceRates> {
  // Concurrent measurements would disturb each other.
  return gpu.measurements.run(() => measure(new Probe(gpu, layout, pipelines), group, scalarBytes));
}

async function measure(probe: Probe, group: GroupId, scalarBytes: number): Promise<DeviceRates> {
  try {
    await probe.begin();
    const timeOf = (threads: number) => probe.time((repeats) => additions(probe.bases, threads, repeats));
    let few = await timeOf(FEW);
    let many = few;
    let threads = FEW;
    for (threads of MANY) {
      many = await timeOf(threads);
      // An idle GPU raises its clock meanwhile.
      few = Math.min(few, await timeOf(FEW));
      if (many >= OCCUPIED * few) break;
    }
    const upload = await probe.time((repeats) => Array.from({ length: repeats }, () => fill('sorted', probe.data)));
    const additionMs = many / (threads * LENGTH * ADDITION_COST[group]);
    const scalarMs = (upload * scalarBytes) / probe.data.byteLength;
    return {
      concurrency: Math.round(within(CONCURRENCY_BOUNDS, (threads * few) / many)),
      uploadCost: within(UPLOAD_COST_BOUNDS, scalarMs / additionMs),
    };
  } finally {
    probe.end();
  }
}

/** `value` clamped to the bounds; the upper one for NaN, which results when nothing took time. */
function within([least, most]: readonly [number, number], value: number): number {
  return Number.isNaN(value) ? most : Math.min(Math.max(value, least), most);
}

/** `repeats` times the same dispatch: each of `threads` threads adds up a bucket of `LENGTH` bases. */
function additions(bases: GPUBuffer, threads: number, repeats: number): Step<MsmBuffer>[] {
  const { bindings } = accumulateStage;
  const step: Step<MsmBuffer> = {
    kind: 'dispatch',
    dispatch: {
      kernel: accumulateStage,
      first: 0,
      end: threads,
      // Pieces and full pieces of this length, and buckets that begin empty.
      params: [LENGTH, LENGTH, 0],
      buffers: Object.values(bindings).map(({ buffer }) => (buffer as MsmBuffer | undefined) ?? bases),
      cost: 1,
    },
  };
  return Array.from({ length: repeats }, () => step);
}

function fill(buffer: MsmBuffer, data: Uint32Array): Step<MsmBuffer> {
  return { kind: 'upload', buffer, run: (write) => write(0, data) };
}

/** The buffers of the timed additions. */
class Probe {
  /** The list of bases: their indices, without signs. */
  readonly data = Uint32Array.from({ length: LISTED_BASES }, (_, i) => (i * 1663) % BASES);
  bases = {} as GPUBuffer;
  private readonly scratch: Scratch<MsmBuffer>;
  private readonly pace: Pace;

  constructor(
    private readonly gpu: GpuDevice,
    private readonly layout: PointLayout,
    private readonly pipelines: ReadonlyMap<GpuKernel, StagePipeline>,
  ) {
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
  }

  /** Creates the buffers. Every bucket is one piece. */
  async begin(): Promise<void> {
    const { gpu, layout } = this;
    const size = BASES * layout.baseBytes;
    this.bases = await gpu.memory.create({ label: 'probe', size, usage: BufferUsage.STORAGE, mappedAtCreation: true });
    // Not points of the curve, but distinct, so that the formula meets no special case.
    new Uint32Array(this.bases.getMappedRange()).forEach((_, i, words) => {
      words[i] = i + 1;
    });
    this.bases.unmap();
    const threads = Math.max(...MANY);
    const sizes = {
      sorted: this.data.byteLength,
      counters: (threads + 1) * U32_BYTES,
      pieces: threads * U32_BYTES,
      firstPieces: U32_BYTES,
      bins: (SLOTS_AT + 1) * U32_BYTES,
      buckets: threads * layout.sumBytes,
      slots: layout.sumBytes,
    };
    const lifetimes = lifetimesOf<MsmBuffer>([], Object.keys(sizes) as MsmBuffer[]);
    await this.scratch.prepare(layOut<MsmBuffer>(sizes, lifetimes), Infinity);
    const offsets = Uint32Array.from({ length: threads + 1 }, (_, i) => i * LENGTH);
    const buckets = Uint32Array.from({ length: threads }, (_, i) => i + 1);
    const data = [fill('sorted', this.data), fill('counters', offsets), fill('pieces', buckets)];
    await this.run([...data, { kind: 'clear', buffer: 'bins' }, ...additions(this.bases, FEW, 1)]);
  }

  /** Milliseconds per repeat. */
  async time(steps: (repeats: number) => Step<MsmBuffer>[]): Promise<number> {
    let repeats = 1;
    let ms = await this.run(steps(repeats));
    while (ms < LEAST_MS && repeats < MOST_REPEATS) {
      repeats = Math.min(MOST_REPEATS, repeats * Math.max(2, Math.ceil(LEAST_MS / ms)));
      ms = await this.run(steps(repeats));
    }
    if (ms < SHORT_MS) ms = Math.min(ms, await this.run(steps(repeats)));
    return ms / repeats;
  }

  end(): void {
    this.scratch.destroy();
    if (this.bases !== undefined) this.gpu.memory.destroy(this.bases);
  }

  /** Milliseconds until the device is done with the steps. */
  private async run(steps: Step<MsmBuffer>[]): Promise<number> {
    const { gpu, scratch, pace, pipelines } = this;
    const start = performance.now();
    const { finished } = await submitSteps(gpu, steps, {
      pipelines,
      scratch,
      limbs: this.layout.limbs,
      pace,
      stageTimer: undefined,
      isSecret: false,
      signal: undefined,
      onProgress: undefined,
    });
    await finished;
    return performance.now() - start;
  }
}
