import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../../scripts/lib/import-graph.mjs';
import { root } from './root.js';

/** The files that declare what callers give, and which of their interfaces are options. */
const FILES = [
  ...['sdk/api', 'sdk/encodings'].flatMap((folder) => sourceFiles(folder)),
  ...[
    'extension/api',
    'webview/serve-prover',
    'webview/connect-prover',
    'webview/page-prover',
    'snarkjs-alias/alias-prover',
    'snarkjs-alias/key-files',
  ].map((name) => `sdk/hosts/${name}.ts`),
];
const OPTIONS = /(Options|Request|Tuning|Urls|Process|KeyFile|WebviewCircuit)$/;

/** The names of all options of all public entries, as their types declare them. */
export function optionNames(): readonly string[] {
  const names = new Set<string>();
  for (const file of FILES) {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
    source.forEachChild((node) => {
      if (!ts.isInterfaceDeclaration(node) || !OPTIONS.test(node.name.text)) return;
      for (const member of node.members) {
        if (member.name !== undefined) names.add((member.name as ts.Identifier | ts.StringLiteral).text);
      }
    });
  }
  return [...names].sort();
}
