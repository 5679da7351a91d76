import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { SCALAR_BYTES } from '../../../../sdk/curves/index.js';

/** What a worker is asked for: the digits of the scalars `from` to `to` - 1. */
interface Job {
  readonly number: number;
  readonly scalars: SharedArrayBuffer;
  /** Where the digits go: entry w * `stride` + i is digit w of scalar i. */
  readonly digits: SharedArrayBuffer;
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  readonly windowBits: number;
  readonly windows: number;
}

/** Scalars whose digits are being cut, and when those of a range are there. */
export interface Cutting {
  readonly digits: Uint16Array;
  readonly stride: number;
  /** Fulfilled when the digits of the scalars before `end` are there. */
  until(end: number): Promise<unknown>;
}

/** Scalars of a job at least: fewer take about as long as the message. */
const SMALLEST_JOB = 2048;

/** Jobs for each worker, so that the GPU begins before all are done. */
const JOBS_A_WORKER = 2;

/** The script of a worker. It is text, since the benchmark is a single file; the digits are cut by WASM. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { packDigits, memory } = new WebAssembly.Instance(workerData, {}).exports;
const PAGE = 65536;
const base = memory.buffer.byteLength;
parentPort.on('message', ({ number, scalars, digits, from, to, stride, windowBits, windows }) => {
  const count = to - from;
  const target = base + ${SCALAR_BYTES} * count;
  const end = target + 2 * windows * count;
  if (memory.buffer.byteLength < end) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));
  new Uint8Array(memory.buffer).set(new Uint8Array(scalars, ${SCALAR_BYTES} * from, ${SCALAR_BYTES} * count), base);
  packDigits(base, count, windowBits, windows, target);
  const all = new Uint16Array(digits);
  for (let w = 0; w < windows; w++) {
    all.set(new Uint16Array(memory.buffer, target + 2 * w * count, count), w * stride + from);
  }
  parentPort.postMessage(number);
});
`;

/** Workers on all cores that cut digits, with memory that they share with this thread. */
export class DigitPool {
  private readonly workers: Worker[];
  private readonly waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  private jobs = 0;
  private digits = new SharedArrayBuffer(0);

  constructor(module: WebAssembly.Module, threads = availableParallelism()) {
    this.workers = Array.from({ length: threads }, () => {
      const worker = new Worker(SCRIPT, { eval: true, workerData: module });
      worker.on('message', (number: number) => {
        this.waiting.get(number)!.resolve();
        this.waiting.delete(number);
      });
      worker.on('error', (error) => {
        for (const { reject } of this.waiting.values()) reject(error);
        this.waiting.clear();
      });
      return worker;
    });
  }

  /** Begins to cut the digits of all scalars. They lie in memory that the next call overwrites. */
  cut(scalars: SharedArrayBuffer, windowBits: number, windows: number): Cutting {
    const count = scalars.byteLength / SCALAR_BYTES;
    // Every window begins with a whole word.
    const stride = count + (count % 2);
    const bytes = 2 * windows * stride;
    if (this.digits.byteLength < bytes) this.digits = new SharedArrayBuffer(bytes);
    const { digits } = this;
    const size = Math.max(SMALLEST_JOB, Math.ceil(count / (JOBS_A_WORKER * this.workers.length)));
    const done: Promise<void>[] = [];
    for (let from = 0; from < count; from += size) {
      const to = Math.min(from + size, count);
      done.push(this.run({ number: this.jobs++, scalars, digits, from, to, stride, windowBits, windows }));
    }
    // A failure shows when the digits are waited for.
    for (const each of done) each.catch(() => undefined);
    return {
      digits: new Uint16Array(digits),
      stride,
      until: (end) => Promise.all(done.slice(0, Math.ceil(end / size))),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private run(job: Job): Promise<void> {
    this.workers[job.number % this.workers.length]!.postMessage(job);
    return new Promise((resolve, reject) => this.waiting.set(job.number, { resolve, reject }));
  }
}
