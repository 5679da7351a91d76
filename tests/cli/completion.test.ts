import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bashCompletion,
  briefly,
  fishCompletion,
  optionsOf,
  zshCompletion,
} from '../../sdk/cli/commands/completion.js';
import { COMMANDS } from '../../sdk/cli/commands/index.js';
import { expectFailure, pippin } from '../support/cli.js';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-completion-'));
  mkdirSync(join(folder, 'keys'));
  for (const name of ['my key.zkey', 'other.zkey', 'input.json', 'keys/deep.zkey'])
    writeFileSync(join(folder, name), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

describe.each(Object.entries(scripts))('the script for %s', (shell, make) => {
  it('is what the command prints', async () => {
    expect((await pippin('completion', shell)).stdout).toBe(`${make(COMMANDS)}\n`);
  });

  it.runIf(has(shell))('is one that the shell reads', () => {
    const path = join(folder, `script.${shell}`);
    writeFileSync(path, make(COMMANDS));
    expect(execFileSync(shell, ['-n', path], { encoding: 'utf8' })).toBe('');
  });

  it('names every command and option', () => {
    for (const { name, options } of COMMANDS) {
      expect(make(COMMANDS)).toContain(name);
      for (const option of Object.keys(options)) expect(make(COMMANDS)).toContain(option);
    }
  });
});

it('what scripts say of an option is a phrase, though they leave out what follows its first punctuation', () => {
  for (const command of COMMANDS) {
    for (const { name, option } of optionsOf(command)) {
      expect(briefly(option.help).split(' ').length, `--${name} of ${command.name}`).toBeGreaterThan(1);
    }
  }
});

it('there is none for another shell', async () => {
  await expectFailure(2, 'INVALID_ARGUMENT', 'completion', 'csh');
});

describe.runIf(has('bash'))('completion in bash', () => {
  /** The candidates for the last of these words. */
  const complete = (...words: string[]): string[] => {
    const script = `${bashCompletion(COMMANDS)}
COMP_WORDS=(pippin "$@"); COMP_CWORD=$#; _pippin 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const printed = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
    return printed
      .split('\n')
      .filter((line) => line !== '')
      .toSorted();
  };

  it('completes commands', () => {
    expect(complete('')).toEqual([...COMMANDS.map(({ name }) => name), 'help', '--help', '--version'].toSorted());
    expect(complete('ver')).toEqual(['verify']);
    expect(complete('v')).toEqual(['verify', 'vkey']);
    expect(complete('help', 'c')).toEqual(['cache', 'calldata', 'ceremony', 'completion']);
    expect(complete('nothing', '--')).toEqual([]);
  });

  it('completes options and their words', () => {
    expect(complete('verify', '--p')).toEqual(['--proof', '--public']);
    expect(complete('verify', '--b')).toEqual(['--batch']);
    expect(complete('doctor', '')).toEqual(['--help', '--json', '--quiet']);
    expect(complete('prove', '--backend', '')).toEqual(['auto', 'wasm', 'webgpu']);
    expect(complete('prove', '--backend', 'wa')).toEqual(['wasm']);
    expect(complete('prove', '--threads', '')).toEqual([]);
  });

  it('completes files by their endings, and folders', () => {
    expect(complete('prove', '--zkey', '')).toEqual(['keys/', 'my key.zkey', 'other.zkey']);
    expect(complete('prove', '--zkey', 'my')).toEqual(['my key.zkey']);
    expect(complete('prove', '--zkey', 'keys/')).toEqual(['keys/deep.zkey']);
    expect(complete('fullprove', '--input', 'i')).toEqual(['input.json']);
    expect(complete('info', 'o')).toEqual(['other.zkey']);
  });

  it('completes operands', () => {
    expect(complete('completion', '')).toEqual(['--help', '--json', '--quiet', 'bash', 'fish', 'zsh']);
    expect(complete('cache', 'c')).toEqual(['clear']);
    expect(complete('cache', 'clear', '--o')).toEqual(['--older-than']);
  });
});
