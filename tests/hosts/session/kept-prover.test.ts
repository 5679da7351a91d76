import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../../../sdk/api/index.js';
import { PippinError, type PippinErrorCode } from '../../../sdk/base/errors.js';
import { KeptProver } from '../../../sdk/hosts/session/kept-prover.js';

/** Provers that are opened and disposed of as the script of a test says. */
let events: string[];
let opening: Promise<void> | undefined;
let disposing: Promise<void> | undefined;
let session: KeptProver;

beforeEach(() => {
  vi.useFakeTimers();
  events = [];
  opening = undefined;
  disposing = undefined;
  session = new KeptProver(
    async () => {
      const number = events.filter((event) => event.startsWith('open')).length + 1;
      events.push(`open ${number}`);
      await opening;
      const dispose = async (): Promise<void> => {
        events.push(`dispose ${number}`);
        await disposing;
      };
      return { dispose } as unknown as Prover;
    },
    () => ({ maxKeys: 1, idleMs: 1000 }),
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const nothing = (): void => undefined;
const failing = (code: PippinErrorCode) => async (): Promise<never> => {
  throw new PippinError(code, 'no');
};

/** A call that ends when the test says so. */
function longCall() {
  let end: (error?: PippinError) => void = nothing;
  const call = session.use(
    () =>
      new Promise<void>((resolve, reject) => {
        end = (error) => (error === undefined ? resolve() : reject(error));
      }),
  );
  return { call, end: (error?: PippinError) => end(error) };
}

describe('a kept prover', () => {
  it('is opened once, by the first call, and disposed of when it was idle', async () => {
    expect(session.keys).toBeUndefined();
    await Promise.all([session.use(nothing), session.use(nothing)]);
    await vi.advanceTimersByTimeAsync(999);
    await session.use(nothing);
    await vi.advanceTimersByTimeAsync(999);
    expect(events).toEqual(['open 1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['open 1', 'dispose 1']);
    expect(session.keys).toBeUndefined();
  });

  it.each(['WORKER_FAILED', 'DISPOSED'] as const)('is replaced after %s, and its other calls go on', async (code) => {
    const { call, end } = longCall();
    await expect(session.use(failing(code))).rejects.toMatchObject({ code });
    await session.use(nothing);
    expect(events).toEqual(['open 1', 'open 2']);
    end();
    await call;
    expect(events).toEqual(['open 1', 'open 2', 'dispose 1']);
  });

  it('stays after another error', async () => {
    await expect(session.use(failing('INVALID_INPUT'))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await session.use(nothing);
    expect(events).toEqual(['open 1']);
  });

  it('that could not be opened is opened by the next call', async () => {
    opening = Promise.reject(new PippinError('IO_FAILED', 'no WASM'));
    await expect(session.use(nothing)).rejects.toMatchObject({ code: 'IO_FAILED' });
    opening = undefined;
    await session.use(nothing);
    expect(events).toEqual(['open 1', 'open 2']);
  });

  it('that is closed under a call is lost to it', async () => {
    const { call, end } = longCall();
    await vi.advanceTimersByTimeAsync(0);
    await session.close();
    end(new PippinError('DISPOSED', 'the prover was disposed'));
    await expect(call).rejects.toMatchObject({ code: 'PROVER_LOST', hint: expect.any(String) });
    expect(events).toEqual(['open 1', 'dispose 1']);
  });

  it('is opened again when the one before has been disposed of', async () => {
    await session.use(nothing);
    let disposed = nothing;
    disposing = new Promise((resolve) => {
      disposed = resolve;
    });
    void session.close();
    const next = session.use(nothing);
    const abort = new AbortController();
    const aborted = session.use(nothing, abort.signal);
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    expect(events).toEqual(['open 1', 'dispose 1']);
    disposed();
    await next;
    expect(events).toEqual(['open 1', 'dispose 1', 'open 2']);
  });

  it('does not make an aborted call wait until it is open', async () => {
    opening = new Promise(() => undefined);
    const abort = new AbortController();
    const call = session.use(nothing, abort.signal);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
