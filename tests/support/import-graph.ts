import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { root } from './root.js';

/**
 * What each TypeScript file below some folders imports, re-exports or loads by `import()`. Files of the repository are given by their path,
 * packages by their name. Imports of types count like all others, because they are dependencies, too.
 */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function readImportGraph(folders: readonly string[]): ImportGraph {
  return new Map(
    folders.flatMap(sourceFiles).map((file) => {
      const { importedFiles } = ts.preProcessFile(readSource(file), true, true);
      return [file, [...new Set(importedFiles.map(({ fileName }) => resolve(file, fileName)))]];
    }),
  );
}

/** Paths of the TypeScript files below a folder of the repository, without `.d.ts` files. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('/node_modules/'))
    .sort();
}

function readSource(file: string): string {
  return readFileSync(`${root}/${file}`, 'utf8');
}

/** The string literals in a file's code, without those of imports and re-exports. */
export function stringLiterals(file: string): string[] {
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) literals.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest));
  return literals;
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier).replace(/\.js$/, '.ts');
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The groups of files that reach each other by their imports, each of them sorted. A graph without cycles has no such group. */
export function cycles(graph: ImportGraph): string[][] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachableFrom(graph, file)]));
  const seen = new Set<string>();
  const groups: string[][] = [];
  for (const file of graph.keys()) {
    if (seen.has(file) || !reached.get(file)!.has(file)) continue;
    const group = [...reached.get(file)!].filter((other) => reached.get(other)?.has(file)).sort();
    for (const other of group) seen.add(other);
    groups.push(group);
  }
  return groups;
}

/** What a file imports, and what that imports, and so on. */
function reachableFrom(graph: ImportGraph, file: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(graph.get(file) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return reached;
}
