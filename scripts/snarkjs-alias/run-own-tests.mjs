import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../release/npm.mjs';
import { LIBRARIES } from './own-tests.mjs';
import { BOTH, cacheFolder, install, median, scratch } from './places.mjs';

/** Tests that have not ended by then count as hanging. */
const LIMIT_MS = 5 * 60_000;
/** Where a runner writes its report, in the library's folder. */
const REPORT = 'report.json';

/**
 * @typedef {{ passed: number, failed: number, seconds: number }} Outcome seconds: in the tests, without the start of
 * the runner
 */

/**
 * Runs the libraries' own tests with snarkjs and with Pippin in its place, in alternation, and gives the rows of a
 * table. Fails if a test fails with Pippin, or if fewer run than with snarkjs.
 *
 * @param {string} tarball of Pippin
 * @param {number} rounds
 */
export async function compareOwnTests(tarball, rounds) {
  const rows = [['Library', 'Version', 'passed: snarkjs', 'Pippin', 'seconds: snarkjs', 'Pippin', 'ratio']];
  for (const library of LIBRARIES) {
    const folders = await installBoth(library, tarball);
    /** @type {Record<import('./places.mjs').Used, Outcome[]>} */
    const outcomes = { snarkjs: [], pippin: [] };
    for (let round = 0; round < rounds; round++) {
      for (const used of BOTH) outcomes[used].push(await runTests(library, folders[used]));
    }
    const [{ passed, failed }] = outcomes.pippin;
    if (outcomes.pippin.some((each) => each.failed > 0) || passed !== outcomes.snarkjs[0].passed)
      throw new Error(`expected the tests of ${library.name} to pass as with snarkjs, got ${failed} failures`);
    const [snarkjs, pippin] = BOTH.map((used) => median(outcomes[used].map(({ seconds }) => seconds)));
    const counts = BOTH.map((used) => countOf(outcomes[used][0]));
    const times = [snarkjs.toFixed(2), pippin.toFixed(2), `${(snarkjs / pippin).toFixed(1)}x`];
    rows.push([library.name, library.version, ...counts, ...times]);
  }
  return rows;
}

/** @param {Outcome} outcome */
function countOf({ passed, failed }) {
  return `${passed} of ${passed + failed}`;
}

/** @param {import('./own-tests.mjs').Library} library @param {string} tarball */
async function installBoth(library, tarball) {
  const own = join(scratch, 'own-tests', library.name.replace(/[@/]+/g, '-').replace(/^-/, ''));
  mkdirSync(own, { recursive: true });
  const args = ['pack', `${library.name}@${library.version}`, '--json', '--pack-destination', own];
  const [{ filename }] = JSON.parse(npm(args));
  const folders = { snarkjs: join(own, 'snarkjs'), pippin: join(own, 'pippin') };
  for (const used of BOTH) {
    const folder = folders[used];
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    // Paths are relative to it: on Windows, tar takes the letter of a drive for a host.
    await promisify(execFile)('tar', ['-xzf', join('..', filename), '--strip-components=1'], { cwd: folder });
    const { dependencies, ...description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // Its tools of development are many, and its peers are among the packages that are named.
    const content = { ...description, scripts: {}, devDependencies: {}, peerDependencies: {} };
    install(folder, used, tarball, { ...content, dependencies: { ...dependencies, ...library.packages } });
    await library.prepare?.(folder);
  }
  return folders;
}

/**
 * @param {import('./own-tests.mjs').Library} library
 * @param {string} folder
 * @returns {Promise<Outcome>}
 */
async function runTests({ runner, args, env }, folder) {
  const report = join(folder, REPORT);
  rmSync(report, { force: true });
  const options = {
    cwd: folder,
    env: { ...process.env, ...env, XDG_CACHE_HOME: cacheFolder },
    timeout: LIMIT_MS,
    maxBuffer: 2 ** 26,
  };
  const bin = (/** @type {string} */ name) => join(folder, 'node_modules', name, 'bin', `${name}.js`);
  const command = {
    jest: [bin('jest'), ...args, '--json', `--outputFile=${REPORT}`],
    mocha: [bin('mocha'), ...args, '--reporter', 'json', '--reporter-option', `output=${REPORT}`, '--exit'],
    node: args,
  }[runner];
  const began = performance.now();
  const failure = await promisify(execFile)(process.execPath, command, options).then(
    () => undefined,
    (error) => error,
  );
  const seconds = (performance.now() - began) / 1000;
  if (failure?.killed)
    throw new Error(`expected the tests in ${folder} to end by themselves, got none in ${LIMIT_MS} ms`);
  if (failure) console.error(`${failure.stdout}\n${failure.stderr}`);
  if (runner === 'node') return { passed: failure ? 0 : 1, failed: failure ? 1 : 0, seconds };
  return readReport(JSON.parse(readFileSync(report, 'utf8')));
}

/** The outcome in a report of Jest or Mocha. @param {any} report @returns {Outcome} */
function readReport({ numPassedTests, numFailedTests, testResults, stats, tests }) {
  /** @type {{ duration?: number }[]} */
  const all = tests ?? testResults.flatMap((/** @type {any} */ file) => file.assertionResults);
  const seconds = all.reduce((sum, { duration = 0 }) => sum + (duration ?? 0) / 1000, 0);
  return { passed: numPassedTests ?? stats.passes, failed: numFailedTests ?? stats.failures, seconds };
}
