import { setImmediate as messagesHandled } from 'node:timers/promises';
import { PippinError } from '../../../sdk/base/errors.js';
import type { CurveId } from '../../../sdk/curves/index.js';
import { type WitnessHost, witnessHost } from '../../../sdk/engine/witness/witness-host.js';
import {
  type KernelArguments,
  type KernelEvent,
  KernelHost,
  type KernelMethod,
  type KernelResult,
} from '../../../sdk/executors/workers/kernel/kernel-host.js';
import type { ClosableSource } from '../../../sdk/files/byte-source.js';
import type { ChunkStore } from '../../../sdk/files/cache/chunk-store.js';
import { FakeWorker } from '../../support/fake-worker.js';
import { type FaultLine, never } from './fault-line.js';

/** Whether the caller has given up: from then on what was unanswered answers, as if it had been slow. */
export type CallerGone = () => Promise<void>;

/**
 * Runs work that another thread or process does, and lets that end or fall silent. `end` ends it; `fallSilent` is told
 * that it says no more.
 */
export async function hosted<T>(
  line: FaultLine,
  point: string,
  end: () => void,
  work: () => Promise<T>,
  fallSilent: () => void = () => undefined,
): Promise<T> {
  const kind = line.cross(point);
  if (kind === 'silent') {
    fallSilent();
    return never();
  }
  if (kind === 'out of memory') throw new PippinError('OUT_OF_MEMORY', 'expected memory, got none (a fault)');
  if (kind === 'lost') throw new PippinError('DEVICE_LOST', 'expected a device, got none (a fault)');
  if (kind === 'killed before') {
    end();
    return never();
  }
  const result = await work();
  if (kind === 'killed after') {
    end();
    return never();
  }
  return result;
}

class FaultyKernelHost extends KernelHost {
  constructor(
    emit: (event: KernelEvent) => void,
    private readonly line: FaultLine,
    private readonly end: () => void,
  ) {
    super(emit, messagesHandled);
  }

  override open(curve: CurveId, module: WebAssembly.Module): Promise<void> {
    return hosted(this.line, 'worker.open', this.end, () => super.open(curve, module));
  }

  override openScalars(curve: CurveId, module: WebAssembly.Module): Promise<void> {
    return hosted(this.line, 'worker.openScalars', this.end, () => super.openScalars(curve, module));
  }

  override run<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    task: number,
  ): Promise<KernelResult<M>> {
    return hosted(this.line, `worker.${method}`, this.end, () => super.run(curve, method, args, task));
  }
}

/** A kernel worker on this thread. */
export function faultyKernel(line: FaultLine): FakeWorker {
  expectSpawn(line, 'worker.spawn');
  const worker: FakeWorker = new FakeWorker((emit) => new FaultyKernelHost(emit, line, () => worker.die()));
  return worker;
}

/** A witness worker on this thread. */
export function faultyWitness(line: FaultLine): FakeWorker {
  expectSpawn(line, 'witness.spawn');
  const worker: FakeWorker = new FakeWorker((emit): WitnessHost => {
    const host = witnessHost(emit as (line: string) => void);
    const end = (): void => worker.die();
    return { calculate: (task) => hosted(line, 'witness.calculate', end, () => host.calculate(task)) };
  });
  return worker;
}

export function expectSpawn(line: FaultLine, point: string): void {
  if (line.cross(point) !== undefined) throw new PippinError('WORKER_FAILED', 'expected a worker, got none (a fault)');
}

/** A store whose operations fail. */
export function faultyStore(store: ChunkStore, line: FaultLine): ChunkStore {
  const passed = async <T>(point: string, work: (kind: string | undefined) => Promise<T>): Promise<T> => {
    const kind = line.cross(`store.${point}`);
    if (kind === 'silent') return never();
    if (kind === 'quota exceeded') throw new DOMException('the storage is full (a fault)', 'QuotaExceededError');
    if (kind === 'rejected') throw new Error('the storage failed (a fault)');
    return work(kind);
  };
  return {
    get: (key) =>
      passed('get', async (kind) => {
        const bytes = await store.get(key);
        if (kind === 'missing') return undefined;
        if (kind === 'damaged' && bytes !== undefined) bytes[bytes.length >> 1]! ^= 1;
        if (kind !== 'swapped') return bytes;
        const others = (await store.keys()).filter((other) => other !== key);
        return others.length === 0 ? undefined : store.get(others[key.length % others.length]!);
      }),
    set: (key, bytes) => passed('set', () => store.set(key, bytes)),
    delete: (key) => passed('delete', () => store.delete(key)),
    keys: () => passed('keys', () => store.keys()),
  };
}

/** A file whose reads fail. `change` alters the file itself. */
export function faultyFile(
  file: ClosableSource,
  line: FaultLine,
  gone: CallerGone,
  change: () => void,
): ClosableSource {
  return {
    size: file.size,
    async read(offset, length) {
      const kind = line.cross('file.read');
      if (kind === 'rejected') throw new PippinError('IO_FAILED', 'expected to read a file, got a fault');
      if (kind === 'changed') change();
      if (kind === 'unanswered') await gone();
      return file.read(offset, length);
    },
    close: () => file.close(),
  };
}

/** `fetch` of one file. */
export function faultyFetch(line: FaultLine, gone: CallerGone, contents: Uint8Array): typeof fetch {
  return async (_url, { signal } = {}) => {
    const kind = line.cross('fetch');
    if (kind === 'rejected') throw new TypeError('fetch failed (a fault)');
    if (kind === 'refused') return new Response('', { status: 503 });
    if (kind === 'unanswered') {
      void gone();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    }
    const response = new Response(contents.slice());
    if (kind === 'broken off') response.blob = () => Promise.reject(new TypeError('terminated (a fault)'));
    return response;
  };
}
