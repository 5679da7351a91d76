import { describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../scripts/lib/result-log.mjs';
import { describeUnfinished, failedTests, readResultLog, readResults } from '../../scripts/lib/vitest-report.mjs';

const log = (...events: ResultEvent[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');

const begun = (file: string, ...tests: string[]): ResultEvent[] => [
  { event: 'file-start', file },
  ...tests.flatMap((test): ResultEvent[] => [
    { event: 'test-start', file, test },
    { event: 'test', file, test, state: test.startsWith('bad') ? 'failed' : 'passed' },
  ]),
];

const finished = (file: string, ...tests: string[]): ResultEvent[] => [
  ...begun(file, ...tests),
  { event: 'file', file, state: tests.some((test) => test.startsWith('bad')) ? 'failed' : 'passed', skipped: 0 },
];

const END: ResultEvent = { event: 'end', errors: 0 };

describe('the results of a run that came to its end', () => {
  it('counts tests by their state', () => {
    const results = readResults(
      log(
        { event: 'run', files: ['a', 'b'] },
        ...finished('a', 'one', 'two'),
        ...begun('b', 'three', 'bad'),
        { event: 'test', file: 'b', test: 'left out', state: 'skipped' },
        { event: 'file', file: 'b', state: 'failed', skipped: 1 },
        END,
      ),
      1,
    );
    expect(results.counts).toEqual({ passed: 3, failed: 1, skipped: 1 });
    expect(failedTests(results)).toEqual(['b > bad']);
    expect(describeUnfinished(results)).toEqual([]);
  });

  it('counts tests that were never begun as skipped', () => {
    const text = log(...begun('a', 'one'), { event: 'file', file: 'a', state: 'passed', skipped: 3 }, END);
    expect(readResults(text, 0).counts).toEqual({ passed: 1, failed: 0, skipped: 3 });
  });

  it('counts a file that could not be loaded as one failure', () => {
    const failed: ResultEvent = { event: 'file', file: 'a', state: 'failed', skipped: 0 };
    const results = readResults(log({ event: 'file-start', file: 'a' }, failed, END), 1);
    expect(results.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(failedTests(results)).toEqual(['a > the file as a whole']);
  });

  it('counts a failed hook as one failure, beside the tests that failed, and gives their errors', () => {
    const text = log(
      ...begun('a', 'bad'),
      { event: 'test', file: 'a', test: 'wrong', state: 'failed', error: 'Error: expected 1 to be 2\n- 2\n+ 1' },
      { event: 'suite-failed', file: 'a', suite: 'sums', error: 'Error: no key' },
      { event: 'file', file: 'a', state: 'failed', skipped: 2 },
      END,
    );
    expect(readResults(text, 1).counts).toEqual({ passed: 0, failed: 3, skipped: 2 });
    expect(failedTests(readResults(text, 1))).toEqual([
      'a > bad',
      'a > wrong\n    Error: expected 1 to be 2\n    - 2\n    + 1',
      'a > sums (a hook)\n    Error: no key',
    ]);
  });

  it('counts errors that belong to no test', () => {
    const results = readResults(log(...finished('a', 'one'), { event: 'end', errors: 2 }), 1);
    expect(results.counts).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  it('counts one failure where the exit code alone tells of it', () => {
    expect(readResults(log(...finished('a', 'one'), END), 1).counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('takes a run of nothing for a failure', () => {
    expect(readResults(log({ event: 'run', files: [] }, END), 0).counts.failed).toBe(1);
  });
});

describe('the results of a run that was killed', () => {
  const killed = log(
    { event: 'run', files: ['a', 'b', 'c', 'd'] },
    ...finished('a', 'one', 'two'),
    ...begun('b', 'three', 'bad'),
    { event: 'test-start', file: 'b', test: 'endless' },
    ...begun('c'),
  );

  it('keeps what had passed and counts each file without an end as one failure', () => {
    // b's failed test; b, c and d did not end.
    expect(readResults(killed, 1).counts).toEqual({ passed: 3, failed: 4, skipped: 0 });
  });

  it('names the files by how far they came, and the tests that ran', () => {
    expect(describeUnfinished(readResults(killed, 1))).toEqual([
      'The run did not come to its end. Tests that had passed: 3; files that had finished: 1 of 4.',
      'Finished:',
      '  a',
      'Begun and not finished:',
      '  b (1 passed, 1 failed; running: endless)',
      '  c (0 passed, 0 failed)',
      'Not begun:',
      '  d',
    ]);
  });

  it('reads a log wherever it was cut off', () => {
    for (let length = 0; length <= killed.length; length++) {
      const { counts } = readResults(killed.slice(0, length), 1);
      expect(counts.passed).toBeLessThanOrEqual(3);
      expect(counts.failed).toBeGreaterThan(0);
    }
  });

  it('says so where all files had finished and the runner had not', () => {
    const results = readResults(log({ event: 'run', files: ['a'] }, ...finished('a', 'one')), 1);
    expect(results.counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(describeUnfinished(results)[0]).toBe(
      'The run did not come to its end. Tests that had passed: 1; files that had finished: 1 of 1.',
    );
  });

  it('says so where it left no log', () => {
    const results = readResultLog('/nonexistent/log', 1);
    expect(results.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(describeUnfinished(results)).toEqual(['The run ended before it had found its test files.']);
  });
});
