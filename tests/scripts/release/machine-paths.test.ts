import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { checkNoMachinePaths } from '../../../scripts/release/machine-paths.mjs';

const folder = '/builds/pippin';
const check = (path: string, text: string): void => checkNoMachinePaths(path, Buffer.from(text), folder);
const map = (sources: string[], more: object = {}): string => JSON.stringify({ version: 3, sources, ...more });

describe('checkNoMachinePaths', () => {
  it('takes relative paths, URLs of the web and sources of the repository', () => {
    check('dist/a.js', 'import "./b.js"; // ../sdk/a.ts https://example.org/home/ /dev/shm');
    check('dist/a.js.map', map(['../sdk/a.ts', '../node_modules/comlink/c.mjs']));
  });

  it.each([
    `${folder}/sdk/a.ts`,
    `${homedir()}/x`,
    '/home/someone/x',
    '/Users/some.one/x',
    'C:\\Users\\someone',
    'file:///x',
  ])('refuses %s', (place) => {
    expect(() => check('dist/a.wasm', `\0\xff${place}\0`)).toThrow('expected no path of a machine in dist/a.wasm');
  });

  it.each(['../../other/a.ts', '/a.ts'])('refuses a source map of %s', (source) => {
    expect(() => check('dist/a.js.map', map([source]))).toThrow('expected sources within the repository');
  });

  it('refuses a source map with a root of its own', () => {
    expect(() => check('dist/a.js.map', map(['a.ts'], { sourceRoot: '/x' }))).toThrow('expected no sourceRoot');
  });
});
