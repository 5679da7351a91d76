import { describe, expect, it } from 'vitest';
import { RestorableBytes } from '../../../../sdk/executors/workers/pool/restorable-bytes.js';

const first = (): Uint8Array => new Uint8Array([1, 2, 3]);

/** Makes arrays whose first byte tells which one it is, when the test lets it. */
function maker(): { make: () => Promise<Uint8Array>; finish: (error?: Error) => void; made: () => number } {
  let made = 0;
  let settle: ((error?: Error) => void) | undefined;
  return {
    make: () =>
      new Promise((resolve, reject) => {
        const number = ++made;
        settle = (error) => (error === undefined ? resolve(new Uint8Array([10 + number])) : reject(error));
      }),
    finish: (error) => settle?.(error),
    made: () => made,
  };
}

describe('RestorableBytes', () => {
  it('gives what it was given until that is let go', async () => {
    const { make, made } = maker();
    const bytes = first();
    const restorable = new RestorableBytes(bytes, make);
    expect(await restorable.get()).toBe(bytes);
    expect(await restorable.get()).toBe(bytes);
    expect(made()).toBe(0);
    await restorable.free();
    await restorable.free();
    expect(made()).toBe(0);
  });

  it('makes it again once for all who ask meanwhile, and anew for those who ask later', async () => {
    const { make, finish, made } = maker();
    const restorable = new RestorableBytes(first(), make);
    await restorable.free();
    const both = Promise.all([restorable.get(), restorable.get()]);
    finish();
    const [one, other] = await both;
    expect(one).toEqual(new Uint8Array([11]));
    expect(other).toBe(one);
    const later = restorable.get();
    finish();
    expect(await later).toEqual(new Uint8Array([12]));
    expect(made()).toBe(2);
  });

  it('are freed when nothing uses them any more', async () => {
    const { make, made } = maker();
    const bytes = first();
    const restorable = new RestorableBytes(bytes, make);
    let finish = (): void => undefined;
    const used = restorable.use(async (given) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return [...given];
    });
    const failed = restorable.use(async () => {
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    let isFreed = false;
    const freed = restorable.free().then(() => {
      isFreed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isFreed).toBe(false);
    finish();
    expect(await used).toEqual([1, 2, 3]);
    await freed;
    expect(bytes.length).toBe(0);
    expect(made()).toBe(0);
  });

  it('keeps no failure', async () => {
    const { make, finish } = maker();
    const restorable = new RestorableBytes(first(), make);
    await restorable.free();
    const failing = restorable.get();
    finish(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    const next = restorable.get();
    finish();
    expect(await next).toEqual(new Uint8Array([12]));
  });
});
