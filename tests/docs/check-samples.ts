import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../../scripts/lib/run.mjs';
import { root } from '../support/root.js';
import type { Sample } from './samples.js';

const GLOBALS = join(root, 'docs/.vitepress/sample-globals.d.ts');

const OPTIONS = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
  types: ['node', 'chrome'],
  jsx: 'react-jsx',
  noEmit: true,
  skipLibCheck: true,
  // Samples import files of their application.
  noUncheckedSideEffectImports: false,
};

/**
 * Samples in TypeScript, with and without JSX, are as strict as this repository; those in JavaScript are checked for
 * names, members and arguments.
 */
const STRICTNESS = {
  typescript: { strict: true, noUncheckedIndexedAccess: true },
  javascript: { strict: false, allowJs: true, checkJs: true },
} as const;

const ENDINGS: Readonly<Record<Sample['language'], string>> = { ts: 'mts', tsx: 'tsx', js: 'mjs' };

/**
 * What TypeScript has to say of samples, against the built types of the package: each is a module in a folder of the
 * repository, which finds the package by its own name. One program has all samples of a kind: most of its time goes into
 * the libraries.
 */
export function checkSamples(samples: readonly Sample[], kind: keyof typeof STRICTNESS): string[] {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build', 'samples-'));
  try {
    const files = samples
      .filter(({ language }) => (language === 'js') === (kind === 'javascript'))
      .map((sample, i) => [`sample-${i}.${ENDINGS[sample.language]}`, sample] as const);
    for (const [name, { code }] of files) writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    const config = {
      compilerOptions: { ...OPTIONS, ...STRICTNESS[kind] },
      files: [...files.map(([name]) => name), GLOBALS],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = [commandOf('typescript-7', 'tsc'), '-p', '.', '--pretty', 'false', '--singleThreaded'];
    const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: folder, encoding: 'utf8' });
    const complaints = stdout.split('\n').filter((line) => line !== '');
    if (status !== 0 && complaints.length === 0)
      throw new Error(`expected a compiler that runs, got the code ${status}`);
    return complaints.map((complaint) => {
      const [, file = '', line = '', text = ''] = /^(\S+?)\((\d+),\d+\): (.*)$/.exec(complaint) ?? [];
      const sample = files.find(([name]) => name === file)?.[1];
      if (sample === undefined) return complaint;
      return `${sample.name}, line ${line} of the sample (${sample.code.split('\n')[Number(line) - 1]?.trim()}): ${text}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
