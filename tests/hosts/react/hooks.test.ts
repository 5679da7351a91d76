// @vitest-environment happy-dom
import { act, createElement, type ReactElement, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Groth16Key, ProverOptions } from '../../../sdk/api/index.js';
import type { ProgressEvent } from '../../../sdk/api/progress.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { type KeyState, type ProofState, type ProverState, useKey, useProof, useProver } from '../../../sdk/react.js';
import { FakeProver } from '../../support/fake-prover.js';

/** The provers that were started, with their options, in place of real ones. */
const started: { readonly prover: FakeProver; readonly options: ProverOptions }[] = [];
let failure: PippinError | undefined;

vi.mock('pippin-prover', async () => ({
  ...(await import('../../../sdk/base/errors.js')),
  createProver: async (options: ProverOptions) => {
    if (failure !== undefined) throw failure;
    const prover = new FakeProver();
    started.push({ prover, options });
    return prover.asProver;
  },
}));

/** What a page shows when a user goes on: components are unmounted, and what they shared may end. */
const LATER_MS = 1000;

interface Seen {
  prover?: ProverState;
  key?: KeyState;
  proof?: ProofState;
}

/** A component that uses the hooks, and tells what it sees. */
function Spend({ seen, zkey = 'a.zkey', options }: { seen: Seen; zkey?: string | undefined; options?: ProverOptions }) {
  seen.prover = useProver(options);
  seen.key = useKey(seen.prover.prover, zkey, { sha256: '00' });
  seen.proof = useProof(seen.prover.prover, seen.key.key);
  return null;
}

let root: Root;
const render = (element: ReactElement | null): Promise<void> =>
  act(async () => {
    root.render(element);
    await vi.advanceTimersByTimeAsync(0);
  });
const later = (ms = LATER_MS): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
const progress = (done: number, phase: 'msm' | 'read' = 'msm'): ProgressEvent => ({
  kind: 'progress',
  phase,
  done,
  total: 100,
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  started.length = 0;
  failure = undefined;
  root = createRoot(document.createElement('div'));
});
afterEach(async () => {
  await render(null);
  await later();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('useProver', () => {
  it('starts one prover in StrictMode, for all components, and disposes of it after the last', async () => {
    const [a, b]: Seen[] = [{}, {}];
    const both = [createElement(Spend, { seen: a!, key: 'a' }), createElement(Spend, { seen: b!, key: 'b' })];
    await render(createElement(StrictMode, null, both));
    expect(a!.prover?.status).toBe('ready');
    expect(b!.prover?.prover).toBe(a!.prover?.prover);
    expect(started).toHaveLength(1);
    expect(started[0]!.prover.loaded).toHaveLength(1);
    await render(createElement(StrictMode, null, both[1]));
    await later();
    expect(started[0]!.prover.isDisposed).toBe(false);
    await render(null);
    expect(started[0]!.prover.isDisposed).toBe(false);
    await later();
    expect(started[0]!.prover.isDisposed).toBe(true);
    expect(started[0]!.prover.freed).toEqual(['a.zkey']);
  });

  it('keeps the prover through a moment without components, and starts another after it', async () => {
    await render(createElement(Spend, { seen: {} }));
    await render(null);
    await later(400);
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    await later();
    expect(started).toHaveLength(1);
    await render(null);
    await later();
    await render(createElement(Spend, { seen }));
    expect(started.map(({ prover }) => prover.isDisposed)).toEqual([true, false]);
    expect(seen.prover?.status).toBe('ready');
  });

  it('takes options that are written anew for each render, and replaces the prover when they change', async () => {
    const seen: Seen = {};
    for (const threads of [1, 1, 2]) await render(createElement(Spend, { seen, options: { threads, cache: false } }));
    await later();
    expect(started.map(({ options }) => options.threads)).toEqual([1, 2]);
    expect(started.map(({ prover }) => prover.isDisposed)).toEqual([true, false]);
    expect(seen.key?.status).toBe('ready');
  });

  it('refuses other options while the prover is in use, until it is not', async () => {
    const [a, b]: Seen[] = [{}, {}];
    const second = createElement(Spend, { seen: b!, key: 'b', options: { threads: 2 } });
    await render(createElement('div', null, [createElement(Spend, { seen: a!, key: 'a' }), second]));
    expect([a!.prover?.status, b!.prover?.status]).toEqual(['ready', 'failed']);
    expect(b!.prover?.error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(b!.key?.status).toBe('waiting');
    await render(createElement('div', null, [second]));
    await act(async () => b!.prover?.retry());
    await later(0);
    expect(b!.prover?.status).toBe('ready');
    expect(started.map(({ prover }) => prover.isDisposed)).toEqual([true, false]);
  });

  it('holds the error of the start, and starts again when asked', async () => {
    failure = new PippinError('WORKER_FAILED', 'no worker');
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    expect(seen.prover).toMatchObject({ status: 'failed', prover: undefined, error: failure });
    failure = undefined;
    await act(async () => seen.prover?.retry());
    await later(0);
    expect(seen.prover?.status).toBe('ready');
    seen.prover?.retry();
    expect(started).toHaveLength(1);
  });

  it('makes a PippinError of what is none', async () => {
    failure = new TypeError('odd') as unknown as PippinError;
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    expect(seen.prover?.error).toBeInstanceOf(PippinError);
    expect(seen.prover?.error).toMatchObject({ code: 'INTERNAL', message: 'odd' });
  });

  it('tells notices to each mounted component, by its latest function', async () => {
    const told: string[] = [];
    const listening = (name: string) => ({ onNotice: () => void told.push(name) });
    await render(createElement(Spend, { seen: {}, options: listening('old') }));
    await render(createElement(Spend, { seen: {}, options: listening('new') }));
    expect(started).toHaveLength(1);
    started[0]!.options.onNotice?.({ code: 'WEBGPU_READY', message: '' });
    await render(null);
    started[0]!.options.onNotice?.({ code: 'WEBGPU_READY', message: '' });
    expect(told).toEqual(['new']);
  });
});

describe('useKey', () => {
  it('shows the progress of loading in steps of a hundredth', async () => {
    const seen: Seen = {};
    const renders: (number | undefined)[] = [];
    await render(createElement(Spend, { seen, zkey: undefined }));
    expect(seen.key).toMatchObject({ status: 'ready' });
    const { prover } = started[0]!;
    let load = (): void => undefined;
    prover.loading = new Promise((resolve) => {
      load = resolve;
    });
    await render(createElement(Spend, { seen, zkey: 'b.zkey' }));
    const { onProgress } = prover.loaded.at(-1)!.options as { onProgress(event: ProgressEvent): void };
    for (const done of [10.1, 10.4, 55]) {
      await act(async () => onProgress(progress(done, 'read')));
      renders.push(seen.key?.progress);
    }
    expect(renders).toEqual([0.1, 0.1, 0.55]);
    expect(seen.key).toMatchObject({ status: 'loading', key: undefined, phase: 'read' });
    load();
    await later(0);
    expect(seen.key).toMatchObject({ status: 'ready', progress: 1, error: undefined });
  });

  it('frees the key before, a moment after another is asked for', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    await render(createElement(Spend, { seen, zkey: 'b.zkey' }));
    expect(started[0]!.prover.loaded.map(({ url }) => url)).toEqual(['a.zkey', 'b.zkey']);
    await later();
    expect(started[0]!.prover.freed).toEqual(['a.zkey']);
    await render(createElement(Spend, { seen }));
    expect(started[0]!.prover.loaded.map(({ url }) => url)).toEqual(['a.zkey', 'b.zkey', 'a.zkey']);
    expect(seen.key?.status).toBe('ready');
  });

  it('aborts loading a moment after the component is unmounted, and frees what came all the same', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    const { prover } = started[0]!;
    let load = (): void => undefined;
    prover.loading = new Promise((resolve) => {
      load = resolve;
    });
    await render(createElement(Spend, { seen, zkey: 'slow.zkey' }));
    const { signal } = prover.loaded.at(-1)!.options as { signal: AbortSignal };
    await render(null);
    expect(signal.aborted).toBe(false);
    await later();
    expect(signal.aborted).toBe(true);
    load();
    await later(0);
    expect(prover.freed).toContain('slow.zkey');
  });

  it('holds an error, and loads again when asked', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    started[0]!.prover.failNextLoad = new PippinError('IO_FAILED', 'offline');
    await render(createElement(Spend, { seen, zkey: 'b.zkey' }));
    expect(seen.key).toMatchObject({ status: 'failed', key: undefined, error: { code: 'IO_FAILED' } });
    await act(async () => seen.key?.retry());
    await later(0);
    expect(seen.key).toMatchObject({ status: 'ready', error: undefined });
  });
});

describe('useProof', () => {
  it('goes from idle over progress to the result', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    expect(seen.proof).toMatchObject({ status: 'idle', progress: 0, result: undefined, error: undefined });
    const functions = [seen.proof?.fullProve, seen.proof?.abort];
    let made: unknown;
    await act(async () => {
      void seen.proof?.fullProve({ x: 1 }, 'a.wasm', { verify: false }).then((result) => (made = result));
    });
    const [asked] = started[0]!.prover.proofs;
    expect(asked).toMatchObject({ how: 'fullProve', given: [{ x: 1 }, 'a.wasm'], options: { verify: false } });
    await act(async () => asked!.options.onProgress?.(progress(42)));
    expect(seen.proof).toMatchObject({ status: 'proving', progress: 0.42, phase: 'msm' });
    await act(async () => asked!.succeed());
    expect(seen.proof).toMatchObject({ status: 'proved', progress: 1, result: { publicSignals: ['1'] } });
    expect(made).toBe(seen.proof?.result);
    expect([seen.proof?.fullProve, seen.proof?.abort]).toEqual(functions);
    await act(async () => seen.proof?.reset());
    expect(seen.proof).toMatchObject({ status: 'idle', result: undefined });
  });

  it('holds the error, and never rejects', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    let outcome: Promise<unknown> | undefined;
    await act(async () => {
      outcome = seen.proof?.prove(new Uint8Array(1));
    });
    await act(async () => started[0]!.prover.proofs[0]!.fail(new PippinError('PROOF_INVALID', 'wrong')));
    expect(await outcome).toBeUndefined();
    expect(seen.proof).toMatchObject({ status: 'failed', result: undefined, error: { code: 'PROOF_INVALID' } });
  });

  it('says what is missing before prover and key are there', async () => {
    const seen: Seen = {};
    function Early() {
      seen.proof = useProof<Groth16Key>(undefined, undefined);
      return null;
    }
    await render(createElement(Early));
    await act(async () => void (await seen.proof?.fullProve({}, 'a.wasm')));
    expect(seen.proof).toMatchObject({ status: 'failed', error: { code: 'INVALID_ARGUMENT' } });
  });

  it('aborts at once, and what the old proof still tells does not count', async () => {
    const seen: Seen = {};
    await render(createElement(StrictMode, null, createElement(Spend, { seen })));
    await act(async () => void seen.proof?.fullProve({}, 'a.wasm'));
    const [asked] = started[0]!.prover.proofs;
    await act(async () => {
      seen.proof?.abort();
      asked!.options.onProgress?.(progress(99));
    });
    expect(asked!.options.signal?.aborted).toBe(true);
    expect(seen.proof).toMatchObject({ status: 'aborted', error: { code: 'ABORTED' }, progress: 0 });
  });

  it('makes one proof at a time: the last that was asked for', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    await act(async () => {
      void seen.proof?.fullProve({ x: 1 }, 'a.wasm');
      void seen.proof?.fullProve({ x: 2 }, 'a.wasm');
    });
    const [first, second] = started[0]!.prover.proofs;
    expect([first, second].map((asked) => asked?.options.signal?.aborted)).toEqual([true, false]);
    expect(seen.proof?.status).toBe('proving');
    await act(async () => second!.succeed());
    expect(seen.proof?.status).toBe('proved');
  });

  it('is aborted when the component is unmounted, and when the key changes', async () => {
    const seen: Seen = {};
    await render(createElement(Spend, { seen }));
    await act(async () => void seen.proof?.fullProve({}, 'a.wasm'));
    await render(createElement(Spend, { seen, zkey: 'b.zkey' }));
    expect(seen.proof?.status).toBe('aborted');
    await act(async () => void seen.proof?.fullProve({}, 'a.wasm'));
    await render(null);
    expect(started[0]!.prover.proofs.map(({ options }) => options.signal?.aborted)).toEqual([true, true]);
  });
});
