import { abortError, onAbort, throwIfAborted } from '../abort.js';
import type { CircuitInputs } from '../api.js';
import type { CurveId } from '../curves/index.js';
import type { calculateWitness } from '../snarkjs/witness-calculator.js';
import type { WorkerChannel } from '../transport/channel.js';
import { type Remote, remote } from '../transport/remote.js';

/** What the witness worker exposes. */
export interface WitnessHost {
  calculate: typeof calculateWitness;
}

interface WitnessWorker {
  readonly channel: WorkerChannel;
  readonly host: Remote<WitnessHost>;
  /** Rejects when the worker dies. */
  readonly death: Promise<never>;
}

/**
 * Runs circuits' own code, each calculation in a worker that does nothing else meanwhile: one that is aborted or fails ends with
 * its worker, whatever the circuit is doing. After a good one the worker waits for the next, because starting it takes about as
 * long as a small circuit.
 */
export class WitnessWorkers {
  private idle: WitnessWorker | undefined;
  private disposed = false;

  constructor(private readonly spawn: () => WorkerChannel) {}

  async calculate(
    module: WebAssembly.Module,
    inputs: CircuitInputs,
    curve: CurveId,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    throwIfAborted(signal);
    const worker = this.idle ?? this.start();
    this.idle = undefined;
    try {
      const witness = await Promise.race([
        new Promise<Uint8Array>((resolve, reject) => {
          onAbort(signal, () => reject(abortError(signal)));
          worker.host.calculate(module, inputs, curve).then(resolve, reject);
        }),
        worker.death,
      ]);
      this.keep(worker);
      return witness;
    } catch (error) {
      worker.channel.terminate();
      throw error;
    }
  }

  dispose(): void {
    this.disposed = true;
    this.idle?.channel.terminate();
    this.idle = undefined;
  }

  private keep(worker: WitnessWorker): void {
    if (this.disposed || this.idle !== undefined) worker.channel.terminate();
    else this.idle = worker;
  }

  private start(): WitnessWorker {
    const channel = this.spawn();
    const death = new Promise<never>((_, reject) => {
      channel.onFailure((error) => {
        if (this.idle?.channel === channel) this.idle = undefined;
        reject(error);
      });
    });
    // An idle worker's death concerns nobody.
    death.catch(() => undefined);
    return { channel, host: remote<WitnessHost>(channel.endpoint), death };
  }
}
