import { beforeEach, expect, it } from 'vitest';
import { CancelledCalls } from '../../../sdk/hosts/webview/cancelled-calls.js';
import { encodeMessage, type PageMessageOf } from '../../../sdk/hosts/webview/protocol.js';
import { MADE } from './fake-prover.js';

type End = PageMessageOf<'result' | 'failed'>;

const failed = (code: string): End =>
  JSON.parse(encodeMessage({ type: 'failed', id: 'a', code: code as 'ABORTED', message: 'text' }));
const { proof, publicSignals } = MADE;
const made = { id: 'a', circuit: 'note', proof, publicSignals, backend: 'wasm', ms: 1, attempts: 1 } as const;
const result: End = { pippin: 1, type: 'result', ...made };

let calls: CancelledCalls;
beforeEach(() => {
  calls = new CancelledCalls();
});

it('an id that was not cancelled has no ends of another call', () => {
  calls.add('b');
  expect([calls.has('a'), calls.end('a', failed('ABORTED')), calls.end('a', result)]).toEqual([false, false, false]);
  expect(calls.has('b')).toBe(true);
});

it('ABORTED is the one end of a call that was cancelled', () => {
  calls.add('a');
  expect(calls.has('a')).toBe(true);
  expect(calls.end('a', failed('ABORTED'))).toBe(true);
  expect(calls.has('a')).toBe(false);
  expect(calls.end('a', failed('ABORTED'))).toBe(false);
});

it.each([
  ['a result', result, result],
  ['a failure', failed('OUT_OF_MEMORY'), failed('OUT_OF_MEMORY')],
  ['a refusal', failed('INVALID_ARGUMENT'), failed('INVALID_HANDLE')],
])('%s that was under way is followed by the answer to the cancel', (_, end, answer) => {
  calls.add('a');
  expect([calls.end('a', end), calls.end('a', answer), calls.end('a', answer)]).toEqual([true, true, false]);
});

it('each cancel counts', () => {
  calls.add('a');
  calls.add('a');
  const ends = [failed('ABORTED'), result, result, result];
  expect(ends.map((end) => calls.end('a', end))).toEqual([true, true, true, false]);
});

it('a page that has gone says nothing more', () => {
  calls.add('a');
  calls.clear();
  expect(calls.end('a', failed('ABORTED'))).toBe(false);
});
