import { untilAborted } from '../../../base/abort.js';
import type { GpuDevice } from './device.js';
import type { Pace } from './pace.js';
import type { StagePipeline } from './pipelines.js';
import type { Scratch } from './scratch.js';
import type { Dispatch, GpuKernel } from './stage.js';
import type { StageTimer, StageTimes } from './stage-timer.js';
import type { StagingChunk } from './staging.js';
import { type Step, type Write, workOf } from './steps.js';
import { MAX_DISPATCHES, PARAMS_BYTES, PARAMS_STRIDE, RUNTIME_PARAMS, SUBMIT_PARAMS_BYTES } from './submit-params.js';

/** The options of a submitter. */
interface SubmitterOptions<Buffer extends string> {
  readonly pipeline: (kernel: GpuKernel) => StagePipeline;
  /** Memory prepared for the steps. */
  readonly scratch: Scratch<Buffer>;
  /** `limbs` of every kernel's `Params`. */
  readonly limbs: number;
  readonly pace: Pace;
  readonly signal?: AbortSignal | undefined;
  /** Called after each submit with its work. */
  readonly onWork?: ((work: number) => void) | undefined;
  readonly timer?: StageTimer | undefined;
  /** Whether staging memory is wiped after each upload. */
  readonly isSecret?: boolean | undefined;
}

/** Dispatches are cut at multiples of this. */
const CUT = 256;
const MAX_WORKGROUPS = 65_535;

/** The part of a dispatch that goes into one submit. */
interface Part<Buffer extends string> {
  readonly kind: 'part';
  readonly dispatch: Dispatch<Buffer>;
  readonly first: number;
  readonly end: number;
}

/** A step that is neither split into parts nor run by the host. */
type Whole<Buffer extends string> = Exclude<Step<Buffer>, { kind: 'dispatch' | 'upload' }>;

/**
 * Runs steps on the GPU in short submits. While the device works through the pace's budget, the next submit is encoded
 * and queued behind it, so that the GPU never idles.
 */
export class Submitter<Buffer extends string> {
  private readonly words = new Uint32Array(SUBMIT_PARAMS_BYTES / 4);
  private pending: (Part<Buffer> | Whole<Buffer>)[] = [];
  private parts = 0;
  private work = 0;
  /** One promise per submit, fulfilled when the device has completed it. */
  private readonly submitted: Promise<void>[] = [];
  /** The staging chunk of the submit being built, and how many of its bytes are filled. */
  private open: { chunk: StagingChunk; filled: number } | undefined;

  constructor(
    private readonly gpu: GpuDevice,
    private readonly options: SubmitterOptions<Buffer>,
  ) {}

  /** Submits the steps in their order. Rejects with `ABORTED` as soon as the signal fires. */
  async submit(steps: Iterable<Step<Buffer>>): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'dispatch') await this.add(step.dispatch);
      else if (step.kind !== 'upload') this.pending.push(step);
      else await untilAborted(step.run(this.writerTo(step.buffer)), this.options.signal);
    }
    await this.flush();
  }

  /** Waits for all submits, and rejects with WebGPU's errors. */
  async finish(): Promise<void> {
    await untilAborted(Promise.all(this.submitted), this.options.signal);
  }

  /** Returns the staging chunk of an interrupted submit. */
  close(): void {
    if (this.open !== undefined) {
      const { chunk, filled } = this.open;
      if (this.options.isSecret) chunk.bytes.fill(0, 0, filled);
      this.gpu.staging.putBack(chunk);
    }
    this.open = undefined;
  }

  /** Adds a dispatch to the submit being built, split into as many parts as its work requires. */
  private async add(dispatch: Dispatch<Buffer>): Promise<void> {
    for (let first = dispatch.first; first < dispatch.end; ) {
      const room = Math.floor((this.options.pace.budget - this.work) / dispatch.cost / CUT) * CUT;
      if (this.parts === MAX_DISPATCHES || (room <= 0 && this.work > 0)) {
        await this.flush();
        continue;
      }
      const end = Math.min(dispatch.end, first + Math.max(room, CUT));
      this.pending.push({ kind: 'part', dispatch, first, end });
      this.parts++;
      this.work += (end - first) * dispatch.cost;
      first = end;
    }
  }

  private async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    const { chunk, filled = 0 } = this.open ?? {};
    this.open = undefined;
    const { value, done } = this.gpu.checked(() => {
      const commands = this.encode();
      if (chunk !== undefined) this.gpu.staging.seal(chunk);
      this.gpu.device.queue.submit([commands]);
      if (chunk !== undefined) this.gpu.staging.recycle(chunk, this.options.isSecret ? filled : 0);
      return this.gpu.whileAlive(this.gpu.device.queue.onSubmittedWorkDone());
    });
    const finished = Promise.all([value, done, this.options.timer?.collect()]);
    const { pace, onWork, signal } = this.options;
    const { work } = this;
    const learned = this.gpu.inFlight.add(work / pace.budget, finished).then((ms) => {
      pace.learn(work, ms);
      onWork?.(work);
    });
    // A failure rejects `finish`.
    learned.catch(() => undefined);
    this.submitted.push(learned);
    this.pending = [];
    this.parts = 0;
    this.work = 0;
    await this.gpu.inFlight.room(signal);
  }

  private writerTo(buffer: Buffer): Write {
    return async (byteOffset, data) => {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const { chunkBytes } = this.gpu.staging;
      for (let at = 0; at < bytes.length; ) {
        if (this.open?.filled === chunkBytes) await this.flush();
        this.open ??= { chunk: await this.gpu.staging.acquire(this.options.signal), filled: 0 };
        const { chunk, filled } = this.open;
        const slice = bytes.subarray(at, at + chunkBytes - filled);
        chunk.bytes.set(slice, filled);
        const source = chunk.buffer;
        this.pending.push({ kind: 'copy', source, from: filled, buffer, to: byteOffset + at, size: slice.length });
        this.open.filled += slice.length;
        at += slice.length;
      }
    };
  }

  private encode(): GPUCommandBuffer {
    const { device } = this.gpu;
    const { timer, scratch } = this.options;
    const encoder = device.createCommandEncoder();
    let pass: GPUComputePassEncoder | undefined;
    const endPass = () => {
      pass?.end();
      pass = undefined;
    };
    let slot = 0;
    for (const item of this.pending) {
      if (item.kind !== 'part') {
        endPass();
        this.encodeCopy(encoder, item);
        continue;
      }
      if (timer !== undefined) {
        endPass();
        pass = encoder.beginComputePass({ timestampWrites: timer.next(item.dispatch.kernel.name) });
      }
      pass ??= encoder.beginComputePass();
      this.encodePart(pass, item, slot++);
    }
    endPass();
    timer?.resolve(encoder);
    device.queue.writeBuffer(scratch.params, 0, this.words, 0, (slot * PARAMS_STRIDE) / 4);
    return encoder.finish();
  }

  private encodeCopy(encoder: GPUCommandEncoder, item: Whole<Buffer>): void {
    const { scratch } = this.options;
    if (item.kind === 'wipe') {
      for (const { buffer, bytes } of scratch.used) encoder.clearBuffer(buffer, 0, bytes);
      return;
    }
    if (item.kind === 'encode') {
      item.run(encoder, (buffer) => scratch.get(buffer));
      return;
    }
    const buffer = scratch.get(item.buffer);
    if (item.kind === 'clear') encoder.clearBuffer(buffer, 0, scratch.bytesOf(item.buffer));
    else if (item.kind === 'read back') encoder.copyBufferToBuffer(buffer, 0, item.target, 0, item.size);
    else encoder.copyBufferToBuffer(item.source, item.from, buffer, item.to, item.size);
  }

  private encodePart(pass: GPUComputePassEncoder, { dispatch, first, end }: Part<Buffer>, slot: number): void {
    const offset = slot * PARAMS_STRIDE;
    this.words.set([this.options.limbs, first, end], offset / 4);
    this.words.set(dispatch.params, offset / 4 + RUNTIME_PARAMS.length);
    pass.setPipeline(this.options.pipeline(dispatch.kernel).pipeline);
    pass.setBindGroup(0, this.bindGroup(dispatch), [offset]);
    const workgroups = Math.ceil((end - first) / dispatch.kernel.workgroupSize);
    const x = Math.min(workgroups, MAX_WORKGROUPS);
    pass.dispatchWorkgroups(x, Math.ceil(workgroups / x));
  }

  private bindGroup({ kernel, buffers }: Dispatch<Buffer>): GPUBindGroup {
    const { pipeline, scratch } = this.options;
    const bound = buffers.map((each) => (typeof each === 'string' ? scratch.get(each) : each));
    return this.gpu.bindGroups.get(pipeline(kernel), scratch.params, PARAMS_BYTES, bound, kernel.name);
  }
}

/** The options with which a computation's steps are submitted. */
export interface Submission<Buffer extends string> {
  readonly pipelines: ReadonlyMap<GpuKernel, StagePipeline>;
  /** Memory prepared for the steps. */
  readonly scratch: Scratch<Buffer>;
  /** `limbs` of every kernel's `Params`. */
  readonly limbs: number;
  readonly pace: Pace;
  /** Measures the GPU time of each stage, where the device supports it; undefined for no measurement. */
  readonly stageTimer: typeof StageTimer | undefined;
  /** Whether staging memory is wiped after each upload. */
  readonly isSecret: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called with the completed fraction of the steps' work, from 0 to 1. */
  readonly onProgress: ((fraction: number) => void) | undefined;
}

/**
 * Submits the steps of a computation, in its turn on the device. Fulfilled when all are queued: then other
 * computations' steps may follow, in the same scratch. `finished` is fulfilled when the device has completed them.
 * After a failure the scratch is destroyed, since the final steps, which wipe it, may have failed.
 */
export async function submitSteps<Buffer extends string>(
  gpu: GpuDevice,
  steps: readonly Step<Buffer>[],
  { pipelines, scratch, limbs, pace, stageTimer: Timer, isSecret, signal, onProgress }: Submission<Buffer>,
): Promise<{ readonly finished: Promise<StageTimes | undefined> }> {
  const timer = Timer !== undefined && gpu.has('timestamp-query') ? new Timer(gpu, MAX_DISPATCHES) : undefined;
  const total = workOf(steps);
  let done = 0;
  const submitter = new Submitter(gpu, {
    pipeline: (kernel) => pipelines.get(kernel)!,
    scratch,
    limbs,
    pace,
    signal,
    timer,
    onWork: (work) => {
      done += work;
      onProgress?.(Math.min(1, done / total));
    },
    isSecret,
  });
  try {
    await submitter.submit(steps);
  } catch (error) {
    submitter.close();
    timer?.destroy();
    scratch.destroy();
    throw error;
  }
  const finished = submitter
    .finish()
    .then(() => timer?.stageTimes)
    .finally(() => timer?.destroy());
  // Other computations may be using the scratch by now.
  finished.catch(() => gpu.turns.run(async () => scratch.destroy()));
  return { finished };
}
