import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../support/root.js';
import type { Sample } from './samples.js';

const GLOBALS = join(root, 'docs/.vitepress/sample-globals.d.ts');

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node', 'chrome'],
  jsx: ts.JsxEmit.ReactJSX,
  noEmit: true,
  skipLibCheck: true,
  // Samples import files of their application.
  noUncheckedSideEffectImports: false,
};

const TYPED: ts.CompilerOptions = { strict: true, noUncheckedIndexedAccess: true };

/**
 * Samples in TypeScript are as strict as this repository; those in JavaScript are checked for names, members and
 * arguments.
 */
const STRICTNESS: Readonly<Record<Sample['language'], ts.CompilerOptions>> = {
  ts: TYPED,
  tsx: TYPED,
  js: { strict: false, allowJs: true, checkJs: true },
};

const ENDINGS: Readonly<Record<Sample['language'], string>> = { ts: 'mts', tsx: 'tsx', js: 'mjs' };

const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * What TypeScript has to say of samples, against the built types of the package: each is a module in the repository's
 * root, which finds the package by its own name.
 */
export function checkSamples(samples: readonly Sample[], language: Sample['language']): string[] {
  const options = { ...OPTIONS, ...STRICTNESS[language] };
  const files = new Map(
    samples
      .filter((sample) => sample.language === language)
      .map((sample, i) => [join(root, `sample-${i}.${ENDINGS[language]}`), sample] as const),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const textOf = (path: string): string | undefined => {
    const sample = files.get(path);
    return sample === undefined ? undefined : `${sample.code}\nexport {};\n`;
  };
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => textOf(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = textOf(path);
    if (text !== undefined) return ts.createSourceFile(path, text, target, true);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, target, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram([...files.keys(), GLOBALS], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    if (file === undefined || start === undefined) return text;
    const line = file.getLineAndCharacterOfPosition(start).line;
    const place = files.get(file.fileName)?.name ?? file.fileName;
    return `${place}, line ${line + 1} of the sample (${file.text.split('\n')[line]?.trim()}): ${text}`;
  });
}
