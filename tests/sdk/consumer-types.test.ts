import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;
const BUNDLER = { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler };

it.each<[string, ts.CompilerOptions]>([
  ['in Node, without types of a browser', { module: ModuleKind.Node20, lib: ['lib.es2022.d.ts'], types: ['node'] }],
  ['in a browser', { ...BUNDLER, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] }],
])('compiles %s', (_, options) => {
  const program = ts.createProgram([join(folder, 'wallet.ts')], {
    target: ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    resolveJsonModule: true,
    noEmit: true,
    // As for a project at this place: its node_modules are its own, not those behind the link.
    preserveSymlinks: true,
    ...options,
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line =
      file === undefined ? '' : `${file.fileName}:${file.getLineAndCharacterOfPosition(start ?? 0).line + 1} `;
    return `${line}${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(problems).toEqual([]);
});
