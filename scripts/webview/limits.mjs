import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pause } from './native-app.mjs';

const CPU = '/sys/fs/cgroup/cpu';
const MEMORY = '/sys/fs/cgroup/memory';
const PERIOD_US = 100_000;

/**
 * Bounds what the browser's renderers may take, by Linux control groups (version 1) where this process may make them: memory, beyond which the
 * system kills a renderer, and processor time, a part of all cores. Elsewhere nothing is bounded, and `what` says so.
 *
 * @param {import('puppeteer-core').Browser} browser
 * @param {{ memoryBytes: number, slowdown: number }} limits
 */
export async function limitRenderers(browser, { memoryBytes, slowdown }) {
  const name = `pippin-webview-${process.pid}`;
  const memory = makeGroup(join(MEMORY, name), 'memory.limit_in_bytes', memoryBytes);
  const quota = Math.round((PERIOD_US * availableParallelism()) / slowdown);
  const cpu = makeGroup(join(CPU, name), 'cpu.cfs_quota_us', quota);
  const groups = [memory, cpu].filter((group) => group !== undefined);
  const devtools = await browser.target().createCDPSession();
  const what = [
    memory === undefined
      ? 'no bound of memory (no control group here)'
      : `renderers killed beyond ${memoryBytes / 2 ** 20} MiB`,
    cpu === undefined ? 'workers at full speed' : `workers with 1/${slowdown} of the cores`,
  ].join(', ');
  return {
    what,
    /** Bounds the renderers that live now. A page that is opened or leads elsewhere may have another one. */
    async take() {
      for (const pid of await renderers(devtools)) for (const group of groups) write(join(group, 'cgroup.procs'), pid);
    },
    /** The most that the renderers had at one time since they were taken, in bytes; undefined where that is not known. */
    peak() {
      return memory === undefined ? undefined : Number(readFileSync(join(memory, 'memory.max_usage_in_bytes'), 'utf8'));
    },
    async close() {
      for (const group of groups) await removeGroup(group);
    },
  };
}

/** A new control group with a limit, or undefined where there can be none. @param {string} folder @param {string} file @param {number} limit */
function makeGroup(folder, file, limit) {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), String(limit));
    return folder;
  } catch {
    return undefined;
  }
}

/** Lets the processes of a group go back to where all others are, and removes it. @param {string} folder */
async function removeGroup(folder) {
  const outside = join(folder, '..', 'cgroup.procs');
  for (let i = 0; i < 50 && existsSync(folder); i++) {
    for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
      write(outside, Number(pid));
    try {
      rmdirSync(folder);
    } catch {
      // A process that has just ended still counts for a moment.
      await pause(100);
    }
  }
}

/** @param {string} file @param {number} pid */
function write(file, pid) {
  try {
    writeFileSync(file, String(pid));
  } catch {
    // That renderer has ended.
  }
}

/** The processes of the browser's pages. @param {import('puppeteer-core').CDPSession} devtools */
export async function renderers(devtools) {
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}
