import { describe, expect, it, vi } from 'vitest';
import type { LoadOptions, Prover } from '../../sdk/api/index.js';
import type { CallerPlatform } from '../../sdk/hosts/prover/caller-platform.js';
import { createProverOn } from '../../sdk/hosts/prover/prover.js';
import { FakeWorker } from '../support/fake-worker.js';

/** An engine whose loads end when the test says so, and that aborts too late. */
class LateEngine {
  readonly released: number[] = [];
  private readonly ends: ((reply: object) => void)[] = [];

  async hello() {}
  async start() {
    return this.capabilities();
  }
  async capabilities() {
    return { backend: 'wasm' };
  }
  loadBases = () => this.wait();
  loadKey = () => this.wait();
  loadCircuit = () => this.wait();
  async abort() {}
  async dispose() {}
  async release(handle: number) {
    this.released.push(handle);
  }

  get waiting(): number {
    return this.ends.length;
  }

  end(handle: number): void {
    this.ends.shift()!({ handle, count: 0, description: {}, report: {} });
  }

  private wait(): Promise<object> {
    return new Promise((resolve) => this.ends.push(resolve));
  }
}

const PLATFORM: Omit<CallerPlatform, 'spawnCoordinator'> = {
  startEngineHere: () => Promise.reject(new Error('expected no engine without workers')),
  locate: (location) => location,
  describeLocation: (location) => ({ kind: 'url', url: String(location) }),
  disposeTimeoutMs: 1000,
};

async function proverOf(engine: LateEngine): Promise<Prover> {
  return createProverOn({ ...PLATFORM, spawnCoordinator: () => new FakeWorker(() => engine) }, {});
}

const LOADS: readonly [string, (prover: Prover, options: LoadOptions) => Promise<{ dispose(): Promise<void> }>][] = [
  ['bases', (prover, options) => prover.loadBases({ curve: 'bn254', points: new Uint8Array() }, options)],
  ['a key', (prover, options) => prover.groth16.loadKey('k.zkey', options)],
  ['a circuit', (prover, options) => prover.groth16.loadCircuit('c.wasm', options)],
];

describe.each(LOADS)('%s', (_, load) => {
  it('whose answer comes after the abort is released', async () => {
    const engine = new LateEngine();
    const prover = await proverOf(engine);
    const controller = new AbortController();
    const loading = load(prover, { signal: controller.signal });
    await expect.poll(() => engine.waiting).toBe(1);
    engine.end(7);
    controller.abort();
    await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => engine.released).toEqual([7]);
    await prover.dispose();
    expect(engine.released).toEqual([7]);
  });

  it('that was given is released by its caller alone', async () => {
    const engine = new LateEngine();
    const prover = await proverOf(engine);
    const controller = new AbortController();
    const loading = load(prover, { signal: controller.signal });
    await expect.poll(() => engine.waiting).toBe(1);
    engine.end(7);
    const loaded = await loading;
    controller.abort();
    await prover.performanceMap().catch(() => undefined);
    expect(engine.released).toEqual([]);
    await loaded.dispose();
    expect(engine.released).toEqual([7]);
    await prover.dispose();
  });
});

/** Time stands still, but messages come. */
const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const messagesCome = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};

const GIVEN_UP: readonly [string, number, boolean][] = [
  ['never runs', 120_000, false],
  ['runs and stands still in its start', 30_000, true],
];

it.each(GIVEN_UP)('a coordinator that %s is a typed error after %i ms, and is ended', async (_, ms, runs) => {
  stopTime();
  try {
    const never = () => new Promise<never>(() => undefined);
    let stands = !runs;
    const start = () => {
      stands = true;
      return never();
    };
    const hello = async () => (stands ? never() : undefined);
    const worker = new FakeWorker(() => ({ hello, start, dispose: never }));
    const created = createProverOn({ ...PLATFORM, spawnCoordinator: () => worker }, {});
    const outcome = expect(created).rejects.toMatchObject({ code: 'WORKER_FAILED', hint: expect.any(String) });
    await messagesCome();
    expect(stands).toBe(true);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(worker.terminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(worker.terminated).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('a coordinator that takes long to start, and answers meanwhile, is waited for', async () => {
  stopTime();
  try {
    const engine = new LateEngine();
    let started = (): void => undefined;
    const starting = new Promise<void>((resolve) => {
      started = resolve;
    });
    const start = () => starting.then(() => engine.capabilities());
    const worker = new FakeWorker(() => Object.assign(engine, { start }));
    const created = createProverOn({ ...PLATFORM, spawnCoordinator: () => worker }, {});
    for (let seconds = 0; seconds < 300; seconds += 5) {
      await messagesCome();
      await vi.advanceTimersByTimeAsync(5000);
    }
    started();
    await (await created).dispose();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
