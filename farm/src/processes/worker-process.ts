import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type DeviceProcess, PippinError } from 'pippin-prover';
import type { JobError } from '../queue/types.js';
import type { WorkerEvent, WorkerOptions } from '../worker/worker-options.js';

/**
 * Messages of a farm to a worker process, over their channel. The keys are sent this way, too: other users can see
 * arguments and environment.
 */
export type ToWorker =
  | { readonly kind: 'start'; readonly options: Omit<WorkerOptions, 'onEvent'> }
  | { readonly kind: 'drain'; readonly ms: number };

/** Messages of a worker process to its farm. */
export type FromWorker =
  | { readonly kind: 'started' }
  | { readonly kind: 'not-started'; readonly error: JobError }
  | { readonly kind: 'event'; readonly event: WorkerEvent };

/** How a worker process is started. */
interface WorkerStart {
  readonly script: URL;
  readonly device: DeviceProcess;
  readonly options: Omit<WorkerOptions, 'onEvent'>;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** A worker process. It ends with this one, after its jobs. */
export class WorkerProcess {
  /** Resolves when the worker takes jobs; rejects with its error if it fails to start. */
  readonly started: Promise<void>;
  /** Resolves when the process has ended, with its exit code or signal. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;

  constructor({ script, device, options, onEvent }: WorkerStart) {
    const [file, ...args] = [...(device.command ?? []), process.execPath, fileURLToPath(script)];
    this.child = spawn(file!, args, {
      env: { ...process.env, ...device.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.ended = new Promise((resolve) => {
      this.child.once('error', ({ message }) => resolve(message));
      this.child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    });
    this.started = this.start(onEvent);
    this.started.catch(() => undefined);
    this.send({ kind: 'start', options });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Lets it finish its jobs. */
  drain(ms: number): void {
    this.send({ kind: 'drain', ms });
  }

  /** Kills it. Another worker repeats its jobs. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  private start(onEvent: (event: WorkerEvent) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.on('message', (message: FromWorker) => {
        if (message.kind === 'event') onEvent(message.event);
        else if (message.kind === 'started') resolve();
        else reject(new PippinError(message.error.code, message.error.message, { hint: message.error.hint }));
      });
      void this.ended.then((how) => {
        const message = `expected a worker's process to start, got its end with ${how}`;
        reject(new PippinError('WORKER_FAILED', message, { hint: 'what it wrote stands above' }));
      });
    });
  }

  private send(message: ToWorker): void {
    // A process that has ended gets no message; its end is detected elsewhere.
    if (this.child.connected) this.child.send(message, () => undefined);
  }
}
