import { type ChildProcess, execFile } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { root } from '../support/root.js';

let command: ChildProcess | undefined;
// One that stands for ever.
afterEach(() => void command?.kill());

it('a command whose trials have failed ends by itself, with its exit status', async () => {
  const ended = await new Promise((resolve) => {
    const script = 'tests/scripts/fixtures/failing-trials.mjs';
    const child = execFile(process.execPath, [script], { cwd: root }, (_error, stdout) =>
      resolve({ code: child.exitCode, failed: stdout.match(/FAILED {2}.*(?= \()/g) }),
    );
    command = child;
  });
  expect(ended).toEqual({ code: 2, failed: ['FAILED  a proof that does not hold', 'FAILED  a proof without a point'] });
});
