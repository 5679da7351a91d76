import { abortError, onAbort, throwIfAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import type { CircuitLog } from '../../files/witness/circuit-code.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { type Remote, remote } from '../../transport/remote.js';
import type { WitnessHost, WitnessTask } from './witness-host.js';

interface WitnessWorker {
  readonly channel: WorkerChannel;
  readonly host: Remote<WitnessHost>;
  /** Called with what the circuit of the current calculation logs. */
  onLog: CircuitLog;
  /** Called when the worker dies during a calculation. */
  onDeath: (error: PippinError) => void;
}

/**
 * Runs circuits' own code, each calculation in a worker that does nothing else at the time. A calculation that is
 * aborted, fails or takes too long is stopped by ending its worker, whatever the circuit is doing. Another one starts
 * only when that has ended: a caller who aborts many calls one after another would fill the memory with workers that
 * are about to end. After a successful one the worker is kept for the next, because starting a worker takes about as
 * long as a small circuit.
 */
export class WitnessWorkers {
  private idle: WitnessWorker | undefined;
  private disposed = false;
  /** The workers that were ended and still take memory. */
  private readonly ending = new Set<Promise<unknown>>();

  constructor(private readonly spawn: () => WorkerChannel) {}

  /** Starts the worker of the next calculation, unless one waits for it. That calculation tells what goes wrong. */
  prepare(): void {
    if (this.disposed || this.idle !== undefined || this.ending.size > 0) return;
    try {
      this.idle = this.start();
    } catch {
      // As said above.
    }
  }

  /** `WITNESS_FAILED` when it takes longer than `timeoutMs`; otherwise the errors of `calculateWitness`. */
  async calculate(task: WitnessTask, signal: AbortSignal, timeoutMs: number, onLog: CircuitLog): Promise<Uint8Array> {
    throwIfAborted(signal);
    while (this.idle === undefined && this.ending.size > 0) await Promise.all(this.ending);
    throwIfAborted(signal);
    const worker = this.idle ?? this.start();
    this.idle = undefined;
    worker.onLog = onLog;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      // No promise outlives the calculation: one that did would keep every witness.
      const witness = await new Promise<Uint8Array>((resolve, reject) => {
        worker.onDeath = reject;
        onAbort(signal, () => reject(abortError(signal)));
        timer = setTimeout(() => reject(tooSlow(timeoutMs)), timeoutMs);
        worker.host.calculate(task).then(resolve, reject);
      });
      this.keep(worker);
      return witness;
    } catch (error) {
      this.end(worker);
      throw error;
    } finally {
      clearTimeout(timer);
      worker.onLog = ignore;
      worker.onDeath = ignore;
    }
  }

  /** Fulfilled when the workers are gone. */
  dispose(): Promise<unknown> {
    this.disposed = true;
    if (this.idle !== undefined) this.end(this.idle);
    this.idle = undefined;
    return Promise.all(this.ending);
  }

  private keep(worker: WitnessWorker): void {
    if (this.disposed || this.idle !== undefined) this.end(worker);
    else this.idle = worker;
  }

  private end({ channel }: WitnessWorker): void {
    const ended = channel.terminate();
    if (!(ended instanceof Promise)) return;
    this.ending.add(ended);
    void ended.finally(() => this.ending.delete(ended));
  }

  private start(): WitnessWorker {
    const channel = this.spawn();
    const worker: WitnessWorker = {
      channel,
      host: remote<WitnessHost>(channel.endpoint),
      onLog: ignore,
      onDeath: ignore,
    };
    channel.onFailure((error) => {
      if (this.idle === worker) {
        this.idle = undefined;
        this.end(worker);
      }
      worker.onDeath(error);
    });
    channel.onEvent((line) => worker.onLog(String(line)));
    return worker;
  }
}

const ignore = (): void => undefined;

function tooSlow(timeoutMs: number): PippinError {
  return new PippinError(
    'WITNESS_FAILED',
    `expected the circuit's WASM to compute the witness in ${timeoutMs} ms, got no witness in this time`,
    { hint: 'raise witnessTimeout if the circuit is that large' },
  );
}
