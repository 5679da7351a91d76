import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/root.js';

/** What the tests said of a text. */
export interface TestOutcome {
  /** The names of tests that failed, with their messages: one or a few, because a run ends with the first. */
  readonly failures: readonly string[];
  /** How many tests passed. */
  readonly passed: number;
  /** Whether a test loaded the file. */
  readonly wasLoaded: boolean;
  /** Whether the tests had not ended within the limit, so that the process was killed. */
  readonly isHanging: boolean;
}

/** Milliseconds that a run may take beside the time that the unchanged file takes, several times. */
const SLACK_MS = 40_000;
const TIMES = 5;

/**
 * Times that tests are run which neither fail nor all pass: Vitest may end a run because a test of the one before
 * failed.
 */
const ATTEMPTS = 5;

/** The first run of a process may have to build the WebAssembly modules. */
const FIRST_MS = 300_000;

/**
 * Runs tests of files with other texts, in a process that is started when it is needed and after a run that had to be
 * killed.
 */
export class TestRuns {
  private child: ChildProcess | undefined;
  /** How long the tests of a file take that is as it is, in ms, and how many there are, by files. */
  private readonly usual = new Map<string, { readonly ms: number; readonly passed: number }>();

  /**
   * The outcome for a file with another text. Throws if the tests fail with the file's own text, or none of them loads
   * it.
   */
  async run(file: string, text: string, tests: readonly string[]): Promise<TestOutcome> {
    const key = [file, ...tests].join(' ');
    let usual = this.usual.get(key);
    if (usual === undefined) {
      const own = await this.timed(file, readFileSync(join(root, file), 'utf8'), tests, FIRST_MS);
      const { failures, passed, wasLoaded, isHanging } = own.outcome;
      if (isHanging || failures.length > 0)
        throw new Error(`expected the tests of ${file} to pass, got ${failures[0]}`);
      if (!wasLoaded) throw new Error(`expected ${tests} to load ${file}`);
      usual = { ms: own.ms, passed };
      this.usual.set(key, usual);
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { outcome } = await this.timed(file, text, tests, Math.ceil(TIMES * usual.ms + SLACK_MS));
      if (outcome.isHanging || outcome.failures.length > 0 || outcome.passed === usual.passed) return outcome;
    }
    throw new Error(`expected ${usual.passed} tests of ${file} to pass or one to fail, got neither`);
  }

  close(): void {
    // It ends when it finds that nobody listens.
    if (this.child?.connected === true) this.child.disconnect();
    this.child = undefined;
  }

  private async timed(
    file: string,
    text: string,
    tests: readonly string[],
    limitMs: number,
  ): Promise<{ outcome: TestOutcome; ms: number }> {
    const child = await this.started();
    const began = performance.now();
    const message = await new Promise<TestOutcome & { readonly problem?: string }>((resolve, reject) => {
      const onExit = (): void => reject(new Error(`expected an outcome of ${tests}, got the end of the process`));
      child.once('exit', onExit);
      child.once('message', (answer: TestOutcome) => {
        child.off('exit', onExit);
        resolve(answer);
      });
      child.send({ file: join(root, file), text, tests: tests.map((test) => join(root, test)), limitMs });
    });
    if (message.isHanging) this.child = undefined;
    if (message.problem !== undefined) throw new Error(message.problem);
    return { outcome: message, ms: performance.now() - began };
  }

  private async started(): Promise<ChildProcess> {
    if (this.child !== undefined) return this.child;
    // Variables of a Vitest that this runs in are not for another.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
    const child = fork(join(root, 'tests', 'campaigns', 'mutants', 'test-process.mjs'), {
      cwd: root,
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    child.once('exit', () => {
      if (this.child === child) this.child = undefined;
    });
    await once(child, 'message');
    return child;
  }
}
