import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleFolder } from '../lib/example.mjs';
import { root } from '../lib/run.mjs';
import { QUIET } from './list.mjs';

/** The key that every application proves with, and its verification key. */
export const keyFolder = join(exampleFolder, 'key');

const SOURCES = join(root, 'tests', 'consumers');
export const TEMPLATES = join(root, 'examples', 'templates');
/** What npm has downloaded; a later run needs no network. */
const NPM_CACHE = join(root, 'build', 'consumers', 'npm-cache');
const LIMIT_MS = 10 * 60_000;
/** A line with this comment is in the application for Pippin alone. */
const MARK = /(\/\/|#|<!--) for Pippin/;
/** A line that names snarkjs and what is to be taken for it. */
const ALIAS = /snarkjs['"]?\s*[:=].*pippin-prover/;

/**
 * An application in a temporary folder: far from this repository, so that it finds no packages but its own.
 */
export class Application {
  /** @param {import('./list.mjs').Consumer} consumer */
  constructor(consumer) {
    this.consumer = consumer;
    this.folder = mkdtempSync(join(tmpdir(), `pippin-${consumer.name}-`));
    const { template, folders } = consumer;
    const sources = template === undefined ? folders.map((each) => join(SOURCES, each)) : [join(TEMPLATES, template)];
    for (const source of sources) cpSync(source, this.folder, { recursive: true });
    // Templates say to put a circuit's files there.
    cpSync(keyFolder, join(this.folder, template === undefined ? 'key' : 'public/key'), { recursive: true });
  }

  /** The number of lines that are there for Pippin alone. */
  configuredLines() {
    return this.#sourceLines().filter((line) => MARK.test(line)).length;
  }

  /** The line that puts Pippin in the place of snarkjs; undefined where a package does. */
  aliasLine() {
    return this.#sourceLines()
      .find((line) => ALIAS.test(line))
      ?.trim()
      .replace(/,$/, '');
  }

  #sourceLines() {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter(
      (file) =>
        file.isFile() && /\.([cm]?[jt]sx?|html|json)$/.test(file.name) && !file.parentPath.includes('node_modules'),
    );
    return files.flatMap((file) => readFileSync(join(file.parentPath, file.name), 'utf8').split('\n'));
  }

  /** Installs Pippin from its tarball, and the tool. @param {string} tarball */
  async install(tarball) {
    const dependencies = { 'pippin-prover': `file:${tarball}`, ...this.consumer.packages, ...this.consumer.local };
    const description = { name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies };
    const file = join(this.folder, 'package.json');
    const own = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    // The same packages in ranges; here their versions are pinned.
    if (this.consumer.template !== undefined) for (const kind of ['dependencies', 'devDependencies']) delete own[kind];
    writeFileSync(file, JSON.stringify({ ...description, ...own }, null, 2));
    const flags = ['--install-links', '--prefer-offline', '--no-audit', '--no-fund'];
    await this.run(['npm', 'install', '--cache', NPM_CACHE, ...flags]);
  }

  /** Builds it, and gives the folder to serve. */
  async build() {
    const { build, output } = this.consumer;
    if (build !== undefined) await this.run(build);
    if (output === undefined) return undefined;
    const folder = join(this.folder, output);
    // Tools that begin with a script leave the page as it is. An extension has pages of other names.
    if (!this.consumer.extension && !existsSync(join(folder, 'index.html')))
      cpSync(join(this.folder, 'index.html'), join(folder, 'index.html'));
    return folder;
  }

  /**
   * Runs a command of an installed package, or one of the machine, to its end, and gives what it prints.
   *
   * @param {readonly string[]} command
   */
  run(command) {
    return new Promise((resolve, reject) => {
      const child = this.start(command);
      let printed = '';
      let complaints = '';
      // npm has been seen to hang in spite of SIGTERM.
      const limit = setTimeout(() => endGroup(child, 'SIGKILL'), LIMIT_MS);
      child.stdout.on('data', (text) => {
        printed += text;
      });
      child.stderr.on('data', (text) => {
        complaints += text;
      });
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(limit);
        if (code === 0) resolve(printed);
        else reject(new Error(`\`${command.join(' ')}\` ended with ${code}:\n${printed}\n${complaints}`));
      });
    });
  }

  /** @param {readonly string[]} command */
  start([program, ...args]) {
    const installed = join(this.folder, 'node_modules', '.bin', program);
    return spawn(existsSync(installed) ? installed : program, args, {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A cache of its own, so that the first proof of each application prepares the key.
      env: { ...process.env, ...QUIET, XDG_CACHE_HOME: join(this.folder, '.cache') },
      detached: process.platform !== 'win32',
    });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * Ends a program with all that it has started.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} [signal]
 */
export function endGroup(child, signal = 'SIGTERM') {
  if (child.pid === undefined || child.exitCode !== null) return;
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, signal);
}
