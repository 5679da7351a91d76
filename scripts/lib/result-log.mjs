import { appendFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

/** @typedef {{ name?: string, message: string, diff?: string }} SerializedError */

/** Of the errors of one test. */
const MOST_CHARACTERS = 2000;

/**
 * A Vitest reporter that appends one line of JSON to the file PIPPIN_RESULT_LOG for every event as it happens. So even
 * if the run is killed, the file tells what it did until then. `vitest-report.mjs` reads it.
 *
 * @typedef {{ event: 'run', files: string[] }
 *   | { event: 'test-start', file: string, test: string }
 *   | { event: 'test', file: string, test: string, state: 'passed' | 'failed' | 'skipped', error?: string }
 *   | { event: 'suite-failed', file: string, suite: string, error: string }
 *   | { event: 'file-start', file: string }
 *   | { event: 'file', file: string, state: 'passed' | 'failed' | 'skipped', skipped: number }
 *   | { event: 'end', errors: number }} ResultEvent
 *   `skipped` also counts those of a file's tests that were never begun. `errors` counts the errors that belong to no
 *   test, such as an unhandled rejection.
 */
export default class ResultLog {
  /** @param {readonly import('vitest/node').TestSpecification[]} specifications */
  onTestRunStart(specifications) {
    write({ event: 'run', files: specifications.map(({ moduleId }) => fileName(moduleId)) });
  }

  /** @param {import('vitest/node').TestModule} testModule */
  onTestModuleStart(testModule) {
    write({ event: 'file-start', file: fileOf(testModule) });
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseReady(test) {
    write({ event: 'test-start', file: fileOf(test.module), test: test.fullName });
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state === 'pending') return;
    const error = errors.length === 0 ? {} : { error: describeErrors(errors) };
    write({ event: 'test', file: fileOf(test.module), test: test.fullName, state, ...error });
  }

  /** Writes of suites that failed by themselves, in a hook. @param {import('vitest/node').TestSuite} suite */
  onTestSuiteResult(suite) {
    const errors = suite.errors();
    if (errors.length === 0) return;
    const error = describeErrors(errors);
    write({ event: 'suite-failed', file: fileOf(suite.module), suite: suite.fullName, error });
  }

  /** @param {import('vitest/node').TestModule} testModule */
  onTestModuleEnd(testModule) {
    const state = testModule.state();
    if (state === 'pending' || state === 'queued') return;
    const skipped = [...testModule.children.allTests('skipped')].length;
    write({ event: 'file', file: fileOf(testModule), state, skipped });
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} _testModules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(_testModules, unhandledErrors) {
    write({ event: 'end', errors: unhandledErrors.length });
  }
}

/** @param {import('vitest/node').TestModule} testModule */
function fileOf(testModule) {
  return fileName(testModule.moduleId);
}

/** The messages of a test's errors, with what was expected and what came. @param {readonly SerializedError[]} errors */
function describeErrors(errors) {
  const texts = errors.map(({ name, message, diff }) => `${name ?? 'Error'}: ${message}${diff ? `\n${diff}` : ''}`);
  return stripVTControlCharacters(texts.join('\n')).slice(0, MOST_CHARACTERS);
}

/** A file's path in the repository. @param {string} path */
function fileName(path) {
  return relative(root, path).split(sep).join('/');
}

/** @param {ResultEvent} event */
function write(event) {
  const log = process.env.PIPPIN_RESULT_LOG;
  if (log === undefined) throw new Error('expected the name of the log in PIPPIN_RESULT_LOG, got nothing');
  appendFileSync(log, `${JSON.stringify(event)}\n`);
}
