import { expect, it } from 'vitest';
import type { ProgressEvent } from '../../sdk/api/progress.js';
import { Call } from '../../sdk/engine/call.js';

/** The bytes that a call tells. */
function told(report: (call: Call) => void): (readonly [done: number, total: number | undefined])[] {
  const events: ProgressEvent[] = [];
  report(new Call((event) => events.push(event), [{ read: 100 }]));
  return events.flatMap((event) => (event.kind === 'bytes' ? [[event.done, event.total] as const] : []));
}

it('a call tells downloads of known length in steps of 1%, from the first byte to the last', () => {
  const steps = told((call) => {
    for (let done = 0; done <= 5000; done++) call.bytes(done, 5000);
  });
  expect(steps.at(0)).toEqual([0, 5000]);
  expect(steps.at(-1)).toEqual([5000, 5000]);
  expect(steps.filter(([done]) => done >= 50).length).toBe(100);
});

it('a call tells every step of a download of unknown length, and its length when that is known', () => {
  expect(
    told((call) => {
      for (const done of [0, 1, 2]) call.bytes(done, undefined);
      call.bytes(3, 3);
    }),
  ).toEqual([
    [0, undefined],
    [1, undefined],
    [2, undefined],
    [3, 3],
  ]);
});
