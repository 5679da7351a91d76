import { afterEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../../../sdk/base/errors.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { FakeWorker } from '../../../support/fake-worker.js';

/** Stands for a kernel worker: notes what it is asked, and answers when the test says so. */
class FakeHost {
  readonly started: string[] = [];
  readonly cancelled: number[] = [];
  private finish: (() => void) | undefined;

  constructor(private readonly emit: (event: unknown) => void) {}

  async open(): Promise<void> {}

  async openScalars(): Promise<void> {}

  async run(_curve: string, method: string, args: { id?: string; a?: Uint8Array }, task: number): Promise<unknown> {
    if (args.a !== undefined) return [args.a, args.a.buffer.byteLength];
    const label = String(args.id);
    this.started.push(label);
    if (label === 'throw') throw new PippinError('INVALID_POINT', 'expected a point, got none', { hint: 'look again' });
    if (label.startsWith('wait')) {
      await new Promise<void>((resolve) => {
        this.finish = resolve;
      });
    }
    this.emit({ task, fraction: 0.5 });
    return `${method} ${label}`;
  }

  cancel(task: number): void {
    this.cancelled.push(task);
    this.finish?.();
  }

  finishNow(): void {
    this.finish?.();
  }
}

const EMPTY = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
const compileEmpty = async (): Promise<WebAssembly.Module> => EMPTY;

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

function startPool(
  size: number,
  onReplaced?: (error: PippinError) => void,
): { pool: KernelPool; hosts: FakeHost[]; workers: FakeWorker[] } {
  const hosts: FakeHost[] = [];
  const workers: FakeWorker[] = [];
  const started = new KernelPool(
    () => {
      const worker = new FakeWorker((emit) => {
        const host = new FakeHost(emit);
        hosts.push(host);
        return host;
      });
      workers.push(worker);
      return worker;
    },
    size,
    onReplaced,
  );
  pool = started;
  return { pool: started, hosts, workers };
}

/** A call with a label; the fake host does not look at the method. */
function ask(target: KernelPool, label: string, options: Parameters<KernelPool['call']>[3] = {}): Promise<unknown> {
  return target.call('bn254', 'releaseShard', { id: label }, options);
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 2 }).toBe(true);
}

describe('KernelPool', () => {
  it('answers calls and spreads them over idle workers', async () => {
    const { pool, hosts } = startPool(2);
    expect(await Promise.all([ask(pool, 'a'), ask(pool, 'b')])).toEqual(['releaseShard a', 'releaseShard b']);
    expect(hosts.map((host) => host.started.length)).toEqual([1, 1]);
  });

  it('gives a worker one job at a time, and keeps pinned jobs on their worker', async () => {
    const { pool, hosts } = startPool(2);
    const first = ask(pool, 'wait', { worker: 0 });
    const second = ask(pool, 'second', { worker: 0 });
    expect(await ask(pool, 'elsewhere')).toBe('releaseShard elsewhere');
    expect(hosts[0]!.started).toEqual(['wait']);
    hosts[0]!.finishNow();
    expect(await Promise.all([first, second])).toEqual(['releaseShard wait', 'releaseShard second']);
    expect(hosts[0]!.started).toEqual(['wait', 'second']);
  });

  it('sends of a view no more than its own bytes', async () => {
    const { pool } = startPool(1);
    const all = Uint8Array.from({ length: 1000 }, (_, i) => i);
    const got = pool.call('bn254', 'multiplySubtract', { a: all.subarray(10, 13), b: all, c: all }) as Promise<unknown>;
    expect(await got).toEqual([new Uint8Array([10, 11, 12]), 3]);
  });

  it('copies the bytes that it sends, unless they are to be moved', async () => {
    const { pool } = startPool(1);
    const bytes = new Uint8Array([1, 2, 3]);
    const send = (moved: boolean) =>
      pool.call(
        'bn254',
        'multiplySubtract',
        { a: bytes, b: bytes.slice(), c: bytes.slice() },
        { moved },
      ) as Promise<unknown>;
    expect(await send(false)).toEqual([new Uint8Array([1, 2, 3]), 3]);
    expect(bytes).toHaveLength(3);
    expect(await send(true)).toEqual([new Uint8Array([1, 2, 3]), 3]);
    expect(bytes).toHaveLength(0);
  });

  it('starts urgent jobs before the others that wait', async () => {
    const { pool, hosts } = startPool(1);
    const all = [
      ask(pool, 'wait'),
      ask(pool, 'normal'),
      ask(pool, 'urgent 1', { urgent: true }),
      ask(pool, 'urgent 2', { urgent: true }),
    ];
    await until(() => hosts[0]!.started.length === 1);
    hosts[0]!.finishNow();
    await Promise.all(all);
    expect(hosts[0]!.started).toEqual(['wait', 'urgent 1', 'urgent 2', 'normal']);
  });

  it('keeps reserved workers for urgent jobs until they are let go', async () => {
    const { pool, hosts } = startPool(2);
    const [letOneGo, letBothGo] = [pool.reserve(1), pool.reserve(2)];
    const [pinned, any] = [ask(pool, 'pinned', { worker: 0 }), ask(pool, 'any')];
    expect(await ask(pool, 'urgent', { urgent: true, worker: 1 })).toBe('releaseShard urgent');
    expect(hosts.flatMap(({ started }) => started)).toEqual(['urgent']);
    letBothGo();
    await any;
    expect(hosts.map(({ started }) => started)).toEqual([[], ['urgent', 'any']]);
    letOneGo();
    letOneGo();
    await pinned;
    expect(hosts[0]!.started).toEqual(['pinned']);
  });

  it('keeps the code and hint of an error', async () => {
    const { pool } = startPool(1);
    await expect(ask(pool, 'throw')).rejects.toMatchObject({
      name: 'PippinError',
      code: 'INVALID_POINT',
      message: 'expected a point, got none',
      hint: 'look again',
    });
    expect(await ask(pool, 'next')).toBe('releaseShard next');
  });

  it('tells progress', async () => {
    const { pool } = startPool(1);
    const fractions: number[] = [];
    await ask(pool, 'a', { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions).toEqual([0.5]);
  });

  it('rejects an aborted running job at once and stops it in the worker', async () => {
    const { pool, hosts } = startPool(1);
    const controller = new AbortController();
    const running = ask(pool, 'wait', { signal: controller.signal });
    await until(() => hosts[0]!.started.length === 1);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    await until(() => hosts[0]!.cancelled.length === 1);
    expect(await ask(pool, 'next')).toBe('releaseShard next');
  });

  it('never starts a waiting job that was aborted', async () => {
    const { pool, hosts } = startPool(1);
    const controller = new AbortController();
    const first = ask(pool, 'wait');
    const second = ask(pool, 'second', { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
    await until(() => hosts[0]!.started.length === 1);
    hosts[0]!.finishNow();
    await first;
    await ask(pool, 'third');
    expect(hosts[0]!.started).toEqual(['wait', 'third']);
  });

  it('refuses a signal that has fired before', async () => {
    const { pool } = startPool(1);
    await expect(ask(pool, 'a', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('replaces a worker that dies, and does its job again', async () => {
    const { pool, hosts, workers } = startPool(1);
    const running = ask(pool, 'wait');
    const waiting = ask(pool, 'behind it');
    await until(() => hosts[0]!.started.length === 1);
    expect(pool.generation(0)).toBe(0);
    workers[0]!.die();
    expect(await waiting).toBe('releaseShard behind it');
    expect(pool.generation(0)).toBe(1);
    await until(() => hosts[1]!.started.includes('wait'));
    hosts[1]!.finishNow();
    expect(await running).toBe('releaseShard wait');
  });

  it('does a job again once, so that one that kills its worker fails', async () => {
    const { pool, hosts, workers } = startPool(1);
    const running = ask(pool, 'wait');
    await until(() => hosts[0]!.started.length === 1);
    workers[0]!.die();
    await until(() => hosts[1]!.started.length === 1);
    workers[1]!.die();
    await expect(running).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(await ask(pool, 'next')).toBe('releaseShard next');
  });

  it.each([{ worker: 0 }, { moved: true }])(
    'leaves a job that %j to its caller when the worker dies',
    async (options) => {
      const { pool, hosts, workers } = startPool(1);
      const running = ask(pool, 'wait', options);
      await until(() => hosts[0]!.started.length === 1);
      workers[0]!.die();
      await expect(running).rejects.toMatchObject({ code: 'WORKER_FAILED' });
      expect(await ask(pool, 'next')).toBe('releaseShard next');
      expect(hosts[1]!.started).toEqual(['next']);
    },
  );

  it('gives up on a place whose workers keep dying', async () => {
    const { pool, workers } = startPool(1);
    const waiting = [ask(pool, 'wait')];
    for (let i = 0; i < 9; i++) workers.at(-1)!.die();
    waiting.push(ask(pool, 'later'), ask(pool, 'pinned', { worker: 0 }));
    for (const call of waiting) await expect(call).rejects.toMatchObject({ code: 'WORKER_FAILED' });
  });

  it('tries another worker in a place that has rested', async () => {
    const { pool, hosts, workers } = startPool(1);
    for (let i = 0; i < 9; i++) workers.at(-1)!.die();
    await expect(ask(pool, 'a')).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 10_000);
    expect(await ask(pool, 'b')).toBe('releaseShard b');
    // Since one has answered, the place is as good as new.
    for (let i = 0; i < 8; i++) workers.at(-1)!.die();
    expect(await ask(pool, 'c', { worker: 0 })).toBe('releaseShard c');
    expect(hosts.at(-1)!.started).toEqual(['c']);
    clock.mockRestore();
  });

  it('gives a place many workers as long as they answer between their deaths', async () => {
    const { pool, workers } = startPool(1);
    for (let i = 0; i < 20; i++) {
      expect(await ask(pool, `${i}`)).toBe(`releaseShard ${i}`);
      workers.at(-1)!.die();
    }
    expect(await ask(pool, 'last')).toBe('releaseShard last');
  });

  it('replaces a worker that never answers, does its job again, and tells it', async () => {
    const told: string[] = [];
    const { pool, hosts, workers } = startPool(1, ({ message }) => told.push(message));
    await ask(pool, 'first');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = ask(pool, 'wait for ever');
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect(workers[0]!.terminated).toBe(true);
    expect(told).toEqual([expect.stringContaining('got nothing for 30 s')]);
    await until(() => hosts[1]?.started.length === 1);
    hosts[1]!.finishNow();
    expect(await running).toBe('releaseShard wait for ever');
  });

  it('is left with no worker when one of the first cannot be started', () => {
    const workers: FakeWorker[] = [];
    const spawn = (): FakeWorker => {
      if (workers.length === 2) throw new PippinError('WORKER_FAILED', 'expected a worker, got none');
      const worker = new FakeWorker((emit) => new FakeHost(emit));
      workers.push(worker);
      return worker;
    };
    expect(() => new KernelPool(spawn, 3)).toThrow('expected a worker');
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, true]);
  });

  it('rejects what a place cannot do in which no worker can be started, and tries again with the next call', async () => {
    let refuses = false;
    const workers: FakeWorker[] = [];
    pool = new KernelPool(() => {
      if (refuses) throw new PippinError('WORKER_FAILED', 'expected a worker, got none');
      const worker = new FakeWorker((emit) => new FakeHost(emit));
      workers.push(worker);
      return worker;
    }, 1);
    refuses = true;
    workers[0]!.die();
    await expect(ask(pool, 'a')).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    refuses = false;
    expect(await ask(pool, 'b')).toBe('releaseShard b');
  });

  it('fails to open, at once and typed, when its workers could not start long before', async () => {
    const { pool, workers } = startPool(2);
    while (workers.some(({ terminated }) => !terminated)) for (const worker of [...workers]) worker.die();
    await expect(pool.open('bn254', compileEmpty)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    await expect(pool.open('bn254', compileEmpty)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
  });

  it('fails to open when a worker never answers, and opens with the next call', async () => {
    let isSilent = true;
    const workers: FakeWorker[] = [];
    pool = new KernelPool(() => {
      const worker = new FakeWorker((emit) => {
        const host = new FakeHost(emit);
        if (isSilent) host.open = () => new Promise(() => undefined);
        return host;
      });
      workers.push(worker);
      return worker;
    }, 1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opening = pool.open('bn254', compileEmpty).catch((error: unknown) => error);
    isSilent = false;
    // Its script may have been on its way for as long.
    await vi.advanceTimersByTimeAsync(300_000);
    vi.useRealTimers();
    expect(await opening).toMatchObject({ code: 'WORKER_FAILED' });
    expect(workers[0]!.terminated).toBe(true);
    await pool.open('bn254', compileEmpty);
    expect(await ask(pool, 'a')).toBe('releaseShard a');
  });

  it('fails to open when a worker dies meanwhile, and opens on those that are left of a pool that lost one', async () => {
    const { pool, hosts, workers } = startPool(2);
    workers[0]!.die();
    let asked = 0;
    for (const host of hosts) {
      host.open = () => {
        asked++;
        return new Promise(() => undefined);
      };
    }
    const opening = pool.open('bn254', compileEmpty);
    await until(() => asked === 2);
    workers.at(-1)!.die();
    await expect(opening).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    while (!workers.at(-1)!.terminated) workers.at(-1)!.die();
    hosts.at(-1)!.open = async () => undefined;
    for (const host of hosts) host.open = async () => undefined;
    await pool.open('bls12-377', compileEmpty);
    expect(await ask(pool, 'a')).toBe('releaseShard a');
  });

  it('asks for the scalars with the first call that needs them, once, and for all workers', async () => {
    const { pool, hosts, workers } = startPool(2);
    const opened: string[] = [];
    const watch = (): void => {
      for (const [index, host] of hosts.entries()) {
        host.open = async () => void opened.push(`points ${index}`);
        host.openScalars = async () => void opened.push(`scalars ${index}`);
      }
    };
    watch();
    const asked: string[] = [];
    await pool.open('bn254', async (part) => {
      asked.push(part);
      return EMPTY;
    });
    const points = { group: 'g1', form: 'weierstrass', sums: new Uint8Array() } as const;
    await pool.call('bn254', 'finish', points);
    expect(asked).toEqual(['points']);
    await Promise.all([ask(pool, 'a'), ask(pool, 'b')]);
    expect(asked).toEqual(['points', 'scalars']);
    expect(opened.sort()).toEqual(['points 0', 'points 1', 'scalars 0', 'scalars 1']);
    // A worker that takes the place of another opens both.
    opened.length = 0;
    const known = hosts.length;
    workers[0]!.die();
    await until(() => hosts.length > known);
    await ask(pool, 'c');
    expect(asked).toEqual(['points', 'scalars']);
  });

  it('replaces a worker that never opens the scalars, and does the call again on the next', async () => {
    const { pool, hosts, workers } = startPool(1);
    await pool.open('bn254', compileEmpty);
    let isAsked = false;
    hosts[0]!.openScalars = () => {
      isAsked = true;
      return new Promise(() => undefined);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const called = ask(pool, 'a');
    await vi.waitUntil(() => isAsked);
    await vi.advanceTimersByTimeAsync(300_000);
    vi.useRealTimers();
    expect(await called).toBe('releaseShard a');
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  it('asks for the scalars again when they could not be had', async () => {
    const { pool } = startPool(1);
    let isThere = false;
    await pool.open('bn254', async (part) => {
      if (part === 'scalars' && !isThere) throw new PippinError('IO_FAILED', 'expected a file, got none');
      return EMPTY;
    });
    await expect(ask(pool, 'a')).rejects.toMatchObject({ code: 'IO_FAILED' });
    isThere = true;
    expect(await ask(pool, 'b')).toBe('releaseShard b');
  });

  it('a call that waits for the scalars can be aborted, and ends with the pool', async () => {
    const { pool } = startPool(1);
    await pool.open('bn254', (part) => (part === 'points' ? compileEmpty() : new Promise(() => undefined)));
    const controller = new AbortController();
    const aborted = ask(pool, 'a', { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    const disposed = ask(pool, 'b');
    await pool.dispose();
    await expect(disposed).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('rejects everything when it is disposed', async () => {
    const { pool, workers } = startPool(1);
    const running = ask(pool, 'wait');
    const waiting = ask(pool, 'waiting');
    const disposing = pool.dispose();
    await expect(running).rejects.toMatchObject({ code: 'DISPOSED' });
    await expect(waiting).rejects.toMatchObject({ code: 'DISPOSED' });
    await expect(ask(pool, 'later')).rejects.toMatchObject({ code: 'DISPOSED' });
    await disposing;
    expect(workers[0]!.terminated).toBe(true);
  });

  it('starts no worker after it was disposed', async () => {
    const worker = new FakeWorker((emit) => new FakeHost(emit));
    const spawn = vi.fn(() => worker);
    const pool = new KernelPool(spawn, 1);
    spawn.mockImplementation(() => {
      throw new Error('no more threads');
    });
    worker.die();
    await until(() => spawn.mock.calls.length === 2);
    await pool.dispose();
    await expect(pool.open('bn254', compileEmpty)).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(spawn).toHaveBeenCalledTimes(2);
  });

  it('lets a job stop by itself when it is disposed, and ends its worker then', async () => {
    const { pool, hosts, workers } = startPool(2);
    const running = ask(pool, 'wait', { worker: 0 });
    await until(() => hosts[0]!.started.length === 1);
    const disposing = pool.dispose();
    expect(workers.map(({ terminated }) => terminated)).toEqual([false, true]);
    await expect(running).rejects.toMatchObject({ code: 'DISPOSED' });
    await disposing;
    expect(hosts[0]!.cancelled).toHaveLength(1);
    expect(workers[0]!.terminated).toBe(true);
  });
});

describe('a module that methods take as an argument', () => {
  it('is compiled once, and again after a failure', async () => {
    const { pool } = startPool(1);
    const asked: string[] = [];
    const compile = async (part: string): Promise<WebAssembly.Module> => {
      asked.push(part);
      if (asked.length === 2) throw new PippinError('IO_FAILED', 'expected a module, got no network');
      return EMPTY;
    };
    await pool.open('bn254', compile);
    await expect(pool.module('bn254', 'elements')).rejects.toMatchObject({ code: 'IO_FAILED' });
    expect(await Promise.all([pool.module('bn254', 'elements'), pool.module('bn254', 'elements')])).toEqual([
      EMPTY,
      EMPTY,
    ]);
    expect(await pool.module('bn254', 'roots')).toBe(EMPTY);
    expect(asked).toEqual(['points', 'elements', 'elements', 'roots']);
  });

  it('belongs to a curve that is open, and a pool that is in use', async () => {
    const { pool } = startPool(1);
    await expect(pool.module('bn254', 'roots')).rejects.toMatchObject({ code: 'INTERNAL' });
    await pool.open('bn254', async (part) => (part === 'points' ? EMPTY : new Promise(() => undefined)));
    const waiting = pool.module('bn254', 'roots');
    const ended = expect(waiting).rejects.toMatchObject({ code: 'DISPOSED' });
    await pool.dispose();
    await ended;
  });
});
