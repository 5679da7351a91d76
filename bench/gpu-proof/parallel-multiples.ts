import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
import { joinBytes } from '../../sdk/base/bytes.js';
import type { GroupId } from '../../sdk/curves/index.js';
import { Multiples } from '../cpu/setup/multiples.js';

/** A worker's task: the multiples of a group's generator. */
interface Task {
  readonly group: GroupId;
  readonly scalars: readonly bigint[];
}

/** Multiples of BN254's generators, made on all cores: a key of 2^20 takes four million. */
export class ParallelMultiples {
  private readonly workers: Worker[];

  /** @param script what the workers start with; it calls `serveMultiples`. */
  constructor(script: URL) {
    this.workers = Array.from({ length: availableParallelism() }, () => new Worker(script));
  }

  /** Scalar times generator for each of the scalars: points in boundary form. */
  async of(group: GroupId, scalars: readonly bigint[]): Promise<Uint8Array> {
    const size = Math.ceil(scalars.length / this.workers.length);
    const parts = this.workers.map((worker, i) =>
      ask(worker, { group, scalars: scalars.slice(i * size, (i + 1) * size) }),
    );
    return joinBytes(await Promise.all(parts));
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** Serves as a worker of `ParallelMultiples`. @param wasm the file of BN254's module. */
export async function serveMultiples(wasm: URL): Promise<void> {
  const multiples = readFile(wasm).then((bytes) => Multiples.create(bytes));
  parentPort!.on('message', async ({ group, scalars }: Task) => {
    parentPort!.postMessage((await multiples).of(group, scalars));
  });
}

/** A worker answers one task before it is given the next. */
async function ask(worker: Worker, task: Task): Promise<Uint8Array> {
  const answer = once(worker, 'message');
  worker.postMessage(task);
  const [points] = await answer;
  return points;
}
