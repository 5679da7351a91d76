import { afterEach, describe, expect, it } from 'vitest';
import { freeMemory } from '../../sdk/base/free-memory.js';

const given = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'transfer');
const THROWING = {
  configurable: true,
  value: () => {
    throw new TypeError('not here');
  },
};
afterEach(() => {
  Reflect.deleteProperty(ArrayBuffer.prototype, 'transfer');
  if (given !== undefined) Object.defineProperty(ArrayBuffer.prototype, 'transfer', given);
});

describe.each([
  ['as this engine is', () => undefined],
  ['without ArrayBuffer.prototype.transfer', () => Reflect.deleteProperty(ArrayBuffer.prototype, 'transfer')],
  ['with one that throws', () => Object.defineProperty(ArrayBuffer.prototype, 'transfer', THROWING)],
])('freeMemory, %s', (_, prepare) => {
  it('frees buffers at once, without the garbage collector', () => {
    prepare();
    const before = process.memoryUsage().arrayBuffers;
    const arrays = [new Uint8Array(2 ** 25), new Uint8Array(2 ** 25).subarray(1, 2)];
    expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(2 ** 25);
    freeMemory(...arrays);
    expect(arrays.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 25);
  });

  it('leaves alone what was moved elsewhere, freed before, or is empty', () => {
    prepare();
    const moved = new Uint8Array(8);
    const { buffer } = structuredClone(moved, { transfer: [moved.buffer] });
    const freed = new Uint8Array(8);
    freeMemory(freed);
    freeMemory(moved, freed, freed, new Uint8Array());
    freeMemory();
    expect(buffer.byteLength).toBe(8);
  });
});
