import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkContents, checkSize, LIMITS } from '../../../scripts/release/package-contents.mjs';
import { root } from '../../support/root.js';

const manifest = {
  types: './dist/types/sdk/index.d.ts',
  bin: { tool: './dist/cli.js' },
  exports: { '.': { node: { default: './dist/node.js' }, default: './dist/index.js' }, './a.wasm': './dist/a.wasm' },
  sideEffects: ['./dist/cli.js'],
};
const top = ['package.json', 'README.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
const named = [...top, 'dist/sbom.json', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/assets.json'];
const built = ['dist/types/sdk/index.d.ts', 'dist/cli.js', 'dist/node.js', 'dist/index.js', 'dist/a.wasm'];

describe('checkContents', () => {
  it('takes what package.json points to, and chunks', () => {
    expect(() => checkContents([...named, ...built, 'dist/chunk-a.js'], manifest)).not.toThrow();
  });

  it.each([...named, ...built])('refuses a package without %s', (path) => {
    const paths = [...named, ...built].filter((other) => other !== path);
    expect(() => checkContents(paths, manifest)).toThrow(`expected these files in the package: ${path}`);
  });

  it.each([
    'sdk/index.ts',
    '.env',
    'dist/chunk-a.js.map',
    'dist/.bn254.7.wasm',
    'dist/key/note.zkey',
    'dist/other.json',
    'dist/tests/a.js',
    'dist/types/tests/a.d.ts',
    'node_modules/a/b.js',
  ])('refuses a package with %s', (path) => {
    expect(() => checkContents([...named, ...built, path], manifest)).toThrow(
      `expected only built files in the package, got ${path}`,
    );
  });

  it("finds the files of this package's own package.json", () => {
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(() => checkContents(named, own)).toThrow('dist/index.js');
  });
});

describe('checkSize', () => {
  it('takes a package within the limits', () => {
    expect(() => checkSize(LIMITS)).not.toThrow();
  });

  it.each([
    ['files', 'files'],
    ['packedBytes', 'bytes packed'],
    ['unpackedBytes', 'bytes unpacked'],
  ] as const)('refuses one with more %s', (name, words) => {
    const most = LIMITS[name];
    const message = `at most ${most} ${words}, got ${most + 1}`;
    expect(() => checkSize({ ...LIMITS, [name]: most + 1 })).toThrow(message);
  });
});
