import { describe, expect, it } from 'vitest';
import type { Groth16Key } from '../../../sdk/api/index.js';
import type { Phase, ProgressEvent, ProgressListener } from '../../../sdk/api/progress.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { KeptKeys, type KeySource, loadThenProve } from '../../../sdk/hosts/session/kept-keys.js';

/** Keys by their names, and what was done with them. */
function keyring() {
  const events: string[] = [];
  const load = (name: string) => async (): Promise<Groth16Key> => {
    events.push(`load ${name}`);
    return { dispose: async () => void events.push(`dispose ${name}`) } as unknown as Groth16Key;
  };
  return { events, load };
}

const nothing = async (): Promise<void> => undefined;
/** Lets what was begun without waiting come to its end. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('KeptKeys', () => {
  it('loads a key once, also for calls at the same time', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 2, maxKeyBytes: 100 });
    await Promise.all([
      keys.use({ id: 'a', bytes: 1, load: load('a') }, {}, nothing),
      keys.use({ id: 'a', bytes: 1, load: load('a') }, {}, nothing),
    ]);
    await keys.use({ id: 'a', bytes: 1, load: load('a') }, {}, nothing);
    expect(events).toEqual(['load a']);
  });

  it('disposes of the key that was not used for the longest time', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 2, maxKeyBytes: 100 });
    for (const name of ['a', 'b', 'a', 'c']) await keys.use({ id: name, bytes: 1, load: load(name) }, {}, nothing);
    await settled();
    // Before the next one is loaded.
    expect(events).toEqual(['load a', 'load b', 'dispose b', 'load c']);
  });

  it('bounds the bytes, but keeps the last key', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 9, maxKeyBytes: 100 });
    for (const [name, bytes] of [
      ['a', 60],
      ['b', 40],
      ['c', 1],
      ['d', 500],
    ] as const) {
      await keys.use({ id: name, bytes, load: load(name) }, {}, nothing);
    }
    await settled();
    expect(events.filter((event) => event.startsWith('dispose'))).toEqual(['dispose a', 'dispose b', 'dispose c']);
  });

  it('does not dispose of a key in use', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 1, maxKeyBytes: 100 });
    await keys.use({ id: 'a', bytes: 1, load: load('a') }, {}, async () => {
      await keys.use({ id: 'b', bytes: 1, load: load('b') }, {}, nothing);
      await settled();
      expect(events).not.toContain('dispose a');
    });
    await settled();
    expect(events.filter((event) => event.startsWith('dispose'))).toHaveLength(1);
  });

  it.each(['load', 'work'])(
    'lets unused keys go when memory does not suffice to %s, and tries once more',
    async (what) => {
      const { events, load } = keyring();
      const keys = new KeptKeys({ maxKeys: 3, maxKeyBytes: 100 });
      await keys.use({ id: 'a', bytes: 1, load: load('a') }, {}, nothing);
      const fullUnless = async (): Promise<void> => {
        if (!events.includes('dispose a')) throw new PippinError('OUT_OF_MEMORY', 'expected room, got none');
      };
      const loadB = async (): Promise<Groth16Key> => {
        if (what === 'load') await fullUnless();
        return load('b')();
      };
      await keys.use({ id: 'b', bytes: 1, load: loadB }, {}, what === 'work' ? fullUnless : nothing);
      expect(events.filter((event) => event !== 'load b')).toEqual(['load a', 'dispose a']);
      const never = async (): Promise<never> => {
        throw new PippinError('OUT_OF_MEMORY', 'expected room, got none');
      };
      await keys.use({ id: 'b', bytes: 1, load: load('b') }, {}, async () => {
        await expect(keys.use({ id: 'c', bytes: 1, load: never }, {}, nothing)).rejects.toMatchObject({
          code: 'OUT_OF_MEMORY',
        });
      });
    },
  );

  it('tries again to load a key that could not be loaded', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 1, maxKeyBytes: 100 });
    const failing = async (): Promise<never> => {
      throw new Error('no such key');
    };
    await expect(keys.use({ id: 'a', bytes: 1, load: failing }, {}, nothing)).rejects.toThrow('no such key');
    await keys.use({ id: 'a', bytes: 1, load: load('a') }, {}, nothing);
    expect(events).toEqual(['load a']);
  });

  it('loads a key once for callers that join, and aborts the load when all of them have left', async () => {
    const keys = new KeptKeys({ maxKeys: 2 });
    const signals: AbortSignal[] = [];
    const source: KeySource = {
      id: 'a',
      load: (signal) => {
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const uses = [first, second].map(({ signal }) => keys.use(source, { signal }, nothing));
    const outcomes = uses.map((use) => expect(use).rejects.toMatchObject({ code: 'ABORTED' }));
    await settled();
    first.abort();
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    second.abort();
    await Promise.all(outcomes);
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(keys.has('a')).toBe(false);
  });

  it('tells loading and proving as one scale, and proving alone once the key is loaded', async () => {
    const { load } = keyring();
    const keys = new KeptKeys({ maxKeys: 1 });
    const done: number[] = [];
    const onProgress: ProgressListener = (event) => event.kind === 'progress' && done.push(event.done);
    const tell = (listener: ProgressListener): void =>
      listener({ kind: 'progress', phase: 'msm', done: 50, total: 100 });
    const source: KeySource = {
      id: 'a',
      load: (_, loading) => {
        tell(loading);
        return load('a')();
      },
    };
    for (let i = 0; i < 2; i++) await keys.use(source, { onProgress }, async (_, proving) => tell(proving));
    expect(done.map(Math.round)).toEqual([20, 70, 50]);
  });

  it('disposes of a key when its last holder has released it, and no call uses it', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 2 });
    const source: KeySource = { id: 'a', load: load('a') };
    const [page, other] = [{}, {}];
    await keys.hold(source, {}, page);
    await keys.hold(source, {}, page);
    await keys.hold(source, {}, other);
    keys.release('a', page);
    keys.release('a', other);
    expect(keys.has('a')).toBe(true);
    await keys.use(source, {}, async () => {
      keys.release('a', page);
      await settled();
      expect(events).toEqual(['load a']);
    });
    await settled();
    expect(events).toEqual(['load a', 'dispose a']);
    keys.release('a', page);
  });

  it('keeps the keys of a holder that has gone', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys({ maxKeys: 1 });
    const holder = {};
    await keys.hold({ id: 'a', load: load('a') }, {}, holder);
    keys.forget(holder);
    await settled();
    expect(events).toEqual(['load a']);
    await keys.use({ id: 'b', load: load('b') }, {}, nothing);
    expect(events).toEqual(['load a', 'dispose a', 'load b']);
  });
});

const at = (phase: Phase, done: number): ProgressEvent => ({ kind: 'progress', phase, done, total: 100 });

describe('the scale of loading a key and proving with it', () => {
  it('goes on where loading ended, and up to the total', () => {
    const told: ProgressEvent[] = [];
    const { loading, proving } = loadThenProve(false, (event) => told.push(event));
    for (const done of [0, 50, 100]) loading(at('prepare', done));
    for (const done of [0, 50, 100]) proving(at('msm', done));
    expect(told).toEqual([
      at('prepare', 0),
      at('prepare', 20),
      at('prepare', 40),
      at('msm', 40),
      at('msm', 70),
      at('msm', 100),
    ]);
  });

  it('is all for proving where the key is loaded', () => {
    const told: ProgressEvent[] = [];
    const { proving } = loadThenProve(true, (event) => told.push(event));
    for (const done of [0, 25, 100]) proving(at('msm', done));
    expect(told).toEqual([at('msm', 0), at('msm', 25), at('msm', 100)]);
  });

  it('never falls, and tells the phase of what would', () => {
    const told: ProgressEvent[] = [];
    const { loading, proving } = loadThenProve(false, (event) => told.push(event));
    loading(at('prepare', 50));
    loading(at('distribute', 25));
    proving(at('witness', 50));
    proving(at('read', 25));
    expect(told).toEqual([at('prepare', 20), at('distribute', 20), at('witness', 70), at('read', 70)]);
  });

  it('passes on all other events as they are', () => {
    const notice = { kind: 'notice', notice: { code: 'WEBGPU_READY', message: 'ready' } } as const;
    const bytes = { kind: 'bytes', phase: 'read', done: 5, total: undefined } as const;
    const told: ProgressEvent[] = [];
    const { loading, proving } = loadThenProve(false, (event) => told.push(event));
    loading(bytes);
    proving(notice);
    expect(told[0]).toBe(bytes);
    expect(told[1]).toBe(notice);
  });
});
