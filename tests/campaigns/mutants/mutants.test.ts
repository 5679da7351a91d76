import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/root.js';
import { areasBelow, MUTANTS } from '../mutants.js';
import { AREAS } from './areas.js';
import { mutantsOf, mutate } from './operators.js';
import { SURVIVORS } from './survivors.js';

/** Each mutant of a text as the texts before and after it, without what is equal. */
const changesOf = (source: string): string[] =>
  mutantsOf(source).map(({ start, end, replacement }) => `${source.slice(start, end)} => ${replacement}`);

describe('mutants of a text', () => {
  it.each([
    ['if (a < b) throw new Error(c + 1);', ['a < b => true', 'a < b => false', '< => <=']],
    ['const x = a && !b;', ['a && !b => a', 'a && !b => !b', '!b => (b)']],
    ['const x = a ?? 3n;', ['a ?? 3n => a', '3n => (3n + 1n)']],
    ['const x = a === 1 ? b : c;', ['a === 1 => true', 'a === 1 => false', '1 => (1 + 1)']],
    ['const x = [a !== b].every(f);', ['every => some', '!== => ===']],
    ['for (const x of y) { f(x); g(true); }', ['f(x); => ;', 'g(true); => ;', 'true => false']],
    [
      'function f() { if (a) { return 1; } if (b) { g(); return c; } return d; }',
      ['a => true', 'a => false', '1 => (1 + 1)', 'b => true', 'b => false', 'g(); => ;', 'return c; => ;'],
    ],
    ["const x = 'a' + b + (c + d);", ['+ => -']],
    ["import { a } from 'b'; interface C { d: 1 } type E = true; export { a };", []],
  ])('%s', (source, expected) => {
    expect(changesOf(source)).toEqual(expected);
  });

  it('change nothing else, and have names of their own', () => {
    const source = readFileSync(`${root}/sdk/files/snarkjs/section-file.ts`, 'utf8');
    const all = mutantsOf(source);
    expect(new Set(all.map((mutant) => mutate(source, mutant))).size).toBe(all.length);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const mutant of all) expect(mutate(source, mutant)).not.toBe(source);
  });
});

describe('the campaign of mutants', () => {
  it('has files and tests that there are', () => {
    for (const { files } of AREAS) {
      for (const [file, tests] of Object.entries(files)) {
        for (const path of [file, ...tests]) expect(existsSync(`${root}/${path}`), path).toBe(true);
      }
    }
  });

  it('can make all mutants', () => {
    for (const { mutated } of MUTANTS) mutated();
  });

  it('names survivors that there are, at most a tenth of an area', () => {
    for (const [file, named] of Object.entries(SURVIVORS)) {
      const names = mutantsOf(readFileSync(`${root}/${file}`, 'utf8')).map(({ name }) => name);
      for (const name of Object.keys(named)) expect(names).toContain(name);
    }
    expect(areasBelow()).toEqual([]);
  });
});
