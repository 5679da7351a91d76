import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkPackage } from '../../scripts/release/check-package.mjs';
import { npm } from '../../scripts/release/npm.mjs';
import { root } from '../support/root.js';

it('the package holds what it should and no more, and names no place of this machine', () => {
  const sizes = checkPackage();
  expect(sizes).toMatch(/^The package holds \d+ files, \d+ bytes \(\d+ packed\):\n/);
  for (const kind of ['js', 'js.map', 'd.ts', 'wasm']) expect(sizes).toContain(`\n  *.${kind}: `);
});

it('the bill of materials lists the run-time dependencies that npm sees, and what is compiled into the WASM', () => {
  interface Sbom {
    readonly components: readonly { readonly name: string; readonly version: string; readonly hashes: unknown }[];
  }
  const parts = ({ components }: Sbom) => components.map(({ name, version, hashes }) => ({ name, version, hashes }));
  const ours = parts(JSON.parse(readFileSync(`${root}/dist/sbom.json`, 'utf8')));
  const seen = npm(['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx']);
  // It may list more: packages for development that were bundled.
  expect(ours).toEqual(expect.arrayContaining(parts(JSON.parse(seen))));
  expect(ours.map(({ name }) => name)).toContain('assemblyscript');
  const texts = readFileSync(`${root}/dist/THIRD-PARTY-LICENSES.txt`, 'utf8');
  for (const { name, version } of ours) expect(texts).toContain(`\n${name} ${version} (`);
});
