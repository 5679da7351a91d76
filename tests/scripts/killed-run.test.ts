import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandOf, run } from '../../scripts/lib/run.mjs';
import { describeUnfinished, readResultLog } from '../../scripts/lib/vitest-report.mjs';

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-killed-run-'));
  log = join(folder, 'log.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs fixtures by Vitest, with the log that `npm test` reads. */
function runFixtures(names: readonly string[], signal?: AbortSignal): Promise<number> {
  const fixtures = 'tests/scripts/fixtures';
  const files = names.map((name) => `${fixtures}/${name}.fixture.ts`);
  const options = ['--config', `${fixtures}/vitest.config.ts`, '--reporter=./scripts/lib/result-log.mjs'];
  return run(process.execPath, [commandOf('vitest'), 'run', ...files, ...options], {
    env: { PIPPIN_RESULT_LOG: log },
    ...(signal === undefined ? {} : { signal }),
  });
}

it('counts the tests of a whole run', async () => {
  const code = await runFixtures(['quick']);
  expect(code).toBe(0);
  const results = readResultLog(log, code);
  expect(results.counts).toEqual({ passed: 1, failed: 0, skipped: 1 });
  expect([...results.files.keys()]).toEqual(['tests/scripts/fixtures/quick.fixture.ts']);
  expect(describeUnfinished(results)).toEqual([]);
});

it('ends a run that hangs, and knows what had passed and what was running', async () => {
  const hang = new AbortController();
  const watch = setInterval(() => {
    if (existsSync(log) && readFileSync(log, 'utf8').includes('never ends')) hang.abort();
  }, 50);
  // Node 20 may collect what AbortSignal.any and AbortSignal.timeout give before they fire.
  const limit = setTimeout(() => hang.abort(), 5 * 60_000);
  const code = await runFixtures(['endless'], hang.signal).finally(() => {
    clearInterval(watch);
    clearTimeout(limit);
  });
  expect(code).not.toBe(0);
  const results = readResultLog(log, code);
  // The file that did not end is the failure.
  expect(results.counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(describeUnfinished(results).join('\n')).toContain('1 passed, 0 failed; running: never ends');
});
