import { describe, expect, it } from 'vitest';
import type { Groth16Key } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { KeptKeys } from '../../../sdk/hosts/snarkjs-alias/kept-keys.js';

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
    const keys = new KeptKeys(2, 100);
    await Promise.all([keys.use('a', 1, load('a'), nothing), keys.use('a', 1, load('a'), nothing)]);
    await keys.use('a', 1, load('a'), nothing);
    expect(events).toEqual(['load a']);
  });

  it('disposes of the key that was not used for the longest time', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys(2, 100);
    for (const name of ['a', 'b', 'a', 'c']) await keys.use(name, 1, load(name), nothing);
    await settled();
    // Before the next one is loaded.
    expect(events).toEqual(['load a', 'load b', 'dispose b', 'load c']);
  });

  it('bounds the bytes, but keeps the last key', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys(9, 100);
    for (const [name, bytes] of [
      ['a', 60],
      ['b', 40],
      ['c', 1],
      ['d', 500],
    ] as const) {
      await keys.use(name, bytes, load(name), nothing);
    }
    await settled();
    expect(events.filter((event) => event.startsWith('dispose'))).toEqual(['dispose a', 'dispose b', 'dispose c']);
  });

  it('does not dispose of a key in use', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys(1, 100);
    await keys.use('a', 1, load('a'), async () => {
      await keys.use('b', 1, load('b'), nothing);
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
      const keys = new KeptKeys(3, 100);
      await keys.use('a', 1, load('a'), nothing);
      const fullUnless = async (): Promise<void> => {
        if (!events.includes('dispose a')) throw new PippinError('OUT_OF_MEMORY', 'expected room, got none');
      };
      const loadB = async (): Promise<Groth16Key> => {
        if (what === 'load') await fullUnless();
        return load('b')();
      };
      await keys.use('b', 1, loadB, what === 'work' ? fullUnless : nothing);
      expect(events.filter((event) => event !== 'load b')).toEqual(['load a', 'dispose a']);
      const never = async (): Promise<never> => {
        throw new PippinError('OUT_OF_MEMORY', 'expected room, got none');
      };
      await keys.use('b', 1, load('b'), async () => {
        await expect(keys.use('c', 1, never, nothing)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
      });
    },
  );

  it('tries again to load a key that could not be loaded', async () => {
    const { events, load } = keyring();
    const keys = new KeptKeys(1, 100);
    const failing = async (): Promise<never> => {
      throw new Error('no such key');
    };
    await expect(keys.use('a', 1, failing, nothing)).rejects.toThrow('no such key');
    await keys.use('a', 1, load('a'), nothing);
    expect(events).toEqual(['load a']);
  });
});
