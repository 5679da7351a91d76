import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { root } from './run.mjs';

/**
 * What each TypeScript file below some folders imports, re-exports or loads by `import()`. Files of the repository are
 * given by their path, packages by their name. Imports of types count like all others, because they are dependencies,
 * too.
 *
 * @typedef {ReadonlyMap<string, readonly string[]>} ImportGraph
 */

/** @param {readonly string[]} folders @param {string} [base] the repository @returns {ImportGraph} */
export function readImportGraph(folders, base = root) {
  return new Map(
    folders
      .flatMap((folder) => sourceFiles(folder, base))
      .map((file) => {
        const { importedFiles } = ts.preProcessFile(readSource(file, base), true, true);
        return [file, [...new Set(importedFiles.map(({ fileName }) => resolve(file, fileName)))]];
      }),
  );
}

/**
 * Paths of the TypeScript files below a folder of the repository, without `.d.ts` files. @param {string} folder @param
 * {string} [base]
 */
export function sourceFiles(folder, base = root) {
  return readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('/node_modules/'))
    .sort();
}

/** @param {string} file @param {string} [base] */
export function readSource(file, base = root) {
  return readFileSync(join(base, file), 'utf8');
}

/** The syntax tree of a file, its nodes linked to their parents. @param {string} file @param {string} [base] */
export function parseSource(file, base = root) {
  return ts.createSourceFile(file, readSource(file, base), ts.ScriptTarget.Latest, true);
}

/**
 * The string literals in a file's code, without those of imports and re-exports. @param {string} file @param {string}
 * [base]
 */
export function stringLiterals(file, base = root) {
  /** @type {string[]} */
  const literals = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) literals.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parseSource(file, base));
  return literals;
}

/**
 * What a file names in an import: a file of the repository, or a package. @param {string} from @param {string}
 * specifier
 */
export function resolve(from, specifier) {
  if (specifier.startsWith('.')) return join(dirname(from), specifier).replace(/\.js$/, '.ts');
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * The groups of files that reach each other by their imports, each of them sorted. A graph without cycles has no such
 * group.
 *
 * @param {ImportGraph} graph
 */
export function cycles(graph) {
  const reached = new Map([...graph.keys()].map((file) => [file, reachableFrom(graph, file)]));
  /** @type {Set<string>} */
  const seen = new Set();
  const groups = [];
  for (const [file, all] of reached) {
    if (seen.has(file) || !all.has(file)) continue;
    const group = [...all].filter((other) => reached.get(other)?.has(file)).sort();
    for (const other of group) seen.add(other);
    groups.push(group);
  }
  return groups;
}

/** What a file imports, and what that imports, and so on. @param {ImportGraph} graph @param {string} file */
function reachableFrom(graph, file) {
  /** @type {Set<string>} */
  const reached = new Set();
  const waiting = [...(graph.get(file) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return reached;
}
