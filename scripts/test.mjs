import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { buildExample, exampleFolder } from './lib/example.mjs';
import { commandOf, run, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { countVitestReport } from './lib/vitest-report.mjs';

/**
 * `npm test`: set-up, build, types, lint, generated files, the example page, unit tests and browser tests. Every step runs,
 * whatever became of those before it; the last line counts them all, each gate as one.
 */

/** Longer than any runner takes on two slow cores; one that hangs is ended and counts as failed. */
const RUNNER_TIMEOUT_MS = 12 * 60_000;

await runMain(async () => {
  const { env } = await setUp();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const reports = mkdtempSync(join(tmpdir(), 'pippin-test-'));

  /** A check that passes or fails as a whole. */
  const gate = async (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ check) => {
    console.log(`\n== ${name}`);
    try {
      await check();
      total.passed++;
    } catch (error) {
      console.error(`${name} failed: ${error instanceof Error ? error.message : error}`);
      total.failed++;
    }
  };
  const command = async (/** @type {string} */ script, /** @type {string[]} */ ...args) => {
    const code = await run(process.execPath, [script, ...args], { env, timeoutMs: RUNNER_TIMEOUT_MS });
    if (code !== 0) throw new Error(`exit code ${code}`);
  };
  /** A Vitest run, counted test by test. */
  const suite = async (/** @type {string} */ name, /** @type {string[]} */ ...args) => {
    console.log(`\n== ${name}`);
    const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await run(process.execPath, [commandOf('vitest'), 'run', ...args, ...reporters], {
      env,
      timeoutMs: RUNNER_TIMEOUT_MS,
    });
    const counts = countVitestReport(report, code);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  };

  try {
    await gate('build', build);
    await gate('types', async () => {
      await command(commandOf('typescript', 'tsc'), '--noEmit', '-p', 'tsconfig.json');
      await command(commandOf('typescript', 'tsc'), '--noEmit', '-p', exampleFolder);
    });
    await gate('lint', () => command(commandOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'));
    await gate('generated files', () => command(commandOf('tsx'), 'scripts/generate.ts', '--check'));
    await gate('example build', buildExample);
    // Among them the one that drives the example page in headless Chromium.
    await suite('node tests', '--project', 'node', '--project', 'gpu');
    await suite('browser tests', '--project', 'browser');
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }

  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed > 0 ? 1 : 0;
});
