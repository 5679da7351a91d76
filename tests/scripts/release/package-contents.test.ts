import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkContents } from '../../../scripts/release/package-contents.mjs';
import { root } from '../../support/root.js';

const manifest = {
  types: './dist/types/index.d.ts',
  bin: { tool: './dist/cli.js' },
  exports: { '.': { node: { default: './dist/node.js' }, default: './dist/index.js' }, './a.wasm': './dist/a.wasm' },
  sideEffects: ['./dist/cli.js'],
};
const top = ['package.json', 'README.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
const built = ['dist/types/index.d.ts', 'dist/cli.js', 'dist/node.js', 'dist/index.js', 'dist/a.wasm'];

describe('checkContents', () => {
  it('takes what package.json points to, chunks and source maps', () => {
    expect(() => checkContents([...top, ...built, 'dist/chunk-a.js', 'dist/chunk-a.js.map'], manifest)).not.toThrow();
  });

  it.each([...top, ...built])('refuses a package without %s', (path) => {
    const paths = [...top, ...built].filter((other) => other !== path);
    expect(() => checkContents(paths, manifest)).toThrow(`expected these files in the package: ${path}`);
  });

  it.each(['sdk/index.ts', '.env', 'dist/.bn254.7.wasm', 'dist/key/note.zkey', 'node_modules/a/b.js'])(
    'refuses a package with %s',
    (path) => {
      expect(() => checkContents([...top, ...built, path], manifest)).toThrow(
        `expected only built files in the package, got ${path}`,
      );
    },
  );

  it("finds the files of this package's own package.json", () => {
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(() => checkContents(top, own)).toThrow('dist/index.js');
  });
});
