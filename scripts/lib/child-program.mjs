import { fork } from 'node:child_process';
import { SetupError } from './run.mjs';

/** Milliseconds in which a program must be ready, and in which it must have ended. */
const START_MS = 180_000;
const END_MS = 90_000;

/** A script in a process of its own, which tells by a message when it is ready, and ends on SIGTERM. */
export class ChildProgram {
  /** @type {string[]} */
  #output = [];

  /**
   * @param {string} script
   * @param {Record<string, string>} env
   */
  constructor(script, env) {
    this.script = script;
    this.child = fork(script, { env: { ...process.env, ...env }, silent: true });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => this.#output.push(text));
    }
    /** @type {Promise<number>} */
    this.ended = new Promise((resolve) => this.child.once('close', (code) => resolve(code ?? 1)));
    /** What it says when it is ready. @type {Promise<string>} */
    this.ready = new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ why) => reject(new SetupError(`${script} ${why}:\n${this.#output.join('')}`));
      const late = setTimeout(() => fail(`is not ready after ${START_MS / 1000} s`), START_MS);
      this.child.once('message', (message) => {
        clearTimeout(late);
        resolve(String(message));
      });
      this.ended.then((code) => {
        clearTimeout(late);
        fail(`ended with exit code ${code}`);
      });
    });
    this.ready.catch(() => {});
  }

  /** Ends it as a system does, and gives its exit code. */
  async end() {
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), END_MS);
    const code = await this.ended;
    clearTimeout(late);
    if (code !== 0) console.error(`${this.script} wrote:\n${this.#output.join('').slice(-4000)}`);
    return code;
  }
}
