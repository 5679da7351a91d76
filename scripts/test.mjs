import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { benchmarkFolder } from './lib/benchmark-page.mjs';
import { ceremonyFolder } from './lib/ceremony-page.mjs';
import { endSilence } from './lib/end-silence.mjs';
import { buildExample, exampleFolder } from './lib/example.mjs';
import { needRedis } from './lib/redis.mjs';
import { commandOf, root, run, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { describeUnfinished, failedTests, readResultLog } from './lib/vitest-report.mjs';
import { buildExtension, extensionFolder } from './lib/wallet-extension.mjs';
import { webviewFolder } from './lib/webview-example.mjs';

/**
 * `npm test`: set-up, build, types, lint, generated files, the example page, and the tests of every project of
 * vitest.config.ts. Every step runs, whatever became of those before it. The last line counts them all, each gate as
 * one; before it stands what failed and what was not run.
 *
 * `npm run test:all`, which a release runs, gives it `--all`: each curve is tested in each form of its WASM
 * (tests/support/combinations.ts), and so is what does not ship, bench/research.
 */
const all = process.argv.includes('--all');

/**
 * The projects of vitest.config.ts that run one after another, each with a worker for every core, the last with a page.
 * Their tests often wait: for processes, pages, and what must come or not come within some time.
 */
const PROJECTS = ['package', 'alone', 'browser'];

/**
 * Those that run beside them and the checks before them, one after another: these compute all the while, so that no core
 * is idle. The tests of the first share a process.
 */
const PROJECTS_BESIDE = ['gpu', 'unit', ...(all ? ['research'] : [])];

/**
 * A runner that has said nothing for so long hangs: it is ended and counts as failed. Tests have limits of their own,
 * so this is for what they cannot end, such as a loop without end in a worker.
 */
const SILENCE_MS = 45 * 60_000;

await runMain(async () => {
  const { env: machine } = await setUp();
  const env = { ...machine, ...(all ? { PIPPIN_TEST_ALL: '1' } : {}) };
  await needRedis();
  const total = { passed: 0, failed: 0, skipped: 0 };
  /** What failed and what was not run, for the end. @type {string[]} */
  const complaints = [];
  /** Test files that a runner knew of. @type {Set<string>} */
  const known = new Set();
  const logs = mkdtempSync(join(tmpdir(), 'pippin-test-'));
  const interrupted = new AbortController();
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => interrupted.abort(new Error(`ended by ${name}`)));
  }

  /** A check that passes or fails as a whole. */
  const gate = async (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ check) => {
    console.log(`\n== ${name}`);
    try {
      interrupted.signal.throwIfAborted();
      await check();
      total.passed++;
    } catch (error) {
      const complaint = `${name} failed: ${error instanceof Error ? error.message : error}`;
      console.error(complaint);
      complaints.push(complaint);
      total.failed++;
    }
  };
  const command = async (/** @type {string} */ script, /** @type {string[]} */ ...args) => {
    const silence = endSilence(interrupted.signal, { limitMs: SILENCE_MS });
    const code = await run(process.execPath, [script, ...args], { env, signal: silence.signal }).finally(silence.stop);
    if (code !== 0) throw new Error(`exit code ${code}`);
  };
  /**
   * The tests of one project, counted test by test. Vitest's output goes to the open file `output`, if one is given.
   */
  const suite = async (/** @type {string} */ project, /** @type {number | undefined} */ output = undefined) => {
    if (interrupted.signal.aborted) return;
    const log = join(logs, `${project}.jsonl`);
    const args = ['run', '--project', project, '--reporter=default', '--reporter=./scripts/lib/result-log.mjs'];
    const silence = endSilence(interrupted.signal, { file: log, limitMs: SILENCE_MS });
    const code = await run(process.execPath, [commandOf('vitest'), ...args], {
      env: { ...env, PIPPIN_RESULT_LOG: log, PIPPIN_MODULE_CACHE: join(logs, 'modules') },
      signal: silence.signal,
      ...(output === undefined ? {} : { output }),
    }).finally(silence.stop);
    const results = readResultLog(log, code);
    for (const file of results.files.keys()) known.add(file);
    total.passed += results.counts.passed;
    total.failed += results.counts.failed;
    total.skipped += results.counts.skipped;
    complaints.push(...failedTests(results).map((test) => `failed: ${test}`));
    const unfinished = describeUnfinished(results);
    if (unfinished.length > 0) complaints.push(`${project} tests: ${unfinished.join('\n')}`);
    else if (code !== 0 && failedTests(results).length === 0) complaints.push(`${project} tests: exit code ${code}`);
  };

  try {
    const compiler = commandOf('typescript-7', 'tsc');
    // What needs nothing that is built runs beside the build, which keeps one core busy with the kernels' WASM.
    const checks = (async () => {
      await gate('types', () => command(compiler, '--noEmit', '--singleThreaded'));
      await gate('lint', async () => {
        await command(commandOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.');
        await command(commandOf('eslint'), '--max-warnings', '0', 'wasm');
      });
      await gate('generated files', () => command(commandOf('tsx'), 'scripts/generate.ts', '--check'));
      await gate('circuits of the tests', () => command(commandOf('tsx'), 'tests/support/make-all-circuits.ts'));
    })();
    await gate('build', build);
    const outputFile = join(logs, 'beside.txt');
    const output = openSync(outputFile, 'w');
    const beside = (async () => {
      for (const project of PROJECTS_BESIDE) await suite(project, output);
    })();
    await checks;
    await gate('types of the examples', async () => {
      const folders = [exampleFolder, benchmarkFolder, ceremonyFolder, webviewFolder, extensionFolder];
      for (const folder of folders) await command(compiler, '--noEmit', '--singleThreaded', '-p', folder);
    });
    await gate('sizes', () => command(commandOf('size-limit')));
    await gate('example build', buildExample);
    await gate('extension build', buildExtension);
    for (const project of PROJECTS) {
      console.log(`\n== ${project} tests`);
      await suite(project);
    }
    await beside;
    closeSync(output);
    console.log(`\n== ${PROJECTS_BESIDE.join(', ')} tests\n${readFileSync(outputFile, 'utf8')}`);
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }

  const forgotten = testFiles().filter((file) => !known.has(file));
  if (forgotten.length > 0) {
    complaints.push(['Test files that no runner has begun:', ...forgotten.map((file) => `  ${file}`)].join('\n'));
    total.failed += forgotten.length;
  }
  if (complaints.length > 0) console.error(`\n== what failed or was not run\n${complaints.join('\n')}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed > 0 ? 1 : 0;
});

/** The test files of the tree, by their paths in the repository. */
function testFiles() {
  return readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `tests/${name.replaceAll('\\', '/')}`);
}
