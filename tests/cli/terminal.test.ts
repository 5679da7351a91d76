import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ProgressEvent } from '../../sdk/api/progress.js';
import { PHASE_WORDS, progressText, StatusLine } from '../../sdk/cli/terminal/status-line.js';
import { columnsOf, hasUnicode, isLively, painter } from '../../sdk/cli/terminal/style.js';
import { built } from '../support/in-process-engine.js';

const plain = { unicode: true, paint: (_: string, each: string) => each };

describe('progressText', () => {
  const progress = { step: 'Proving', phase: 'adding up points', fraction: 0.5, ms: 3400 };
  const at = (columns: number, change = {}) => progressText({ ...progress, ...change }, { ...plain, columns });

  it('shows bar, percentage, step, phase and time', () => {
    expect(at(80)).toBe(`${'━'.repeat(12)}${'╌'.repeat(12)}  50 %  Proving: adding up points  3 s`);
    expect(progressText(progress, { ...plain, unicode: false, columns: 80 })).toMatch(/^#{12}-{12} {2}50 %/);
  });

  it.each([
    [45, ' 50 %  Proving: adding up points  3 s'],
    [36, ' 50 %  Proving: adding up points'],
    [30, ' 50 %  Proving'],
    [10, ' 50 %  Pr'],
    [1, ''],
    [0, ''],
  ])('leaves out what does not fit into %d columns', (columns, expected) => {
    expect(at(columns)).toBe(expected);
  });

  it('always fits', () => {
    for (let columns = 0; columns < 120; columns++) {
      for (const ms of [0, 999, 1000, 123_000])
        expect(at(columns, { ms }).length).toBeLessThanOrEqual(Math.max(0, columns - 1));
    }
  });

  it('shows no bar where the fraction is not known, and never 100 %', () => {
    expect(at(80, { fraction: undefined, phase: undefined, ms: 10 })).toBe('Proving');
    expect(at(80, { fraction: 1 })).toContain(' 99 %');
    expect(at(80, { fraction: 0 })).toContain(`${'╌'.repeat(24)}   0 %`);
  });

  it('has words for every phase', () => {
    for (const [phase, words] of Object.entries(PHASE_WORDS)) {
      expect(words.length).toBeGreaterThan(0);
      expect(words === phase).toBe(false);
    }
  });
});

describe('the terminal', () => {
  it('has colours unless it is none, is dumb, or NO_COLOR is set', () => {
    const terminal = { isTTY: true, columns: 80 };
    const bold = (output: object, env: Record<string, string>) => painter(output as typeof terminal, env)('bold', 'x');
    expect(bold(terminal, {})).toBe('\u001b[1mx\u001b[22m');
    expect(bold(terminal, { NO_COLOR: '' })).toBe('\u001b[1mx\u001b[22m');
    expect(bold(terminal, { NO_COLOR: '1' })).toBe('x');
    expect(bold(terminal, { TERM: 'dumb' })).toBe('x');
    expect(bold({ isTTY: undefined }, {})).toBe('x');
    expect(isLively(terminal, { TERM: 'dumb' })).toBe(false);
  });

  it('tells its columns', () => {
    expect(columnsOf({ isTTY: true, columns: 40 })).toBe(40);
    expect(columnsOf({ isTTY: true, columns: 0 })).toBe(80);
    expect(columnsOf({ isTTY: undefined as never, columns: 40 })).toBeUndefined();
  });

  it.each([
    [{ LANG: 'de_DE.UTF-8' }, 'linux', true],
    [{ LANG: 'C.utf8' }, 'darwin', true],
    [{ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, 'linux', false],
    [{}, 'linux', false],
    [{ WT_SESSION: 'x' }, 'win32', true],
    [{ LANG: 'C.UTF-8' }, 'win32', false],
  ])('%j on %s', (env, platform, expected) => {
    expect(hasUnicode(env, platform)).toBe(expected);
  });
});

describe('StatusLine', () => {
  const event = (done: number): ProgressEvent => ({ kind: 'progress', phase: 'msm', done, total: 10 });
  const open = (isTTY: boolean, isQuiet = false) => {
    const written: string[] = [];
    const write = (chunk: string) => written.push(chunk) > 0;
    return { written, line: new StatusLine({ isTTY, columns: 80, write } as never, isQuiet) };
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

  it.each([
    [false, false],
    [true, true],
  ])('is silent in a pipe and when it is to be quiet (%s, %s)', async (isTTY, isQuiet) => {
    const { written, line } = open(isTTY, isQuiet);
    const show = line.step('Proving');
    await pause();
    show(event(5));
    line.end();
    expect(written).toEqual([]);
  });

  it('shows nothing of what is done at once', () => {
    const { written, line } = open(true);
    const show = line.step('Proving');
    for (let i = 0; i < 10; i++) show(event(i));
    line.end();
    expect(written).toEqual([]);
  });

  it('writes few lines, clears the last one, and ignores events of an earlier step', async () => {
    const { written, line } = open(true);
    const late = line.step('Loading');
    const show = line.step('Proving');
    await pause();
    for (let i = 0; i < 1000; i++) show(event(i / 100));
    late(event(10));
    expect(written.length).toBeLessThan(5);
    expect(written.join('')).toContain('Proving');
    expect(written.join('')).not.toContain('Loading');
    line.end();
    expect(written.at(-1)).toBe('\r\u001b[K');
    const count = written.length;
    line.end();
    await pause();
    expect(written.length).toBe(count);
  });
});

/** A pseudo-terminal by util-linux' `script`, whose options differ elsewhere. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['-qc', 'true', '/dev/null']).status === 0;

describe.runIf(hasScript)('pippin on a terminal', () => {
  const onTerminal = async (columns: number, args: string, env: Record<string, string> = {}) => {
    const command = `stty cols ${columns}; ${process.execPath} ${fileURLToPath(built('cli.js'))} ${args}`;
    const { NO_COLOR: _, ...rest } = process.env;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...rest, TERM: 'xterm', LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [written] = await Promise.all([text(child.stdout), new Promise((resolve) => child.on('close', resolve))]);
    return written;
  };
  const bench = 'bench --backend wasm --threads 1 --size 15 --runs 1';

  it('shows a bar and removes it before the result', async () => {
    const written = await onTerminal(100, bench);
    expect(written).toMatch(/━+.*╌+.* % {2}/);
    expect(written).toContain('\r\u001b[KAn MSM over 2^15 points');
    expect(written.split('An MSM over')[1]).not.toContain('\u001b[K');
  });

  it('shows no bar with --quiet or on a dumb terminal, and no colours with NO_COLOR', async () => {
    expect(await onTerminal(100, `${bench} --quiet`)).not.toContain('\u001b');
    expect(await onTerminal(100, bench, { TERM: 'dumb' })).not.toContain('\u001b');
    const uncoloured = await onTerminal(100, bench, { NO_COLOR: '1' });
    expect(uncoloured).toMatch(/━.* % /);
    expect(uncoloured.replaceAll('\u001b[K', '')).not.toContain('\u001b');
  });

  it('wraps help to its width', async () => {
    const written = (await onTerminal(60, 'msm --help')).replaceAll('\r', '');
    // The usage and the examples are to be copied as they are.
    const lines = written.split('\n').filter((line) => !line.includes('pippin msm') && !line.includes('|'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
