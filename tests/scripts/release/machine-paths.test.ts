import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { checkNoMachinePaths } from '../../../scripts/release/machine-paths.mjs';

const folder = '/builds/pippin';
const check = (path: string, text: string): void => checkNoMachinePaths(path, Buffer.from(text), folder);

describe('checkNoMachinePaths', () => {
  it('takes relative paths and URLs of the web', () => {
    check('dist/a.js', 'import "./b.js"; // ../sdk/a.ts https://example.org/home/ /dev/shm');
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
});
