import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventQueue } from '../../../bench/farm-scale/event-queue.js';

it('has nothing at first', () => {
  expect(new EventQueue<string>().take()).toBeUndefined();
});

it('gives events by their times, also between additions', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined })), (steps) => {
      const queue = new EventQueue<number>();
      const kept: number[] = [];
      for (const at of steps) {
        if (at === undefined) expect(queue.take()?.at).toBe(kept.shift());
        else {
          queue.add(at, at);
          kept.push(at);
          kept.sort((a, b) => a - b);
        }
        expect(queue.length).toBe(kept.length);
      }
      for (const at of kept) expect(queue.take()).toEqual({ at, event: at });
    }),
  );
});
