import { withTimeout } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';

/** What is looked for after every use of the device, outermost scope first. */
const ERROR_FILTERS: readonly GPUErrorFilter[] = ['validation', 'internal', 'out-of-memory'];

/** Milliseconds that a device which was given up may take to answer what it was asked before. */
const UNANSWERED_MS = 2000;
/** The same for one that was let go, and may still have work. */
const FINISH_MS = 20_000;

/** Milliseconds that a device may take for an answer: it may have two submits to do before, and each of these is waited for by itself. */
const ANSWER_MS = 120_000;
/** The same for a kernel to be compiled. Software adapters on busy machines take minutes. */
export const COMPILE_MS = 900_000;
/** Between two looks at what is unanswered. */
const LOOK_MS = 20_000;

/** A GPU device whose faults come as typed errors and never as a promise that stays pending. */
export class GuardedDevice {
  /** Fulfilled with a `DEVICE_LOST` error once the device is lost, by a fault or by `destroy`. */
  readonly lost: Promise<PippinError>;
  private lostError: PippinError | undefined;
  private abandoned = false;
  private readonly waiting = new Set<(error: PippinError) => void>();
  /** WebGPU's promises that it has not answered yet, and for how long each is still waited for. */
  private readonly unanswered = new Map<Promise<unknown>, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tellLost: (error: PippinError) => void = () => undefined;

  /** @param endsAtOnce whether `GPUDevice.destroy` returns at once, whatever the device was asked. In Dawn for Node it waits for all of that. */
  constructor(
    readonly device: GPUDevice,
    private readonly endsAtOnce = false,
  ) {
    this.lost = new Promise((resolve) => {
      this.tellLost = resolve;
    });
    device.lost.then(({ reason, message }) => this.lose(`${reason ?? 'unknown'}: ${message}`));
  }

  get limits(): GPUSupportedLimits {
    return this.device.limits;
  }

  has(feature: GPUFeatureName): boolean {
    return this.device.features.has(feature);
  }

  throwIfLost(): void {
    if (this.lostError !== undefined) throw this.lostError;
  }

  /**
   * `promise`, or a rejection with `DEVICE_LOST` as soon as the device is lost: some implementations leave theirs pending. A device that leaves
   * it unanswered for `patienceMs` is given up.
   */
  whileAlive<T>(promise: Promise<T>, patienceMs = ANSWER_MS): Promise<T> {
    if (this.unanswered.size === 0 && this.lostError === undefined) this.watch();
    this.unanswered.set(promise, patienceMs);
    const answered = (): void => {
      this.unanswered.delete(promise);
      if (this.unanswered.size === 0) clearTimeout(this.timer);
    };
    promise.then(answered, answered);
    return new Promise<T>((resolve, reject) => {
      if (this.lostError !== undefined) {
        promise.catch(() => undefined);
        reject(this.lostError);
        return;
      }
      this.waiting.add(reject);
      promise
        // A lost device may fail its promises before it tells that it is lost.
        .catch(async (error) => {
          await settleTurn();
          throw this.lostError ?? error;
        })
        .then(resolve, reject)
        .finally(() => this.waiting.delete(reject));
    });
  }

  /**
   * Runs `work`, which must not await, and gives its value beside a promise that rejects with what WebGPU found wrong
   * with it: `OUT_OF_MEMORY`, `INTERNAL` for a validation or driver error, or `DEVICE_LOST`.
   */
  checked<T>(work: () => T): { value: T; done: Promise<void> } {
    this.throwIfLost();
    for (const filter of ERROR_FILTERS) this.device.pushErrorScope(filter);
    let scopes: Promise<void>[] = [];
    let value: T;
    try {
      value = work();
    } finally {
      scopes = ERROR_FILTERS.toReversed().map((filter) => this.popScope(filter));
      for (const scope of scopes) scope.catch(() => undefined);
    }
    return { value, done: Promise.all(scopes).then(() => undefined) };
  }

  private async popScope(filter: GPUErrorFilter): Promise<void> {
    const error = await this.whileAlive(this.device.popErrorScope());
    if (error === null) return;
    if (filter !== 'out-of-memory') throw new PippinError('INTERNAL', `WebGPU reported: ${error.message}`);
    throw new PippinError('OUT_OF_MEMORY', `expected enough GPU memory, got: ${error.message}`, {
      hint: 'give a smaller memoryBudget',
    });
  }

  /** Gives up a device that does not answer: it is lost from now on. */
  abandon(reason: string): void {
    this.abandoned = true;
    this.lose(reason);
    if (this.endsAtOnce) this.device.destroy();
    else void this.answered().then(() => this.device.destroy());
  }

  /**
   * Lets the device go. Calls under way reject with `DEVICE_LOST`. A device that does not end at once does so when WebGPU has answered all that it
   * was asked: Dawn in Node takes the process with it when its thread ends before. Such a device that was given up is waited for two seconds, any other for
   * twenty seconds, and for as long as kernels may take to compile if one is being compiled.
   */
  async destroy(): Promise<void> {
    this.lose('destroyed: it is no longer used');
    if (this.endsAtOnce) {
      this.device.destroy();
      return;
    }
    const isCompiling = [...this.unanswered.values()].some((left) => left > ANSWER_MS);
    const patience = isCompiling ? COMPILE_MS : FINISH_MS;
    const finished = this.answered().then(() => this.device.destroy());
    await withTimeout(this.abandoned ? UNANSWERED_MS : patience, 'the GPU', () => finished).catch(() => undefined);
  }

  /** Fulfilled when WebGPU has answered all that it was asked. */
  private async answered(): Promise<void> {
    while (this.unanswered.size > 0) await Promise.allSettled(this.unanswered.keys());
  }

  /** Counts the time for which answers are due in looks that are far apart: the machine may sleep between two of them. */
  private watch(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const [promise, left] of this.unanswered) {
        this.unanswered.set(promise, left - LOOK_MS);
        if (left <= 0 && this.lostError === undefined) this.abandon('it has left a question unanswered for minutes');
      }
      if (this.lostError === undefined) this.watch();
    }, LOOK_MS);
  }

  private lose(cause: string): void {
    if (this.lostError !== undefined) return;
    const error = new PippinError('DEVICE_LOST', `the GPU device was lost (${cause})`, {
      hint: 'open the device again, or use the wasm backend',
    });
    this.lostError = error;
    clearTimeout(this.timer);
    for (const reject of this.waiting) reject(error);
    this.waiting.clear();
    this.tellLost(error);
  }
}

/** Lets callbacks that are ready run first. */
export function settleTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
