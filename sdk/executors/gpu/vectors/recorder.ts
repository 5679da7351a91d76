import { PippinError } from '../../../base/errors.js';
import { type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { ElementBuffers } from '../element-buffers.js';
import { GpuTwiddleTable } from '../polynomials/twiddle-table.js';
import type { GpuDevice } from '../runtime/device.js';
import type { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import { Scratch } from '../runtime/scratch.js';
import { layOut } from '../runtime/scratch-layout.js';
import type { GpuKernel } from '../runtime/stage.js';
import { Submitter } from '../runtime/submitter.js';
import { GpuVector, type VectorOwner } from './gpu-vector.js';
import { type Answer, fail, failureOf, type Operation, type Recorded, type VectorStep } from './operation.js';
import { VectorMemory } from './vector-memory.js';
import type { VectorBuffer } from './vector-stages.js';

/** A buffer that is read back, or why there is none. */
interface Readback {
  readonly buffer?: GPUBuffer;
  readonly failure?: unknown;
}

/** Operations are submitted at the latest when so many wait. */
const MOST_PENDING = 24;

/** Steps that are submitted together. */
const MOST_STEPS = 64;

/** What the recorder computes with. */
export interface RecorderOptions {
  readonly curve: CurveId;
  readonly pipelines: Promise<ReadonlyMap<GpuKernel, StagePipeline>>;
  readonly pace: Pace;
  readonly limbs: number;
}

/**
 * Operations on vectors in the order in which they were asked for. They are submitted together, in a turn on the
 * device: when an answer or an MSM waits for them, when many are pending, or when nothing else is to be done. Nothing
 * waits for a single operation. One that fails, or whose signal has fired, leaves its target without elements, and so
 * does each that reads it. After a failed submit all vectors are lost.
 */
export class Recorder implements VectorOwner {
  private readonly scratch: Scratch<VectorBuffer>;
  private readonly memory: VectorMemory;
  private readonly twiddles: GpuTwiddleTable;
  private readonly vectors = new Set<GpuVector>();
  private pending: Recorded[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isAsked = false;
  private lost = 0;
  /** The scratch that operations have taken so far. */
  private readonly sizes = new Map<VectorBuffer, number>();
  /** Submitted operations whose end, well or not, has not been seen. */
  private readonly unsettled = new Set<Promise<unknown>>();

  constructor(
    private readonly gpu: GpuDevice,
    private readonly options: RecorderOptions,
  ) {
    this.scratch = new Scratch(gpu);
    this.memory = new VectorMemory(gpu);
    this.twiddles = new GpuTwiddleTable(gpu, options.curve);
  }

  /** How often all vectors were lost. */
  get losses(): number {
    return this.lost;
  }

  /** A vector that an operation computes, which is to be recorded next. */
  vector(length: number, isLasting: boolean): GpuVector {
    const vector = new GpuVector(this, length, isLasting);
    this.vectors.add(vector);
    return vector;
  }

  record(operation: Operation): void {
    this.add({ operation, answer: undefined });
  }

  /**
   * The bytes that an operation answers. Answers that are asked for before the caller waits come together.
   *
   * @param bytes how many: a multiple of 4, not 0.
   */
  ask(operation: Operation, bytes: number): Promise<Uint8Array> {
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      this.add({ operation, answer: { bytes, resolve, reject } });
    });
    if (!this.isAsked) {
      this.isAsked = true;
      queueMicrotask(() => this.flush());
    }
    return answer;
  }

  release(vector: GpuVector): void {
    this.add({ released: vector });
  }

  /** Submits what is pending, in the next turn on the device. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isAsked = false;
    const recorded = this.pending;
    if (recorded.length === 0) return;
    this.pending = [];
    const settled = this.gpu.turns
      .run(() => this.submit(recorded))
      .then(({ finished }) => finished)
      // Other steps may be using the vectors.
      .catch((error) => this.gpu.turns.run(async () => this.loseAll(error)))
      .finally(() => this.unsettled.delete(settled));
    this.unsettled.add(settled);
  }

  /** Fulfilled when a vector has been computed. Rejects if it could not be. */
  async settled(vector: GpuVector): Promise<void> {
    this.flush();
    await Promise.all(this.unsettled);
    if (vector.failure !== undefined) throw vector.failure;
  }

  /** Frees what is kept for later operations, when the pending ones are done. */
  free(): void {
    this.flush();
    void this.gpu.turns.run(async () => {
      this.memory.destroy();
      this.scratch.destroy();
      this.twiddles.destroy();
    });
  }

  private add(recorded: Recorded): void {
    this.pending.push(recorded);
    if (this.pending.length >= MOST_PENDING) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), 0);
  }

  private async submit(recorded: readonly Recorded[]): Promise<{ readonly finished: Promise<void> }> {
    const answers = recorded.flatMap((each) => ('answer' in each && each.answer !== undefined ? [each.answer] : []));
    const size = answers.reduce((sum, { bytes }) => sum + bytes, 0);
    let submitter: Submitter<VectorBuffer> | undefined;
    let readback: Readback = {};
    try {
      const ready = await this.prepare(recorded);
      if (size > 0) readback = await this.readbackOf(size);
      submitter = ready.submitter;
      await this.submitEach(recorded, submitter, ready.twiddles, readback);
    } catch (error) {
      if (readback.buffer !== undefined) this.gpu.readbacks.drop(readback.buffer);
      this.failAll(recorded, error);
      submitter?.close();
      const isLost = error instanceof PippinError && error.code === 'DEVICE_LOST';
      if (submitter !== undefined || isLost) this.loseAll(error);
      return { finished: Promise.resolve() };
    }
    const finished = submitter.finish();
    if (readback.buffer !== undefined) void this.read(readback.buffer, size, answers, finished);
    return { finished };
  }

  /** Makes the memory ready that all operations share. */
  private async prepare(
    recorded: readonly Recorded[],
  ): Promise<{ readonly submitter: Submitter<VectorBuffer>; readonly twiddles: GPUBuffer | undefined }> {
    const { gpu, scratch, sizes } = this;
    const { pipelines, pace, limbs } = this.options;
    gpu.throwIfLost();
    const compiled = await pipelines;
    const operations = recorded.flatMap((each) => ('operation' in each ? [each.operation] : []));
    for (const { scratch: needed = {} } of operations) {
      for (const [name, bytes] of Object.entries(needed) as [VectorBuffer, number][]) {
        sizes.set(name, Math.max(bytes, sizes.get(name) ?? 0));
      }
    }
    const all = operations.length > 0 ? [...sizes] : [];
    const always = { from: 0, to: Number.POSITIVE_INFINITY };
    const layout = layOut(Object.fromEntries(all), new Map(all.map(([name]) => [name, always])));
    try {
      await scratch.prepare(layout, gpu.memory.workRoom);
    } catch (error) {
      sizes.clear();
      throw error;
    }
    const options = { pipeline: (kernel: GpuKernel) => compiled.get(kernel)!, scratch, limbs, pace };
    const log = Math.max(-1, ...operations.map(({ transformLog = -1 }) => transformLog));
    const run = async (steps: readonly VectorStep[]): Promise<void> => {
      const submitter = new Submitter(gpu, options);
      await submitter.submit(steps);
      await submitter.finish();
    };
    const twiddles = log < 0 ? undefined : await this.twiddles.withAtLeast(log, run, undefined);
    return { submitter: new Submitter(gpu, { ...options, isSecret: true }), twiddles };
  }

  private async submitEach(
    recorded: readonly Recorded[],
    submitter: Submitter<VectorBuffer>,
    twiddles: GPUBuffer | undefined,
    readback: Readback,
  ): Promise<void> {
    const { gpu, memory } = this;
    const steps: VectorStep[] = [];
    const submitted = (): Promise<void> => submitter.submit(steps.splice(0));
    const lasting: GPUBuffer[] = [];
    let at = 0;
    for (const each of recorded) {
      if ('released' in each) {
        const { released } = each;
        const { elements, length } = released;
        this.vectors.delete(released);
        released.elements = undefined;
        if (elements === undefined) continue;
        if (released.isLasting) {
          lasting.push(...elements.buffers);
          continue;
        }
        for (const { buffer, count } of elements.parts(0, length)) {
          steps.push({ kind: 'encode', run: (encoder) => encoder.clearBuffer(buffer, 0, count * SCALAR_BYTES) });
        }
        for (const buffer of elements.buffers) memory.give(buffer);
        continue;
      }
      const { operation, answer } = each;
      let to = at;
      at += answer?.bytes ?? 0;
      const { target } = operation;
      const failure = (answer && readback.failure) ?? failureOf(operation, memory);
      if (failure !== undefined) {
        fail(each, failure);
        continue;
      }
      if (target !== undefined) {
        const lack = await this.allocate(target, submitted);
        if (lack !== undefined) {
          fail(each, lack);
          continue;
        }
      }
      const toAnswer = (buffer: VectorBuffer | GPUBuffer, from: number, size: number): VectorStep => {
        const offset = to;
        to += size;
        return {
          kind: 'encode',
          run: (encoder, get) => {
            const source = typeof buffer === 'string' ? get(buffer) : buffer;
            encoder.copyBufferToBuffer(source, from, readback.buffer!, offset, size);
          },
        };
      };
      steps.push(...operation.steps({ twiddles: twiddles!, answer: toAnswer }));
      if (steps.length >= MOST_STEPS) await submitted();
    }
    // Nothing of the vectors stays in the scratch.
    steps.push({ kind: 'wipe' });
    await submitted();
    for (const buffer of lasting) gpu.memory.destroy(buffer);
  }

  /** What answers are copied to. Where there is no memory for it, only they fail. */
  private async readbackOf(size: number): Promise<Readback> {
    try {
      return { buffer: await this.gpu.readbacks.take(size) };
    } catch (failure) {
      this.gpu.throwIfLost();
      return { failure };
    }
  }

  /** Takes or makes a vector's buffers. Returns why there are none. @param submitted submits all steps so far. */
  private async allocate(target: GpuVector, submitted: () => Promise<void>): Promise<unknown> {
    const { memory, gpu, scratch } = this;
    const buffers: GPUBuffer[] = [];
    for (const bytes of memory.sizes(target.length)) {
      let buffer = target.isLasting ? undefined : memory.take(bytes);
      if (buffer === undefined) {
        // To make room, memory may be freed that earlier steps use.
        await submitted();
        try {
          buffer = await memory.create(bytes, target.isLasting, scratch);
        } catch (error) {
          for (const made of buffers) gpu.memory.destroy(made);
          gpu.throwIfLost();
          return error;
        }
      }
      buffers.push(buffer);
    }
    target.elements = new ElementBuffers(buffers, memory.elementsPerBuffer);
    return undefined;
  }

  /** Gives each answer its part of a readback. */
  private async read(
    readback: GPUBuffer,
    size: number,
    answers: readonly Answer[],
    finished: Promise<void>,
  ): Promise<void> {
    try {
      const [all] = await Promise.all([this.gpu.readbacks.read(readback, size), finished]);
      let at = 0;
      for (const { bytes, resolve } of answers) {
        resolve(all.slice(at, at + bytes));
        at += bytes;
      }
      all.fill(0);
    } catch (error) {
      for (const { reject } of answers) reject(error);
    }
  }

  /** What was recorded is not computed; vectors that were to be released are freed. */
  private failAll(recorded: readonly Recorded[], error: unknown): void {
    for (const each of recorded) {
      if ('operation' in each) fail(each, error);
      else this.drop(each.released);
    }
  }

  /** After a failed submit, nobody knows what the vectors hold. */
  private loseAll(error: unknown): void {
    this.lost++;
    for (const vector of [...this.vectors]) {
      vector.failure ??= error;
      this.drop(vector);
    }
    this.memory.destroy();
    this.scratch.destroy();
  }

  private drop(vector: GpuVector): void {
    this.vectors.delete(vector);
    for (const buffer of vector.elements?.buffers ?? []) this.gpu.memory.destroy(buffer);
    vector.elements = undefined;
  }
}
