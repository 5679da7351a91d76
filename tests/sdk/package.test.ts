import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { checkPackage } from '../../scripts/release/check-package.mjs';
import { npm } from '../../scripts/release/npm.mjs';
import { root } from '../support/root.js';

it.each([
  ['pippin-prover', '', ['js', 'd.ts', 'wasm']],
  ['pippin-farm', 'farm', ['js', 'd.ts']],
])('%s holds what it should and no more, and names no place of this machine', (name, folder, kinds) => {
  const sizes = checkPackage(folder);
  expect(sizes).toMatch(/^pippin-\w+ holds \d+ files, \d+ bytes \(\d+ packed\):\n/);
  expect(sizes).toContain(`${name} holds`);
  for (const kind of kinds) expect(sizes).toContain(`\n  *.${kind}: `);
});

/**
 * A folder in which the package, as npm packs it, is installed by its lock file. Nothing is downloaded, since it has no
 * dependencies.
 */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-installed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  npm(['pack', '--ignore-scripts', '--pack-destination', folder]);
  const tarball = readdirSync(folder)[0]!;
  writeFileSync(join(folder, 'package.json'), '{ "name": "application", "version": "1.0.0" }');
  npm(['install', '--offline', '--package-lock-only', '--no-audit', join(folder, tarball)], folder);
  return folder;
}

it('the bill of materials lists the run-time dependencies that npm sees, what is bundled, and what is compiled into the WASM', () => {
  interface Sbom {
    readonly components: readonly { readonly name: string; readonly version: string; readonly hashes: unknown }[];
  }
  const parts = ({ components }: Sbom) => components.map(({ name, version, hashes }) => ({ name, version, hashes }));
  const ours = parts(JSON.parse(readFileSync(`${root}/dist/sbom.json`, 'utf8')));
  const seen = npm(['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'], installed());
  // It may list more: packages for development that were bundled.
  const others = parts(JSON.parse(seen)).filter(({ name }) => name !== 'pippin-prover');
  expect(ours).toEqual(expect.arrayContaining(others));
  const names = ours.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['@noble/hashes', 'assemblyscript', 'comlink', 'idb-keyval']));
  const texts = readFileSync(`${root}/dist/THIRD-PARTY-LICENSES.txt`, 'utf8');
  for (const { name, version } of ours) expect(texts).toContain(`\n${name} ${version} (`);
});

/** The scripts in dist/ whose names pass, each with what it imports, also where that is by `import()`. */
function imports(passes: (name: string) => boolean): [script: string, imported: string][] {
  const scripts = readdirSync(`${root}/dist`).filter((name) => name.endsWith('.js') && passes(name));
  return scripts.flatMap((name) =>
    ts
      .preProcessFile(readFileSync(`${root}/dist/${name}`, 'utf8'))
      .importedFiles.map(({ fileName }): [string, string] => [name, fileName]),
  );
}

/** Files that are loaded by `import()`, as they are named there. */
const lazyFiles = new Set(
  readdirSync(`${root}/dist`)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...readFileSync(`${root}/dist/${name}`, 'utf8').matchAll(/import\("([^"]+)"\)/g)])
    .map(([, name]) => name),
);
const isLazy = (imported: string) => lazyFiles.has(imported);

const pageFiles: readonly string[] = JSON.parse(readFileSync(`${root}/dist/assets.json`, 'utf8')).files;

it('what a page loads imports nothing but files beside it, all of them listed in assets.json', () => {
  const found = imports((name) => pageFiles.includes(name));
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(([, imported]) => !pageFiles.includes(imported.replace(/^\.\//, '')))).toEqual([]);
  for (const name of ['index.js', 'coordinator.js', 'kernel.js', 'witness.js', 'bn254.wasm', 'mnt4-753-simd.wasm']) {
    expect(pageFiles).toContain(name);
  }
  expect(pageFiles.filter((name) => !existsSync(`${root}/dist/${name}`))).toEqual([]);
});

it('no file of a page imports the script of a worker, which would begin to serve whoever loads it', () => {
  const scripts = ['./coordinator.js', './kernel.js', './witness.js'];
  expect(imports((name) => pageFiles.includes(name)).filter(([, imported]) => scripts.includes(imported))).toEqual([]);
});

it('what is loaded by itself names every chunk that it needs, so that none is found only after another was read', () => {
  const found = imports((name) => pageFiles.includes(name));
  const lazy = found.filter(([, imported]) => isLazy(imported)).map(([, imported]) => imported.slice(2));
  const staticImports = (script: string) =>
    new Set(found.filter(([name, imported]) => name === script && !isLazy(imported)).map(([, to]) => to.slice(2)));
  const entries = ['index.js', 'coordinator.js', 'kernel.js', 'witness.js', ...lazy];
  for (const entry of entries) {
    const direct = staticImports(entry);
    const all = new Set(direct);
    for (const name of all) for (const further of staticImports(name)) all.add(further);
    expect(direct, entry).toEqual(all);
  }
});

it('what Node loads imports nothing but its own modules, files beside it and the optional WebGPU; the hooks React and the package itself', () => {
  const foreign = imports(() => true).filter(([, imported]) => !/^(node:|\.\/|webgpu$)/.test(imported));
  expect(foreign).toEqual([
    ['react.js', 'react'],
    ['react.js', 'pippin-prover'],
  ]);
});
