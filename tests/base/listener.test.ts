import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Listener } from '../../sdk/base/listener.js';

const console = vi.spyOn(globalThis.console, 'error');
beforeEach(() => {
  console.mockReset();
  console.mockImplementation(() => undefined);
});

/** Lets rejected promises be handled. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('Listener', () => {
  it('tells each event', () => {
    const told: number[] = [];
    const listener = new Listener<number>('onProgress', (value) => told.push(value));
    for (const value of [1, 2, 3]) listener.tell(value);
    expect(told).toEqual([1, 2, 3]);
    expect(console).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('no');
      },
    ],
    ['returns a promise that rejects', () => Promise.reject(new Error('no'))],
    [
      'returns what throws when it is taken for a promise',
      () =>
        Object.defineProperty(Promise.resolve(), 'constructor', {
          get: () => {
            throw new Error('no');
          },
        }),
    ],
  ])('writes one failure to the console when it %s, and goes on telling', async (_, fail) => {
    const told: number[] = [];
    const listener = new Listener<number>('onProgress', (value) => {
      told.push(value);
      return fail();
    });
    for (const value of [1, 2, 3]) listener.tell(value);
    await settle();
    expect(told).toEqual([1, 2, 3]);
    expect(console.mock.calls).toEqual([
      [expect.stringContaining('onProgress'), expect.objectContaining({ message: 'no' })],
    ]);
  });

  it('fails nothing when the console fails, too', () => {
    console.mockImplementation(() => {
      throw new Error('no console');
    });
    const listener = new Listener<number>('onNotice', () => {
      throw new Error('no');
    });
    expect(() => listener.tell(1)).not.toThrow();
  });
});
