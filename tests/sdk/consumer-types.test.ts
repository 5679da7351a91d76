import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandOf } from '../../scripts/lib/run.mjs';
import { root } from '../support/root.js';

/** A project that has the package installed, compiled with every declaration checked (`skipLibCheck: false`). */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-types-'));
  cpSync(join(root, 'tests', 'sdk', 'consumer-types', 'wallet.ts'), join(folder, 'wallet.ts'));
  const files = { 'vkey.json': 'note.vkey.json', 'inputs.json': 'input.json' };
  for (const [name, from] of Object.entries(files)) {
    cpSync(join(root, 'examples', 'groth16-commitment', 'key', from), join(folder, name));
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  mkdirSync(join(modules, 'pippin-prover'));
  for (const name of ['package.json', 'dist']) symlinkSync(join(root, name), join(modules, 'pippin-prover', name));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  resolveJsonModule: true,
  noEmit: true,
  // As for a project at this place: its node_modules are its own, not those behind the link.
  preserveSymlinks: true,
};

// Callers have either compiler: each is tried on one platform.
it.each([
  ['in Node, without types of a browser', 'typescript', { module: 'node20', lib: ['es2022'], types: ['node'] }],
  [
    'in a browser',
    'typescript-7',
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
  ],
])('compiles %s, by %s', (_, compiler, options) => {
  const config = { compilerOptions: { ...OPTIONS, ...options }, files: ['wallet.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const args = [commandOf(compiler, 'tsc'), '-p', '.', '--pretty', 'false'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
