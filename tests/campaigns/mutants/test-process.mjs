import { ChildProcess } from 'node:child_process';
import { inspect } from 'node:util';
import { createVitest } from 'vitest/node';

/**
 * A process that runs test files again and again, each time with a source file replaced by another text: it gets `{
 * file, text, tests, limitMs }` and answers with an outcome (`TestOutcome` in test-runs.ts). Nothing is written to the
 * tree: Vite serves the text in place of the file's, and what has not changed is transformed once. It ends with its
 * parent, and after tests that did not end.
 */

/** Milliseconds after which a test counts as hanging. */
const HANG_MS = 20_000;

/**
 * The workers that run tests. Vitest cannot end one that loops, and each is a group of its own.
 *
 * @type {Set<ChildProcess>}
 */
const workers = new Set();
const { spawn } = /** @type {any} */ (ChildProcess.prototype);
/** @type {any} */ (ChildProcess.prototype).spawn = function (/** @type {unknown[]} */ ...given) {
  workers.add(this);
  this.once('exit', () => workers.delete(this));
  return spawn.apply(this, given);
};

/** @type {{ readonly file: string, readonly text: string } | undefined} */
let replaced;
let wasLoaded = false;

/** @type {import('vite').Plugin} */
const replacing = {
  name: 'replaced-file',
  enforce: 'pre',
  load(id) {
    if (replaced === undefined || id.split('?')[0] !== replaced.file) return;
    wasLoaded = true;
    return { code: replaced.text, map: null };
  },
  // As vitest.config.ts does.
  transform(code, id) {
    return id.endsWith('.wgsl') ? { code: `export default ${JSON.stringify(code)};`, map: null } : undefined;
  },
};

const vitest = await createVitest(
  'test',
  {
    config: false,
    watch: false,
    bail: 1,
    reporters: [{}],
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/support/vulkan.ts', 'tests/support/equal-bytes.ts'],
    globalSetup: ['tests/support/build-wasm.ts'],
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    teardownTimeout: HANG_MS,
    maxWorkers: 2,
  },
  { plugins: [replacing], clearScreen: false, logLevel: 'silent' },
);
const specifications = await vitest.globTestSpecifications();

/** @param {{ file: string, text: string, tests: readonly string[] }} request */
async function run({ file, text, tests }) {
  for (const changed of [replaced?.file, file]) if (changed !== undefined) vitest.invalidateFile(changed);
  replaced = { file, text };
  wasLoaded = false;
  const wanted = specifications.filter(({ moduleId }) => tests.includes(moduleId));
  if (wanted.length < tests.length) throw new Error(`expected the test files ${tests}, got ${wanted.length} of them`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  // Vitest also gives the modules of runs before.
  const own = testModules.filter(({ moduleId }) => tests.includes(moduleId));
  const failures = own.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
    ...[...module.children.allTests('failed')].map(
      (test) => `${module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message}`,
    ),
  ]);
  for (const error of unhandledErrors) failures.push(`unhandled: ${inspect(error)}`);
  const passed = own.flatMap((module) => [...module.children.allTests('passed')]).length;
  return { failures, passed, wasLoaded };
}

process.on('message', async (/** @type {Parameters<typeof run>[0] & { limitMs: number }} */ request) => {
  const timer = setTimeout(() => {
    end({ failures: [], passed: 0, wasLoaded, isHanging: true });
  }, request.limitMs);
  try {
    process.send?.({ ...(await run(request)), isHanging: false });
  } catch (error) {
    process.send?.({ problem: inspect(error) });
  } finally {
    clearTimeout(timer);
  }
});
process.on('disconnect', () => end());
process.send?.('ready');

/** Ends the process and all tests, with a last answer. @param {object} [answer] */
function end(answer) {
  for (const worker of workers) worker.kill('SIGKILL');
  if (answer === undefined || process.send === undefined) process.exit();
  process.send(answer, () => process.exit());
}
