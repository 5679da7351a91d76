import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../support/root.js';

/** Long enough for snarkjs to start twice on a busy machine; a process that would never end is killed then. */
const LIMIT_MS = 60_000;

it('a command whose trials have failed ends by itself, with its exit status', async () => {
  const ended = await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['tests/scripts/fixtures/failing-trials.mjs'],
      { cwd: root, timeout: LIMIT_MS },
      (_error, stdout) => resolve({ code: child.exitCode, failed: stdout.match(/FAILED {2}.*(?= \()/g) }),
    );
  });
  expect(ended).toEqual({ code: 2, failed: ['FAILED  a proof that does not hold', 'FAILED  a proof without a point'] });
});
