import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Prover, ProvingKey } from '../../../sdk/api/index.js';
import type { ProgressEvent, ProgressListener } from '../../../sdk/api/progress.js';
import { PageProver } from '../../../sdk/hosts/webview/page-prover.js';
import { MADE } from './fake-prover.js';

const NOTE = {
  zkey: 'note.zkey',
  wasm: 'note.wasm',
  keyOptions: { sha256: 'ab' },
  proveOptions: { strictInputs: true },
};
const OTHER = { zkey: 'other.zkey', wasm: 'other.wasm' };

const IDLE_MS = 60_000;

let log: string[];
let failures: Error[];
let prover: PageProver;
let protocol: ProvingKey['protocol'];

const tell = (listener: ProgressListener | undefined, ...parts: readonly number[]): void => {
  for (const done of parts) listener?.({ kind: 'progress', phase: 'msm', done, total: 4 } satisfies ProgressEvent);
};

/** A prover whose calls end at once, and whose keys are of this proof system. */
function fakeProver(protocol: ProvingKey['protocol']): Prover {
  const system = {
    loadKey: async (zkey: string, options: { onProgress?: ProgressListener }) => {
      log.push(`load ${zkey}`);
      tell(options.onProgress, 2, 4);
      const key = { protocol, name: zkey, dispose: async () => void log.push(`dispose ${zkey}`) };
      return key as unknown as ProvingKey;
    },
    fullProve: async (key: unknown, _: unknown, wasm: string, options: { onProgress?: ProgressListener }) => {
      log.push(`prove ${(key as { name: string }).name} ${wasm}`);
      tell(options.onProgress, 1, 0, 4);
      return MADE;
    },
  };
  return {
    [protocol]: system,
    loadKey: system.loadKey,
    dispose: async () => void log.push('close'),
  } as unknown as Prover;
}

beforeEach(() => {
  log = [];
  failures = [];
  protocol = 'groth16';
  prover = new PageProver(async () => {
    log.push('open');
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return fakeProver(protocol);
  }, IDLE_MS);
});

afterEach(() => vi.useRealTimers());

async function prove(circuit: typeof OTHER, signal = new AbortController().signal): Promise<number[]> {
  const fractions: number[] = [];
  await prover.prove({ circuit, inputs: {}, signal, onProgress: (fraction) => fractions.push(fraction) });
  return fractions;
}

describe('the prover of a page', () => {
  it('proves with the proof system of the key', async () => {
    protocol = 'plonk';
    await prove(NOTE);
    expect(log).toEqual(['open', 'load note.zkey', 'prove note.zkey note.wasm']);
  });

  it('opens when it is asked, and holds the key of one circuit', async () => {
    expect(log).toEqual([]);
    await prove(NOTE);
    await prove(NOTE);
    await prove(OTHER);
    expect(log).toEqual([
      'open',
      'load note.zkey',
      'prove note.zkey note.wasm',
      'prove note.zkey note.wasm',
      'dispose note.zkey',
      'load other.zkey',
      'prove other.zkey other.wasm',
    ]);
  });

  it('tells a progress that never falls, of which loading the key is a part', async () => {
    expect(await prove(NOTE)).toEqual([0.2, 0.4, 0.55, 0.55, 1]);
    expect(await prove(NOTE)).toEqual([0.25, 0.25, 1]);
  });

  it('opens again after it was closed, when the one before has ended', async () => {
    prover.close();
    await prove(NOTE);
    prover.close();
    prover.close();
    await prove(NOTE);
    expect(log.filter((line) => /open|close/.test(line))).toEqual(['open', 'close', 'open']);
  });

  it('ends when nothing was asked for a minute', async () => {
    vi.useFakeTimers();
    await prove(NOTE);
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(log).not.toContain('close');
    await vi.advanceTimersByTimeAsync(1);
    expect(log.at(-1)).toBe('close');
  });

  it('that could not be opened is tried again', async () => {
    failures.push(new Error('no worker'));
    await expect(prove(NOTE)).rejects.toThrow('no worker');
    await prove(NOTE);
    expect(log.filter((line) => line === 'open')).toHaveLength(2);
  });

  it('does not wait for its opening once the proof is aborted', async () => {
    const never = new PageProver(() => new Promise(() => undefined), IDLE_MS);
    const abort = new AbortController();
    const proof = never.prove({ circuit: NOTE, inputs: {}, signal: abort.signal, onProgress: () => undefined });
    abort.abort();
    await expect(proof).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
