import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../../../sdk/executors/workers/kernel/memory.js';

const PAGE = 65536;

function make(heapBase = 1000, maximum = 40): { memory: KernelMemory; wasm: WebAssembly.Memory } {
  const wasm = new WebAssembly.Memory({ initial: 1, maximum });
  return { memory: new KernelMemory(wasm, heapBase), wasm };
}

describe('the memory of a kernel', () => {
  it('gives aligned stretches above the module data that do not overlap', () => {
    const { memory } = make();
    const stretches: { at: number; size: number }[] = [];
    for (const size of [1, 16, 17, 0, 1000, 3]) stretches.push({ at: memory.allocate(size), size });
    for (const { at } of stretches) {
      expect(at % 64).toBe(0);
      expect(at).toBeGreaterThanOrEqual(1000);
    }
    const sorted = stretches.toSorted((a, b) => a.at - b.at);
    for (const [i, { at }] of sorted.slice(1).entries()) expect(at).toBeGreaterThan(sorted[i]!.at);
  });

  it('grows, and gives released memory again', () => {
    const { memory, wasm } = make();
    const large = memory.allocate(3 * PAGE);
    expect(wasm.buffer.byteLength).toBeGreaterThanOrEqual(large + 3 * PAGE);
    const pages = wasm.buffer.byteLength;
    memory.release(large);
    expect(memory.allocate(3 * PAGE)).toBe(large);
    expect(wasm.buffer.byteLength).toBe(pages);
  });

  it('gives the rest of a stretch that is shrunk again', () => {
    const { memory, wasm } = make();
    const large = memory.allocate(3 * PAGE);
    const pages = wasm.buffer.byteLength;
    memory.shrink(large, 3 * PAGE);
    memory.shrink(large, 100);
    expect(memory.allocate(PAGE)).toBe(large + 128);
    // What is kept is not made larger, and never nothing.
    memory.shrink(large, 2 * PAGE);
    memory.shrink(large, 0);
    expect(memory.allocate(64)).toBe(large + 64);
    memory.release(large);
    expect(memory.allocate(64)).toBe(large);
    expect(wasm.buffer.byteLength).toBe(pages);
    expect(() => memory.shrink(large + 64 * 5, 1)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });

  it('joins neighbours that are released in any order', () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [0, 2, 1],
      [1, 0, 2],
    ]) {
      const { memory, wasm } = make();
      const parts = [0, 1, 2].map(() => memory.allocate(20000));
      const pages = wasm.buffer.byteLength;
      for (const i of order) memory.release(parts[i]!);
      expect(memory.allocate(60000)).toBe(parts[0]);
      expect(wasm.buffer.byteLength).toBe(pages);
    }
  });

  it('says OUT_OF_MEMORY when it cannot grow, and goes on', () => {
    const { memory } = make(1000, 4);
    expect(() => memory.allocate(5 * PAGE)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    expect(() => memory.allocate(2 ** 33)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    expect(memory.allocate(2 * PAGE)).toBeGreaterThanOrEqual(1000);
  });

  it('releases what a scope took, also when it fails', async () => {
    const { memory } = make();
    let first = 0;
    await memory.scope((allocate) => {
      first = allocate(500);
      allocate(700);
    });
    await expect(
      memory.scope((allocate) => {
        expect(allocate(1200)).toBe(first);
        throw new RangeError('no');
      }),
    ).rejects.toThrow(RangeError);
    expect(memory.allocate(1200)).toBe(first);
  });

  it('refuses to release what it did not give', () => {
    const { memory } = make();
    const at = memory.allocate(16);
    memory.release(at);
    expect(() => memory.release(at)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });

  it('writes, reads copies and clears', () => {
    const { memory } = make();
    const at = memory.allocate(16);
    memory.write(at, Uint8Array.of(1, 2, 3, 4, 5));
    const copy = memory.read(at, 5);
    expect(memory.readUint32(at)).toBe(0x04030201);
    memory.clear(at, 4);
    expect([...memory.read(at, 5)]).toEqual([0, 0, 0, 0, 5]);
    expect([...copy]).toEqual([1, 2, 3, 4, 5]);
    expect(copy.buffer.byteLength).toBe(5);
  });

  it('never hands out a stretch twice, whatever the order of calls', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(50000)), { maxLength: 60 }), (calls) => {
        const { memory } = make(1000, 200);
        const held: { at: number; size: number }[] = [];
        for (const [take, value] of calls) {
          if (take || held.length === 0) {
            const at = memory.allocate(value);
            for (const other of held) expect(at + value <= other.at || other.at + other.size <= at).toBe(true);
            held.push({ at, size: Math.max(1, value) });
          } else {
            memory.release(held.splice(value % held.length, 1)[0]!.at);
          }
        }
        for (const { at } of held) memory.release(at);
        expect(memory.allocate(1)).toBe(1024);
      }),
      { numRuns: 100 },
    );
  });
});
