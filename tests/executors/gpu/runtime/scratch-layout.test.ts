import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Lifetime,
  largestBytes,
  layOut,
  lifetimesOf,
  totalBytes,
} from '../../../../sdk/executors/gpu/runtime/scratch-layout.js';
import { atomic, given, read, readWrite, stageDefiner } from '../../../../sdk/executors/gpu/runtime/stage.js';
import type { Step } from '../../../../sdk/executors/gpu/runtime/steps.js';
import { SUBMIT_PARAMS_BYTES } from '../../../../sdk/executors/gpu/runtime/submit-params.js';

type Name = 'a' | 'b' | 'c' | 'd';

/** Bytes of the allocations for buffers of the given sizes and lifetimes. */
function allocationsOf(buffers: Record<string, [bytes: number, from: number, to: number]>): readonly number[] {
  const sizes = Object.fromEntries(Object.entries(buffers).map(([name, [bytes]]) => [name, bytes]));
  const lifetimes = new Map(Object.entries(buffers).map(([name, [, from, to]]) => [name, { from, to }]));
  return layOut(sizes, lifetimes).allocations;
}

describe('the layout of scratch buffers', () => {
  it('lays buffers over one another that are not needed at once', () => {
    expect(allocationsOf({ ranks: [100, 0, 3], slots: [160, 4, 6] })).toEqual([160]);
    expect(allocationsOf({ ranks: [100, 0, 4], slots: [160, 4, 6] })).toEqual([160, 100]);
    expect(allocationsOf({ a: [8, 0, 1], b: [8, 2, 3], c: [8, 4, 5], d: [8, 0, 5] })).toEqual([8, 8]);
    // A ping-pong of three buffers takes two.
    expect(allocationsOf({ a: [64, 0, 1], b: [64, 1, 2], c: [64, 2, 3] })).toEqual([64, 64]);
    expect(allocationsOf({})).toEqual([]);
  });

  it('gives a buffer of no bytes a word, since WebGPU binds no empty buffer', () => {
    expect(allocationsOf({ a: [0, 0, 0] })).toEqual([4]);
  });

  it('never lets two buffers share memory that are needed at once, and takes no more than they do apart', () => {
    const buffer = fc.record({ bytes: fc.integer({ min: 1, max: 1000 }), from: fc.nat(12), length: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(buffer, { maxLength: 10 }), (buffers) => {
        const lifetimes = new Map<string, Lifetime>(
          buffers.map(({ from, length }, i) => [`${i}`, { from, to: from + length }]),
        );
        const sizes = Object.fromEntries(buffers.map(({ bytes }, i) => [`${i}`, Math.max(4, bytes)]));
        const layout = layOut(sizes, lifetimes);
        expect(layout.buffers.size).toBe(buffers.length);
        for (const [name, { allocation, bytes }] of layout.buffers) {
          expect(bytes).toBe(sizes[name]);
          expect(layout.allocations[allocation]).toBeGreaterThanOrEqual(bytes);
          for (const [other, place] of layout.buffers) {
            const [x, y] = [lifetimes.get(name)!, lifetimes.get(other)!];
            const together = x.from <= y.to && y.from <= x.to;
            if (name !== other && together) expect(place.allocation).not.toBe(allocation);
          }
        }
        const apart = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
        // At no step is less memory enough.
        const needed = Array.from({ length: 20 }, (_, at) =>
          [...lifetimes].reduce((sum, [name, { from, to }]) => sum + (from <= at && at <= to ? sizes[name]! : 0), 0),
        );
        const bytes = layout.allocations.reduce((sum, each) => sum + each, 0);
        expect(bytes).toBeGreaterThanOrEqual(Math.max(...needed));
        expect(bytes).toBeLessThanOrEqual(apart);
        expect(layout.allocations).toEqual(layout.allocations.toSorted((x, y) => y - x));
      }),
    );
  });

  it('counts the parameters of a submit', () => {
    const layout = layOut({ a: 100 }, new Map([['a', { from: 0, to: 0 }]]));
    expect(totalBytes(layout)).toBe(100 + SUBMIT_PARAMS_BYTES);
    expect(largestBytes(layout)).toBe(SUBMIT_PARAMS_BYTES);
  });

  it('rejects a buffer that no step uses', () => {
    expect(() => layOut({ a: 4 }, new Map())).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });
});

describe('lifetimes', () => {
  const define = stageDefiner<Name, undefined>();
  const base = { entry: 'threads', workgroupSize: 64, params: [], shader: '' } as const;
  const run = { first: 0, end: 1, params: {}, cost: 1 };
  const fill = define({ ...base, name: 'fill', bindings: { to: readWrite('a') }, dispatches: () => [run] });
  const move = define({
    ...base,
    name: 'move',
    bindings: { from: read('a'), to: atomic('b'), own: given('read') },
    dispatches: (buffer: GPUBuffer) => [{ ...run, buffers: { own: buffer } }],
  });
  const own = {} as GPUBuffer;
  const steps: readonly Step<Name>[] = [
    { kind: 'clear', buffer: 'a' },
    { kind: 'dispatch', dispatch: fill.dispatches(undefined)[0]! },
    { kind: 'dispatch', dispatch: move.dispatches(own)[0]! },
    { kind: 'upload', buffer: 'c', run: async () => {} },
    { kind: 'read back', buffer: 'b', size: 4, target: own },
  ];

  it('reach from the first step that uses a buffer to the last', () => {
    expect(Object.fromEntries(lifetimesOf(steps))).toEqual({
      a: { from: 0, to: 2 },
      b: { from: 2, to: 4 },
      c: { from: 3, to: 3 },
    });
  });

  it('begin with a copy, and do not reach to where all is wiped', () => {
    const copied: readonly Step<Name>[] = [
      { kind: 'copy', source: own, from: 0, buffer: 'a', to: 0, size: 4 },
      { kind: 'read back', buffer: 'a', size: 4, target: own },
      { kind: 'wipe' },
    ];
    expect(Object.fromEntries(lifetimesOf(copied))).toEqual({ a: { from: 0, to: 1 } });
  });

  it('of buffers that are carried over reach over all steps', () => {
    const lifetimes = lifetimesOf(steps, ['c', 'd']);
    for (const name of ['c', 'd'] as const) {
      expect(lifetimes.get(name)).toEqual({ from: 0, to: Number.POSITIVE_INFINITY });
    }
  });

  it('reject a buffer that is read before it was written, unless it is carried over', () => {
    const late = steps.slice(2);
    expect(() => lifetimesOf(late)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    expect(lifetimesOf(late, ['a']).get('b')).toEqual({ from: 0, to: 2 });
    expect(() => lifetimesOf<Name>([{ kind: 'read back', buffer: 'd', size: 4, target: own }])).toThrow(
      /expected step 0 to find d/,
    );
  });
});
