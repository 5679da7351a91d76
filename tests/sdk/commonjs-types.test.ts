import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/root.js';

/** The reference's first page tells what TypeScript takes in a CommonJS project; each row is a claim of it. */
describe('TypeScript in a CommonJS project', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pippin-commonjs-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'pippin-prover'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{ "name": "commonjs" }');
    const imports = ['encodings', 'snarkjs', 'extension', 'webview', 'webview-client'].map(
      (path, i) => `import * as part${i} from 'pippin-prover/${path}';\nexport { part${i} };\n`,
    );
    const use = 'export const total = async (p: Prover) => (await p.groth16.loadKey("a")).report.ms.total;\n';
    writeFileSync(join(folder, 'static.ts'), `import { type Prover } from 'pippin-prover';\n${use}${imports.join('')}`);
    writeFileSync(
      join(folder, 'dynamic.ts'),
      "export const open = async () => (await import('pippin-prover')).createProver();\n",
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const { ModuleKind, ModuleResolutionKind } = ts;
  const complaints = (file: string, module: ts.ModuleKind, moduleResolution: ts.ModuleResolutionKind): number[] => {
    const options = { module, moduleResolution, target: ts.ScriptTarget.ES2022, strict: true, noEmit: true, types: [] };
    const program = ts.createProgram([join(folder, file)], {
      ...options,
      skipLibCheck: true,
      ignoreDeprecations: '6.0',
    });
    return [...new Set(ts.getPreEmitDiagnostics(program).map(({ code }) => code))];
  };

  it.each([
    ['nodenext', ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
    ['node20', ModuleKind.Node20, ModuleResolutionKind.Node16],
  ] as const)('takes imports of every entry with module %s', (_, module, resolution) => {
    expect(complaints('static.ts', module, resolution)).toEqual([]);
  });

  it('takes `await import()` with module node16, and refuses what becomes a require', () => {
    expect(complaints('dynamic.ts', ModuleKind.Node16, ModuleResolutionKind.Node16)).toEqual([]);
    expect(complaints('static.ts', ModuleKind.Node16, ModuleResolutionKind.Node16)).toEqual([1479]);
  });

  it('finds the types of every entry with moduleResolution node10', () => {
    expect(complaints('dynamic.ts', ModuleKind.CommonJS, ModuleResolutionKind.Node10)).toEqual([]);
    expect(complaints('static.ts', ModuleKind.CommonJS, ModuleResolutionKind.Node10)).toEqual([]);
  });
});
