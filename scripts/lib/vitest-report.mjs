import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/**
 * @typedef {Counts & { state: 'finished' | 'unfinished' | 'not started', running: string[], failures: string[] }}
 * FileResult
 */

/**
 * What a Vitest run did, from the log that `result-log.mjs` wrote while it ran.
 *
 * A test file that did not run to its end counts as one failure, whether it was under way or not begun, and so does one
 * that failed as a whole (it could not be loaded); so does a hook that failed. Errors that belong to no test count one
 * each. A run that failed without any of these counts as one failure, and so does one that ran nothing.
 *
 * @param {string} log the log's text; a last line that was cut off is left out
 * @param {number} exitCode the run's
 */
export function readResults(log, exitCode) {
  /** @type {Map<string, FileResult>} */
  const files = new Map();
  const fileOf = (/** @type {string} */ name) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    /** @type {FileResult} */
    const file = { state: 'not started', running: [], failures: [], passed: 0, failed: 0, skipped: 0 };
    files.set(name, file);
    return file;
  };
  let ended = false;
  let errors = 0;
  for (const event of readEvents(log)) {
    switch (event.event) {
      case 'run':
        for (const name of event.files) fileOf(name);
        break;
      case 'file-start':
        fileOf(event.file).state = 'unfinished';
        break;
      case 'test-start':
        fileOf(event.file).running.push(event.test);
        break;
      case 'test': {
        const file = fileOf(event.file);
        file[event.state]++;
        if (event.state === 'failed') file.failures.push(withError(event.test, event.error));
        file.running = file.running.filter((test) => test !== event.test);
        break;
      }
      case 'suite-failed': {
        const file = fileOf(event.file);
        file.failed++;
        file.failures.push(withError(`${event.suite} (a hook)`, event.error));
        break;
      }
      case 'file': {
        const file = fileOf(event.file);
        if (event.state === 'failed' && file.failed === 0) {
          file.failed++;
          file.failures.push('the file as a whole');
        }
        file.state = 'finished';
        file.skipped = event.skipped;
        break;
      }
      case 'end':
        ended = true;
        errors = event.errors;
        break;
    }
  }
  return { files, ended, counts: count([...files.values()], errors, exitCode) };
}

/**
 * The same of a log on disk; a run that ended before its first event has left none. @param {string} path @param
 * {number} exitCode
 */
export function readResultLog(path, exitCode) {
  return readResults(existsSync(path) ? readFileSync(path, 'utf8') : '', exitCode);
}

/**
 * What must be said of a run that did not come to its end; nothing of one that did.
 *
 * @param {ReturnType<typeof readResults>} results
 * @returns {string[]} lines
 */
export function describeUnfinished({ files, ended }) {
  const named = (/** @type {FileResult['state']} */ state) => [...files].filter(([, file]) => file.state === state);
  const [finished, unfinished, notStarted] = [named('finished'), named('unfinished'), named('not started')];
  if (ended && unfinished.length + notStarted.length === 0) return [];
  if (files.size === 0) return ['The run ended before it had found its test files.'];
  const passed = [...files.values()].reduce((sum, file) => sum + file.passed, 0);
  return [
    `The run did not come to its end. Tests that had passed: ${passed}; files that had finished: ${finished.length} of ${files.size}.`,
    ...list(
      'Finished',
      finished.map(([name]) => name),
    ),
    ...list(
      'Begun and not finished',
      unfinished.map(([name, { passed, failed, running }]) => {
        const during = running.length > 0 ? `; running: ${running.join(', ')}` : '';
        return `${name} (${passed} passed, ${failed} failed${during})`;
      }),
    ),
    ...list(
      'Not begun',
      notStarted.map(([name]) => name),
    ),
  ];
}

/** The tests that failed, each with its errors on lines of their own. @param {ReturnType<typeof readResults>} results */
export function failedTests({ files }) {
  return [...files].flatMap(([name, { failures }]) => failures.map((test) => `${name} > ${test}`));
}

/** @param {string} test @param {string | undefined} error */
function withError(test, error) {
  return error === undefined ? test : `${test}\n${error.replace(/^/gm, '    ')}`;
}

/**
 * @param {string} title
 * @param {readonly string[]} names
 */
function list(title, names) {
  return names.length === 0 ? [] : [`${title}:`, ...names.map((name) => `  ${name}`)];
}

/**
 * @param {readonly FileResult[]} files
 * @param {number} errors
 * @param {number} exitCode
 * @returns {Counts}
 */
function count(files, errors, exitCode) {
  const counts = { passed: 0, failed: errors, skipped: 0 };
  for (const file of files) {
    counts.passed += file.passed;
    counts.failed += file.failed + (file.state === 'finished' ? 0 : 1);
    counts.skipped += file.skipped;
  }
  const nothingRan = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (exitCode !== 0 || nothingRan)) counts.failed++;
  return counts;
}

/**
 * @param {string} log
 * @returns {import('./result-log.mjs').ResultEvent[]}
 */
function readEvents(log) {
  // What follows the last line break was being written when the run ended.
  return log
    .slice(0, log.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
