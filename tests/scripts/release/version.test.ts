import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkVersion, setLockVersion, setManifestVersion } from '../../../scripts/release/version.mjs';
import { root } from '../../support/root.js';

describe('checkVersion', () => {
  it.each([
    ['0.1.0', '0.1.0'],
    ['0.1.1', '0.1.0'],
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
    ['1.0.0', '1.0.0-beta.1'],
    ['1.0.0-beta.2', '1.0.0-beta.1'],
    ['1.1.0-beta.1', '1.0.0'],
  ])('takes %s after %s', (next, current) => {
    expect(() => checkVersion(next, current)).not.toThrow();
  });

  it.each([
    ['0.0.9', '0.1.0'],
    ['0.9.9', '0.10.0'],
    ['1.0.0-beta.1', '1.0.0'],
  ])('refuses %s after %s', (next, current) => {
    expect(() => checkVersion(next, current)).toThrow(`expected a version of ${current} or later, got ${next}`);
  });

  it.each([undefined, '', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3+4', 'patch'])('refuses %s', (next) => {
    expect(() => checkVersion(next, '0.1.0')).toThrow('expected a version such as 1.2.3, got');
  });
});

describe('setting the version', () => {
  it("changes the package's own and leaves the rest as it is", () => {
    const manifest = '{\n  "name": "a",\n  "version": "0.1.0",\n  "bin": { "a": "./a.js" }\n}\n';
    expect(setManifestVersion(manifest, '0.2.0')).toBe(manifest.replace('0.1.0', '0.2.0'));
  });

  it('changes that of pippin-farm, and of the SDK which it needs', () => {
    const manifest = (version: string): string =>
      `{ "version": "${version}", "peerDependencies": { "pippin-prover": "${version}" }, "devDependencies": { "pippin-prover": "file:.." } }`;
    expect(setManifestVersion(manifest('0.1.0'), '0.2.0')).toBe(manifest('0.2.0'));
  });

  it('changes all places of both packages in the lock file, and no version of another package', () => {
    const lock = (version: string): string => {
      const farm = {
        version,
        devDependencies: { 'pippin-prover': 'file:..' },
        peerDependencies: { 'pippin-prover': version },
      };
      const packages = {
        '': { version, bin: { 'pippin-prover': 'dist/cli.js' } },
        farm,
        'node_modules/b': { version: '0.1.0' },
      };
      return JSON.stringify({ name: 'pippin-prover', version, packages }, undefined, 2);
    };
    expect(setLockVersion(lock('0.1.0'), '0.2.0')).toBe(lock('0.2.0'));
  });

  it('finds the places in the own files', () => {
    const versions = (file: string): number =>
      setLockVersion(readFileSync(join(root, file), 'utf8'), '99.9.9').split('"99.9.9"').length - 1;
    expect(versions('package-lock.json')).toBe(4);
    const { version, peerDependencies } = JSON.parse(
      setManifestVersion(readFileSync(join(root, 'farm/package.json'), 'utf8'), '99.9.9'),
    );
    expect([version, peerDependencies['pippin-prover']]).toEqual(['99.9.9', '99.9.9']);
  });
});
