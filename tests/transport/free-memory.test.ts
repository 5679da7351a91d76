import { expect, it } from 'vitest';
import { freeMemory } from '../../sdk/transport/free-memory.js';

it('frees memory by moving it where the engine can, and leaves it alone where the method throws', () => {
  const lengths: number[] = [];
  const buffers = [0, 1, 2].map(() => new Uint8Array(8));
  const [moved, throws, without] = buffers as [Uint8Array, Uint8Array, Uint8Array];
  Object.defineProperty(moved.buffer, 'transfer', { value: (length: number) => lengths.push(length) });
  Object.defineProperty(throws.buffer, 'transfer', {
    value: () => {
      throw new TypeError('underlying platform lacks ArrayBuffer.prototype.transfer');
    },
  });
  Object.defineProperty(without.buffer, 'transfer', { value: undefined });
  freeMemory(throws, without, moved, new Uint8Array(0));
  expect(lengths).toEqual([0]);
});
