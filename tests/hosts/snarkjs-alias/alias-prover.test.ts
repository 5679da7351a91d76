import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Groth16Key, Prover, ProverOptions } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { AliasProver } from '../../../sdk/hosts/snarkjs-alias/alias-prover.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A shared prover, with what was started and ended. */
function shared() {
  const events: string[] = [];
  let options: ProverOptions = {};
  const prover = new AliasProver(async (given) => {
    options = given;
    events.push('start');
    return { dispose: async () => void events.push('end') } as unknown as Prover;
  });
  return { events, prover, options: () => options };
}

const nothing = async (): Promise<void> => undefined;

describe('AliasProver', () => {
  it('starts with the first call, serves the next, and ends when it was idle', async () => {
    const { events, prover } = shared();
    expect(events).toEqual([]);
    await Promise.all([prover.use(nothing), prover.use(nothing)]);
    await vi.advanceTimersByTimeAsync(59_000);
    await prover.use(nothing);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(events).toEqual(['start']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(events).toEqual(['start', 'end']);
    await prover.use(nothing);
    expect(events).toEqual(['start', 'end', 'start']);
  });

  it('does not end while a call runs, however long, and ends soon when asked to', async () => {
    const { events, prover } = shared();
    const call = prover.use(() => new Promise<void>((resolve) => setTimeout(resolve, 500_000)));
    prover.endSoon();
    await vi.advanceTimersByTimeAsync(499_000);
    expect(events).toEqual(['start']);
    await vi.advanceTimersByTimeAsync(1000);
    await call;
    prover.endSoon();
    await vi.advanceTimersByTimeAsync(1000);
    expect(events).toEqual(['start', 'end']);
  });

  it.each(['WORKER_FAILED', 'DISPOSED'] as const)('starts another prover after %s', async (code) => {
    const { events, prover } = shared();
    const fail = async (): Promise<never> => {
      throw new PippinError(code, 'gone');
    };
    await expect(prover.use(fail)).rejects.toMatchObject({ code });
    await prover.use(nothing);
    expect(events).toEqual(['start', 'end', 'start']);
  });

  it('keeps the prover after the error of a call', async () => {
    const { events, prover } = shared();
    const fail = async (): Promise<never> => {
      throw new PippinError('MALFORMED_FILE', 'no key');
    };
    await expect(prover.use(fail)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await prover.use(nothing);
    expect(events).toEqual(['start']);
  });

  it('tries again to start a prover that could not be started', async () => {
    let tries = 0;
    const prover = new AliasProver(async () => {
      if (++tries === 1) throw new PippinError('IO_FAILED', 'no WASM');
      return { dispose: nothing } as unknown as Prover;
    });
    await expect(prover.use(nothing)).rejects.toMatchObject({ code: 'IO_FAILED' });
    await prover.use(nothing);
    expect(tries).toBe(2);
  });

  it('knows which keys are loaded, until the prover ends', async () => {
    const { prover } = shared();
    expect(prover.hasKey('a')).toBe(false);
    const load = async (): Promise<Groth16Key> => ({ dispose: nothing }) as unknown as Groth16Key;
    await prover.use((_, keys) => keys.use({ id: 'a', bytes: 1, load }, {}, nothing));
    expect(prover.hasKey('a')).toBe(true);
    expect(prover.hasKey('b')).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(prover.hasKey('a')).toBe(false);
  });

  it('lets a process end before it is idle for long enough', async () => {
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    try {
      const { prover } = shared();
      await prover.use(nothing);
      expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([60_000]);
      const timer = timers.mock.results[0]!.value as NodeJS.Timeout;
      expect(timer.hasRef()).toBe(false);
      clearTimeout(timer);
    } finally {
      timers.mockRestore();
    }
  });

  it('lets a call end on the prover that it began with', async () => {
    const { events, prover } = shared();
    const call = prover.use(() => new Promise<void>((resolve) => setTimeout(resolve, 100)));
    prover.configure({});
    await prover.use(nothing);
    expect(events).toEqual(['start', 'start']);
    await vi.advanceTimersByTimeAsync(100);
    await call;
    expect(events).toEqual(['start', 'start', 'end']);
  });

  it('takes options for the next prover, and writes what circuits log to the console', async () => {
    const { events, prover, options } = shared();
    await prover.use(nothing);
    const onNotice = vi.fn();
    prover.configure({ prover: { threads: 3, onNotice }, curveGlobals: false });
    await vi.advanceTimersByTimeAsync(0);
    await prover.use(nothing);
    expect(events).toEqual(['start', 'end', 'start']);
    expect(options()).toMatchObject({ threads: 3 });
    expect(prover.configured.curveGlobals).toBe(false);
    // What is not given again stays.
    prover.configure({ maxKeys: 2 });
    expect(prover.configured.curveGlobals).toBe(false);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    options().onNotice!({ code: 'CIRCUIT_LOG', message: 'root is 7' });
    options().onNotice!({ code: 'WEBGPU_READY', message: 'ready' });
    expect(log.mock.calls).toEqual([['root is 7']]);
    expect(onNotice).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it.each([
    [{ maxKey: 1 }],
    [{ prover: 5 }],
    [{ prover: 'wasm' }],
    [{ curveGlobals: 'no' }],
    [{ maxKeys: 0 }],
    [{ idleMs: -1 }],
    [7],
  ])('refuses the options %j', (options) => {
    const { prover } = shared();
    expect(() => prover.configure(options as object)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
