import { untilAborted } from './abort.js';
import type { GpuDevice } from './device.js';
import { BufferUsage } from './flags.js';
import type { Pace } from './pace.js';
import { PARAMS_BYTES, type StagePipeline } from './pipelines.js';
import type { Dispatch, ScratchRole, Stage } from './stage.js';
import type { StageTimer } from './stage-timer.js';

/** What a multiplication does, step by step. */
export type Step =
  | { readonly kind: 'dispatch'; readonly dispatch: Dispatch }
  /** Fills a buffer with zeros. */
  | { readonly kind: 'clear'; readonly role: ScratchRole }
  /** Writes to buffers through the queue; awaited before the next step. */
  | { readonly kind: 'upload'; readonly run: () => void | Promise<void> };

/** What the submitter is to work with. */
export interface SubmitterOptions {
  readonly pipeline: (stage: Stage) => StagePipeline;
  readonly buffer: (role: ScratchRole) => GPUBuffer;
  /** The first word of every kernel's `Params`. */
  readonly limbs: number;
  readonly pace: Pace;
  readonly signal?: AbortSignal | undefined;
  /** Told after each submit how much of the work, in point additions, is done. */
  readonly onWork?: ((work: number) => void) | undefined;
  readonly timer?: StageTimer | undefined;
}

/** Distance between the `Params` of two dispatches of a submit: the default alignment of dynamic offsets. */
const PARAMS_STRIDE = 256;
const MAX_DISPATCHES = 64;
/** Dispatches are cut at multiples of this. */
const CUT = 256;
const MAX_WORKGROUPS = 65_535;

/** Submits that may be under way while the next is made ready, so that the GPU does not run dry. */
const IN_FLIGHT = 2;

interface Cut {
  readonly dispatch: Dispatch;
  readonly first: number;
  readonly end: number;
}

interface Submit {
  readonly work: number;
  readonly at: number;
  readonly done: Promise<void>;
}

/** Runs steps on the GPU in submits that stay short, with at most two of them under way. */
export class Submitter {
  private readonly params: GPUBuffer;
  private readonly words = new Uint32Array((MAX_DISPATCHES * PARAMS_STRIDE) / 4);
  private readonly bindGroups = new Map<Dispatch, GPUBindGroup>();
  private pending: (Cut | { readonly clear: ScratchRole })[] = [];
  private dispatches = 0;
  private work = 0;
  private inFlight: Submit[] = [];
  private lastDone = 0;

  constructor(
    private readonly gpu: GpuDevice,
    private readonly options: SubmitterOptions,
  ) {
    this.params = gpu.device.createBuffer({
      label: 'params',
      size: MAX_DISPATCHES * PARAMS_STRIDE,
      usage: BufferUsage.UNIFORM | BufferUsage.COPY_DST,
    });
  }

  /** Runs the steps in their order and waits for the last one. Rejects with `ABORTED` as soon as the signal fires. */
  async run(steps: Iterable<Step>): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'upload') {
        await this.flush();
        await untilAborted(Promise.resolve(step.run()), this.options.signal);
      } else if (step.kind === 'clear') {
        this.pending.push({ clear: step.role });
      } else {
        await this.add(step.dispatch);
      }
    }
    await this.flush();
    while (this.inFlight.length > 0) await this.awaitOldest();
  }

  destroy(): void {
    this.params.destroy();
  }

  /** Adds a dispatch to the submit that is being made, in as many pieces as its work asks for. */
  private async add(dispatch: Dispatch): Promise<void> {
    for (let first = dispatch.first; first < dispatch.end; ) {
      const room = Math.floor((this.options.pace.budget - this.work) / dispatch.cost / CUT) * CUT;
      if (this.dispatches === MAX_DISPATCHES || (room <= 0 && this.work > 0)) {
        await this.flush();
        continue;
      }
      const end = Math.min(dispatch.end, first + Math.max(room, CUT));
      this.pending.push({ dispatch, first, end });
      this.dispatches++;
      this.work += (end - first) * dispatch.cost;
      first = end;
    }
  }

  private async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    const { value, done } = this.gpu.checked(() => {
      this.gpu.device.queue.submit([this.encode()]);
      return this.gpu.whileAlive(this.gpu.device.queue.onSubmittedWorkDone());
    });
    const finished = Promise.all([value, done, this.options.timer?.collect()]).then(() => undefined);
    finished.catch(() => undefined);
    this.inFlight.push({ work: this.work, at: performance.now(), done: finished });
    this.pending = [];
    this.dispatches = 0;
    this.work = 0;
    if (this.inFlight.length >= IN_FLIGHT) await this.awaitOldest();
  }

  private async awaitOldest(): Promise<void> {
    const submit = this.inFlight.shift()!;
    await untilAborted(submit.done, this.options.signal);
    const now = performance.now();
    this.options.pace.learn(submit.work, now - Math.max(submit.at, this.lastDone));
    this.lastDone = now;
    this.options.onWork?.(submit.work);
  }

  private encode(): GPUCommandBuffer {
    const { device } = this.gpu;
    const { timer } = this.options;
    const encoder = device.createCommandEncoder();
    let pass: GPUComputePassEncoder | undefined;
    let slot = 0;
    for (const item of this.pending) {
      if ('clear' in item) {
        pass?.end();
        pass = undefined;
        encoder.clearBuffer(this.options.buffer(item.clear));
        continue;
      }
      const timestampWrites = timer?.next(item.dispatch.stage.name);
      if (timestampWrites !== undefined) {
        pass?.end();
        pass = undefined;
      }
      pass ??= encoder.beginComputePass(timestampWrites === undefined ? {} : { timestampWrites });
      this.encodeCut(pass, item, slot++);
    }
    pass?.end();
    timer?.resolve(encoder);
    device.queue.writeBuffer(this.params, 0, this.words, 0, (slot * PARAMS_STRIDE) / 4);
    return encoder.finish();
  }

  private encodeCut(pass: GPUComputePassEncoder, { dispatch, first, end }: Cut, slot: number): void {
    const offset = slot * PARAMS_STRIDE;
    this.words.set([this.options.limbs, first, end, ...dispatch.params], offset / 4);
    pass.setPipeline(this.options.pipeline(dispatch.stage).pipeline);
    pass.setBindGroup(0, this.bindGroup(dispatch), [offset]);
    const workgroups = Math.ceil((end - first) / dispatch.stage.workgroupSize);
    const x = Math.min(workgroups, MAX_WORKGROUPS);
    pass.dispatchWorkgroups(x, Math.ceil(workgroups / x));
  }

  private bindGroup(dispatch: Dispatch): GPUBindGroup {
    let group = this.bindGroups.get(dispatch);
    if (group === undefined) {
      const { stage, buffers } = dispatch;
      group = this.gpu.device.createBindGroup({
        label: stage.name,
        layout: this.options.pipeline(stage).layout,
        entries: [
          { binding: 0, resource: { buffer: this.params, size: PARAMS_BYTES } },
          ...buffers.map((buffer, i) => ({
            binding: i + 1,
            resource: { buffer: typeof buffer === 'string' ? this.options.buffer(buffer) : buffer },
          })),
        ],
      });
      this.bindGroups.set(dispatch, group);
    }
    return group;
  }
}
