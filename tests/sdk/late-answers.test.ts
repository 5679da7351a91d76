import { describe, expect, it, vi } from 'vitest';
import type { LoadOptions, Prover } from '../../sdk/api.js';
import type { CallerPlatform } from '../../sdk/prover/caller-platform.js';
import { createProverOn } from '../../sdk/prover.js';
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
    await vi.waitFor(() => expect(engine.waiting).toBe(1));
    engine.end(7);
    controller.abort();
    await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
    await vi.waitFor(() => expect(engine.released).toEqual([7]));
    await prover.dispose();
    expect(engine.released).toEqual([7]);
  });

  it('that was given is released by its caller alone', async () => {
    const engine = new LateEngine();
    const prover = await proverOf(engine);
    const controller = new AbortController();
    const loading = load(prover, { signal: controller.signal });
    await vi.waitFor(() => expect(engine.waiting).toBe(1));
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

it('a coordinator that never runs is a typed error, and is ended', async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise<never>(() => undefined);
    const worker = new FakeWorker(() => ({ hello: never, start: never, dispose: never }));
    const created = createProverOn({ ...PLATFORM, spawnCoordinator: () => worker }, {});
    const outcome = expect(created).rejects.toMatchObject({ code: 'WORKER_FAILED', hint: expect.any(String) });
    await vi.advanceTimersByTimeAsync(119_999);
    expect(worker.terminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(worker.terminated).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
