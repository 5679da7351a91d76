import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSilence } from '../../scripts/lib/end-silence.mjs';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-silence-'));
  file = join(folder, 'log');
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it.each([undefined, 'log'])('aborts after the limit, with the file %s that nobody writes', (name) => {
  const { signal } = endSilence(new AbortController().signal, { file: name && file, limitMs: 1000, pollMs: 100 });
  vi.advanceTimersByTime(900);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(200);
  expect(signal.aborted).toBe(true);
  expect(console.error).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('waits as long as something is written', () => {
  const began = Date.now();
  const { signal, stop } = endSilence(new AbortController().signal, { file, limitMs: 1000, pollMs: 100 });
  writeFileSync(file, 'a test has ended');
  utimesSync(file, new Date(began + 800), new Date(began + 800));
  vi.advanceTimersByTime(1700);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(200);
  expect(signal.aborted).toBe(true);
  stop();
});

it('aborts with its parent, at once if that has been aborted, and never once it was stopped', () => {
  const parent = new AbortController();
  const { signal } = endSilence(parent.signal, { limitMs: 1000 });
  const stopped = endSilence(parent.signal, { limitMs: 1000 });
  stopped.stop();
  parent.abort(new Error('ended by SIGINT'));
  expect(signal.reason).toEqual(new Error('ended by SIGINT'));
  vi.advanceTimersByTime(5000);
  expect(stopped.signal.aborted).toBe(false);
  expect(endSilence(parent.signal, { limitMs: 1000 }).signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
