import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import {
  parseSource,
  readImportGraph,
  readSource,
  resolve,
  sourceFiles,
  stringLiterals,
} from '../lib/import-graph.mjs';

/** Lines below which a file is too small for a concept. */
const SMALL_FILE = 15;
/** Files above which a folder is hard to survey. */
const LARGE_FOLDER = 25;
const MOST_PARAMETERS = 5;
/** The hosts' API to callers besides files `api.ts`, whose public types and methods bear the proof system's name. */
const HOST_API = [
  'sdk/hosts/prover/prover.ts',
  'sdk/hosts/extension/connect.ts',
  'sdk/hosts/queue/wallet-queue.ts',
  'sdk/hosts/react/use-key.ts',
  'sdk/hosts/react/use-proof.ts',
  'sdk/hosts/webview/protocol.ts',
  'sdk/hosts/snarkjs-alias/alias.ts',
  'sdk/hosts/snarkjs-alias/groth16.ts',
  'sdk/hosts/snarkjs-alias/zkey.ts',
];

/**
 * How easy the house is to walk through, in numbers. Of the files of sdk/, generated ones are left out; imports by
 * workers/ count.
 *
 * @typedef {{ measure: string, found: readonly string[] | number, goal: number }} Measure `found` is a count, or what
 * is counted
 * @param {string} base the repository
 * @returns {Measure[]}
 */
export function measureHouse(base) {
  const files = sourceFiles('sdk', base).filter((file) => !file.includes('/generated/'));
  const lines = new Map(files.map((file) => [file, readSource(file, base).split('\n').length - 1]));
  const trees = files.map((file) => parseSource(file, base));
  return [
    { measure: 'sdk: lines', found: [...lines.values()].reduce((sum, count) => sum + count, 0), goal: 34_000 },
    { measure: 'sdk: files', found: files.length, goal: 430 },
    {
      measure: `files of less than ${SMALL_FILE} lines`,
      found: files.filter((file) => lines.get(file) < SMALL_FILE),
      goal: 25,
    },
    { measure: 'files with exactly one importer', found: withOneImporter(base), goal: 110 },
    { measure: `folders of more than ${LARGE_FOLDER} files`, found: largeFolders(files), goal: 0 },
    { measure: "files loose in sdk's root that are no entries", found: looseFiles(files, base), goal: 3 },
    { measure: 'exported names that exist twice', found: namesExportedTwice(trees), goal: 0 },
    {
      measure: 'files that name Groth16 outside its folders, the entries and the API',
      found: namingGroth16(files, base),
      goal: 20,
    },
    {
      measure: 'files that name FFLONK in code outside its folder, the registry, the entries and the API',
      found: namingFflonk(files, base),
      goal: 15,
    },
    { measure: 'dynamic imports', found: trees.flatMap(dynamicImports), goal: 12 },
    { measure: 'chunks in dist', found: chunks(base), goal: 60 },
    {
      measure: `functions of more than ${MOST_PARAMETERS} parameters`,
      found: trees.flatMap(longParameterLists),
      goal: 0,
    },
  ];
}

/** @param {string} base */
function withOneImporter(base) {
  const graph = readImportGraph(['sdk', 'workers'], base);
  /** @type {Map<string, number>} */
  const importers = new Map();
  for (const imported of [...graph.values()].flat()) importers.set(imported, (importers.get(imported) ?? 0) + 1);
  return [...graph.keys()].filter(
    (file) => file.startsWith('sdk/') && !file.includes('/generated/') && importers.get(file) === 1,
  );
}

/** @param {readonly string[]} files */
function largeFolders(files) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const folder of files.map(dirname)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  return [...sizes].filter(([, size]) => size > LARGE_FOLDER).map(([folder, size]) => `${folder} (${size})`);
}

/** The entries are what rolldown.config.ts names. @param {readonly string[]} files @param {string} base */
function looseFiles(files, base) {
  const entries = new Set(stringLiterals('rolldown.config.ts', base));
  return files.filter((file) => dirname(file) === 'sdk' && !entries.has(file));
}

/**
 * Names that several files declare and export; a re-export declares nothing. A name that each entry gives to another
 * thing is public, and stays.
 *
 * @param {readonly ts.SourceFile[]} trees
 */
function namesExportedTwice(trees) {
  const published = publicDeclarations(trees);
  const isPublic = (/** @type {string} */ file, /** @type {string} */ name) =>
    published.has(`${file} ${name}`) || published.has(`${file} *`);
  /** @type {Map<string, string[]>} */
  const declaredIn = new Map();
  for (const tree of trees) {
    for (const name of new Set(tree.statements.flatMap(exportedNames))) {
      declaredIn.set(name, [...(declaredIn.get(name) ?? []), tree.fileName]);
    }
  }
  return [...declaredIn]
    .filter(([name, where]) => where.length > 1 && !where.every((file) => isPublic(file, name)))
    .map(([name, where]) => `${name}: ${where.join(', ')}`);
}

/**
 * What the entries re-export, as `file name`, or `file *` for all of a file. @param {readonly ts.SourceFile[]} trees
 */
function publicDeclarations(trees) {
  const found = new Set();
  for (const { fileName, statements } of trees.filter((tree) => dirname(tree.fileName) === 'sdk')) {
    for (const { exportClause, moduleSpecifier } of statements.filter(ts.isExportDeclaration)) {
      if (moduleSpecifier === undefined) continue;
      const file = resolve(fileName, /** @type {ts.StringLiteral} */ (moduleSpecifier).text);
      const names = exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : [];
      for (const { name, propertyName } of names) found.add(`${file} ${(propertyName ?? name).text}`);
      if (exportClause === undefined) found.add(`${file} *`);
    }
  }
  return found;
}

/** @param {ts.Statement} statement @returns {string[]} */
function exportedNames(statement) {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const { name } = /** @type {ts.DeclarationStatement} */ (statement);
  return name === undefined ? [] : [name.text];
}

/** @param {readonly string[]} files @param {string} base */
function namingGroth16(files, base) {
  const mayNameIt = (/** @type {string} */ file) =>
    dirname(file) === 'sdk' ||
    file.includes('/groth16/') ||
    file.startsWith('sdk/api/') ||
    /[-/]api\.ts$/.test(file) ||
    HOST_API.includes(file);
  return files.filter((file) => !mayNameIt(file) && /groth16/i.test(readSource(file, base)));
}

/** The rooms whose files are the API to callers. */
const API_ROOMS = ['sdk/api/', 'sdk/hosts/', 'sdk/cli/', 'sdk/encodings/'];

/** What a further proof system costs outside its own rooms. @param {readonly string[]} files @param {string} base */
function namingFflonk(files, base) {
  const ownRooms = ['sdk/proofs/fflonk/', 'sdk/proofs/registry.ts', ...API_ROOMS];
  return files
    .filter((file) => dirname(file) !== 'sdk' && !ownRooms.some((room) => file.startsWith(room)))
    .filter((file) => /fflonk/i.test(withoutComments(readSource(file, base))));
}

/** @param {string} text */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

/** `import('...')` of a file or a package; what Node brings along splits no code. @param {ts.SourceFile} tree */
function dynamicImports(tree) {
  return nodes(tree)
    .filter(ts.isCallExpression)
    .filter(({ expression }) => expression.kind === ts.SyntaxKind.ImportKeyword)
    .map((call) => call.arguments[0]?.getText(tree) ?? '')
    .filter((specifier) => !specifier.startsWith("'node:"))
    .map((specifier) => `${tree.fileName}: ${specifier}`);
}

/** @param {string} base */
function chunks(base) {
  return readdirSync(join(base, 'dist')).filter((name) => /^chunk-.*\.js$/.test(name));
}

/** @param {ts.SourceFile} tree */
function longParameterLists(tree) {
  return nodes(tree)
    .filter(ts.isFunctionLike)
    .filter((node) => 'body' in node && node.body !== undefined && node.parameters.length > MOST_PARAMETERS)
    .map(
      (node) =>
        `${placeOf(tree, node)} ${node.name?.getText(tree) ?? ts.SyntaxKind[node.kind]} (${node.parameters.length})`,
    );
}

/** @param {ts.SourceFile} tree @param {ts.Node} node */
function placeOf(tree, node) {
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;
}

/** A node and all below it. @param {ts.Node} node @returns {ts.Node[]} */
function nodes(node) {
  /** @type {ts.Node[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ next) => {
    found.push(next);
    ts.forEachChild(next, visit);
  };
  visit(node);
  return found;
}
