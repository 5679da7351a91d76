import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclonedx } from '../../../scripts/shipped/cyclonedx.mjs';
import { licenceTexts } from '../../../scripts/shipped/licence-texts.mjs';
import { shippedPackages } from '../../../scripts/shipped/shipped-packages.mjs';
import { root } from '../../support/root.js';

/** An entry of a lock file; the hash is of no archive. */
const entry = (license: string, more: object = {}) => ({
  version: '1.2.3',
  license,
  integrity: 'sha512-AAH/',
  ...more,
});

const lockOf = (more: Record<string, object> = {}) => ({
  packages: {
    'node_modules/assemblyscript': entry('Apache-2.0'),
    'node_modules/a': entry('MIT', { dependencies: { '@s/b': '^1.0.0' } }),
    'node_modules/@s/b': entry('ISC'),
    'node_modules/c': entry('BSD-3-Clause'),
    'node_modules/gpl': entry('GPL-3.0'),
    'node_modules/compiles': entry('MIT', { hasInstallScript: true }),
    ...more,
  },
});

const names = (modules: string[], dependencies: Record<string, string>): string[] =>
  shippedPackages(modules, { dependencies }, lockOf()).map(({ name }) => name);

describe('shippedPackages', () => {
  it('takes dependencies with theirs, and what was bundled, once each', () => {
    expect(names([], {})).toEqual(['assemblyscript']);
    expect(names([], { a: '^1.0.0' })).toEqual(['@s/b', 'a', 'assemblyscript']);
    const modules = [
      '/x/sdk/a.ts',
      '/x/node_modules/a/node_modules/c/c.js',
      '\\x\\node_modules\\@s\\b\\b.js',
      '\0virtual',
    ];
    expect(names(modules, { c: '1' })).toEqual(['@s/b', 'assemblyscript', 'c']);
  });

  it.each(['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-3.0', 'UNLICENSED', ''])('refuses the licence %j', (license) => {
    const lock = lockOf({ 'node_modules/c': entry(license) });
    expect(() => shippedPackages(['/x/node_modules/c/c.js'], {}, lock)).toThrow('expected a permissive licence of c,');
  });

  it('refuses a licence that is not named, and a package that is not locked', () => {
    const lock = lockOf({ 'node_modules/c': { version: '1.0.0' } });
    expect(() => shippedPackages([], { dependencies: { c: '1' } }, lock)).toThrow('got none');
    expect(() => names([], { d: '1' })).toThrow('expected d in package-lock.json');
  });

  it('refuses install scripts, of the package and of what is installed with it', () => {
    expect(() => names([], { compiles: '1' })).toThrow('without install scripts, got compiles');
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(() => shippedPackages([], { scripts: { [name]: 'node x' } }, lockOf())).toThrow(
        `expected no install scripts in package.json, got ${name}`,
      );
    }
  });

  it('finds nothing against this package, and all of its parts in its bill of materials', () => {
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
    const manifest = read('package.json');
    const bundled = ['@noble/hashes', 'comlink', 'idb-keyval'];
    const modules = bundled.map((name) => `/x/node_modules/${name}/index.js`);
    const packages = shippedPackages(modules, manifest, read('package-lock.json'));
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(bundled));
    const { metadata, components, dependencies } = cyclonedx(manifest, packages);
    expect(metadata.component.purl).toBe(`pkg:npm/pippin-prover@${manifest.version}`);
    expect(components.map(({ name }) => name)).toEqual(packages.map(({ name }) => name));
    for (const { hashes } of components) expect(hashes[0]!.content).toMatch(/^[0-9a-f]{128}$/);
    expect(dependencies).toHaveLength(packages.length + 1);
    const texts = licenceTexts(packages, join(root, 'node_modules'));
    expect(texts).toContain('Apache License');
    expect(texts).toContain('AssemblyScript');
  });
});

describe('cyclonedx', () => {
  it('names a package of a scope by its package URL, its hash and what it needs', () => {
    const packages = shippedPackages([], { dependencies: { a: '1' } }, lockOf());
    const manifest = { name: 'own', version: '0.1.0', description: '', license: 'MIT' };
    const { components, dependencies } = cyclonedx(manifest, packages);
    expect(components[0]).toMatchObject({ purl: 'pkg:npm/%40s/b@1.2.3', hashes: [{ content: '0001ff' }] });
    expect(dependencies).toContainEqual({ ref: 'pkg:npm/a@1.2.3', dependsOn: ['pkg:npm/%40s/b@1.2.3'] });
  });
});
