import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from '../lib/run.mjs';
import { eventually } from '../lib/trials.mjs';
import { WebDriverSession } from './web-driver.mjs';

const START_MS = 60_000;

/**
 * WebKitGTK on a display without a screen, with a home of its own that is deleted afterwards. A browser that is driven
 * keeps its storage in memory: IndexedDB outlives pages, and not the browser.
 *
 * @param {Awaited<ReturnType<typeof import('./programs.mjs').requireWebKit>>} programs
 */
export async function launchWebKit({ driver, browser, display }) {
  const home = await mkdtemp(join(tmpdir(), 'pippin-webkit-'));
  /** What ends what was started, in the order of the starts. @type {(() => Promise<unknown>)[]} */
  const ends = [() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    // Xvfb takes a free display, and writes its number to the file descriptor.
    const screen = start(display, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], process.env);
    ends.push(screen.end);
    const number = await screen.number;
    const port = await freePort();
    const driving = start(driver, [`--port=${port}`], {
      ...process.env,
      DISPLAY: `:${number}`,
      GDK_BACKEND: 'x11',
      HOME: home,
      XDG_RUNTIME_DIR: home,
      // Without a session bus GTK says once that it has no accessibility.
      NO_AT_BRIDGE: '1',
      // Root can make no sandbox for the web process, as with Chromium.
      ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
    });
    ends.push(driving.end);
    const url = `http://127.0.0.1:${port}`;
    await eventually('WebKitWebDriver to be ready', () => isReady(url), START_MS);
    const session = await WebDriverSession.start(url, {
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    });
    ends.push(() => session.close());
    return { session, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts a program, whose messages are shown only if it ends by itself. `number` is the first line that it writes to
 * descriptor 3.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function start(program, args, env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  /** @type {Promise<string>} */
  const number = new Promise((resolve, reject) => {
    let told = '';
    child.stdio[3]?.on('data', (chunk) => {
      told += chunk;
      if (told.includes('\n')) resolve(told.trim());
    });
    child.once('error', reject);
    ended.then((code) => reject(new SetupError(`${program} ended with exit code ${code}:\n${output}`)));
  });
  number.catch(() => {});
  return {
    number,
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** @param {string} url */
async function isReady(url) {
  try {
    const { value } = await (await fetch(`${url}/status`)).json();
    return value.ready === true;
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
