import { withTimeout } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';

/** The error scopes around every use of the device, outermost first. */
const ERROR_FILTERS: readonly GPUErrorFilter[] = ['validation', 'internal', 'out-of-memory'];

/** Milliseconds that an abandoned device has to settle its pending promises. */
const UNANSWERED_MS = 2000;
/** The same for a destroyed device, which may still have work. */
const FINISH_MS = 20_000;

/** Timeout of a promise of the device, in milliseconds: two submits, each with its own timeout, may come before it. */
const ANSWER_MS = 120_000;
/** The same for compiling a kernel. Software adapters on busy machines take minutes. */
export const COMPILE_MS = 900_000;
/** The interval between two checks of the pending promises. */
const LOOK_MS = 20_000;

/** A GPU device whose faults become typed errors and never a promise that stays pending. */
export class GuardedDevice {
  /** Fulfilled with a `DEVICE_LOST` error once the device is lost, by a fault or by `destroy`. */
  readonly lost: Promise<PippinError>;
  private lostError: PippinError | undefined;
  private abandoned = false;
  private readonly waiting = new Set<(error: PippinError) => void>();
  /** WebGPU's pending promises, and the time left for each. */
  private readonly unanswered = new Map<Promise<unknown>, number>();
  /** One for the device and the views of it that are made by `Object.create`. */
  private readonly looking: { timer?: ReturnType<typeof setTimeout> } = {};
  private tellLost: (error: PippinError) => void = () => undefined;

  /**
   * @param endsAtOnce whether `GPUDevice.destroy` returns at once, even with pending promises. In Dawn for Node it
   * waits for all of them.
   */
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
   * `promise`, or a rejection with `DEVICE_LOST` as soon as the device is lost: some implementations leave their
   * promises pending. A device that does not settle it within `patienceMs` is abandoned.
   */
  whileAlive<T>(promise: Promise<T>, patienceMs = ANSWER_MS): Promise<T> {
    if (this.unanswered.size === 0 && this.lostError === undefined) this.watch();
    this.unanswered.set(promise, patienceMs);
    const answered = (): void => {
      this.unanswered.delete(promise);
      if (this.unanswered.size === 0) clearTimeout(this.looking.timer);
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
        // A lost device may reject its promises before it reports the loss.
        .catch(async (error) => {
          await settleTurn();
          throw this.lostError ?? error;
        })
        .then(resolve, reject)
        .finally(() => this.waiting.delete(reject));
    });
  }

  /**
   * Runs `work`, which must be synchronous, and returns its value and a promise that rejects with WebGPU's errors:
   * `OUT_OF_MEMORY`, `INTERNAL` for a validation or driver error, or `DEVICE_LOST`.
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

  /** Abandons a device that does not respond: it counts as lost from now on. */
  abandon(reason: string): void {
    this.abandoned = true;
    this.lose(reason);
    if (this.endsAtOnce) this.device.destroy();
    else void this.answered().then(() => this.device.destroy());
  }

  /**
   * Destroys the device. Pending calls reject with `DEVICE_LOST`. Without `endsAtOnce`, the device is destroyed once
   * all of WebGPU's promises are settled: Dawn in Node crashes the process when its thread ends before. This waits up
   * to two seconds for an abandoned device, otherwise up to twenty seconds, or `COMPILE_MS` if a kernel is being
   * compiled.
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

  /** Fulfilled when all of WebGPU's promises are settled. */
  private async answered(): Promise<void> {
    while (this.unanswered.size > 0) await Promise.allSettled(this.unanswered.keys());
  }

  /** Counts down the pending promises' time in widely spaced checks: the machine may sleep between two of them. */
  private watch(): void {
    clearTimeout(this.looking.timer);
    this.looking.timer = setTimeout(() => {
      for (const [promise, left] of this.unanswered) {
        this.unanswered.set(promise, left - LOOK_MS);
        if (left <= 0 && this.lostError === undefined) this.abandon('it has answered nothing for minutes');
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
    clearTimeout(this.looking.timer);
    for (const reject of this.waiting) reject(error);
    this.waiting.clear();
    this.tellLost(error);
  }
}

/** Lets pending callbacks run first. */
export function settleTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
