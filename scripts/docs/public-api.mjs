import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import ts from 'typescript';
import { root } from '../lib/run.mjs';

/**
 * What the entries of both packages export, with their docstrings, as TypeScript's checker knows it. The reference is
 * written from this, and tests/docs/reference.test.ts checks it.
 */

/**
 * A docstring: its text and its TSDoc tags.
 *
 * @typedef {object} Docs
 * @property {string} text
 * @property {ReadonlyMap<string, string>} params
 * @property {string} returns
 * @property {readonly { readonly code: string, readonly when: string }[]} throws
 * @property {readonly string[]} examples their text, which is a fence
 * @property {string | undefined} defaultValue
 * @property {boolean} isDeprecated
 */

/**
 * A function, method or constructor that callers call.
 *
 * @typedef {object} Callable
 * @property {string} name
 * @property {string | undefined} owner the interface, class or object that it is a member of
 * @property {boolean} isStatic
 * @property {boolean} isMissing whether it is a call that rejects always (`MissingCall`)
 * @property {Docs} docs
 * @property {Docs | undefined} ownerDocs
 * @property {readonly { readonly name: string, readonly type: string, readonly isOptional: boolean }[]} params
 * @property {string} typeParams as `<T extends object>`; empty for none
 * @property {string} result its type
 * @property {string} file its source, from the root
 */

/**
 * A property of an interface, class or object.
 *
 * @typedef {object} Property
 * @property {string} name
 * @property {string} type
 * @property {boolean} isOptional
 * @property {Docs} docs
 */

/**
 * An export. A function has `call`; what has methods has `methods`; what has members has `properties`.
 *
 * @typedef {object} Export
 * @property {string} name
 * @property {'function' | 'class' | 'interface' | 'type' | 'object' | 'value'} kind
 * @property {Docs} docs
 * @property {string} text its declaration, for types and values
 * @property {readonly Property[]} properties
 * @property {readonly Callable[]} methods
 * @property {Callable | undefined} call
 * @property {string} file its source, from the root
 */

/** @typedef {{ readonly name: string, readonly source: string, readonly exports: readonly Export[] }} Entry */

const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** Scripts that a page loads or a worker runs; nobody imports a name from them. */
const SCRIPTS = /^\.\/(classic\.js|coordinator|kernel|witness)$/;

/**
 * Entries that callers import, with the sources of their types. One that differs in Node is there twice. @returns {{
 * name: string, source: string }[]}
 */
export function entrySources() {
  return [
    ['pippin-prover', '.'],
    ['pippin-farm', 'farm'],
  ].flatMap(([name, folder]) => {
    const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return Object.entries(exports)
      .filter(([path]) => !SCRIPTS.test(path))
      .flatMap(([path, target]) =>
        typesOf(target).map((types) => ({
          name: path === '.' ? name : `${name}${path.slice(1)}`,
          source: join(folder, types.replace('./dist/types/', folder === 'farm' ? 'src/' : '').replace('.d.ts', '.ts')),
        })),
      );
  });
}

/** The files of types of an entry, those for pages first. @param {any} target @returns {string[]} */
function typesOf(target) {
  if (typeof target === 'string') return [];
  const own = typeof target.types === 'string' ? [target.types] : [];
  return [...own, ...(target.node === undefined ? [] : typesOf(target.node))];
}

/** What was read, which takes seconds. @type {Entry[] | undefined} */
let entries;

/** All entries. @returns {readonly Entry[]} */
export function readEntries() {
  entries ??= readKept();
  return entries;
}

/** As an earlier process has read them from the same sources, kept in build/public-api. @returns {Entry[]} */
function readKept() {
  const folder = join(root, 'build', 'public-api');
  const file = join(folder, hashOfSources());
  try {
    return deserialize(readFileSync(file));
  } catch {
    const made = readAnew();
    mkdirSync(folder, { recursive: true });
    // Processes may do so at the same time.
    writeFileSync(`${file}.${process.pid}`, serialize(made));
    renameSync(`${file}.${process.pid}`, file);
    return made;
  }
}

/** A hash of all that the entries are read from, and of what reads them. */
function hashOfSources() {
  const hash = createHash('sha256').update(ts.version);
  const sources = ['sdk', 'farm/src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const others = ['package.json', 'farm/package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const name of [...sources.sort(), ...others, 'scripts/docs/public-api.mjs']) {
    hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** @returns {Entry[]} */
function readAnew() {
  const sources = entrySources();
  const { config } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const program = ts.createProgram(
    sources.map(({ source }) => join(root, source)),
    { ...options, noEmit: true },
  );
  return sources.map(({ name, source }) => {
    const reader = new EntryReader(program.getTypeChecker());
    const file = program.getSourceFile(join(root, source));
    if (file === undefined) throw new Error(`expected the entry ${source}, got none`);
    return { name, source, exports: reader.read(file) };
  });
}

class EntryReader {
  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /** @param {ts.SourceFile} file @returns {Export[]} */
  read(file) {
    const module = this.checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : this.checker.getExportsOfModule(module);
    return symbols
      .filter(({ name }) => name !== 'default')
      .map((symbol) =>
        this.export(symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol, symbol.name),
      )
      .filter((one) => one !== undefined);
  }

  /**
   * Undefined for what another package declares. @param {ts.Symbol} symbol @param {string} name @returns {Export |
   * undefined}
   */
  export(symbol, name) {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) throw new Error(`expected a declaration of ${name}, got none`);
    const file = relative(root, declaration.getSourceFile().fileName).replaceAll('\\', '/');
    if (/^(dist|node_modules)\//.test(file)) return undefined;
    const docs = this.docs(symbol);
    const empty = { name, docs, file, text: declaration.getText(), properties: [], methods: [], call: undefined };
    if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) return this.value(symbol, empty);
    if (symbol.flags & ts.SymbolFlags.TypeAlias) return { ...empty, kind: 'type' };
    const type = this.checker.getDeclaredTypeOfSymbol(symbol);
    const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
    const statics = isClass ? [...(symbol.exports?.values() ?? [])].filter(({ name }) => name !== 'prototype') : [];
    const members = [...statics, ...this.checker.getPropertiesOfType(type)].filter(isOurs);
    const isMethod = (/** @type {ts.Symbol} */ { flags }) => (flags & ts.SymbolFlags.Method) !== 0;
    return {
      ...empty,
      kind: isClass ? 'class' : 'interface',
      properties: members.filter((member) => !isMethod(member)).map((member) => this.property(member)),
      methods: members
        .filter((member) => isMethod(member) && !member.name.startsWith('__@'))
        .map((member) => ({
          ...this.callable(member),
          owner: name,
          ownerDocs: docs,
          isStatic: statics.includes(member),
        })),
    };
  }

  /**
   * A function, an object of functions, or another value. @param {ts.Symbol} symbol @param {Omit<Export, 'kind'>} empty
   * @returns {Export}
   */
  value(symbol, empty) {
    const type = this.checker.getTypeOfSymbol(symbol);
    if (type.getCallSignatures().length > 0) {
      const call = this.callable(symbol);
      return { ...empty, docs: call.docs, kind: 'function', call };
    }
    const members = this.checker.getPropertiesOfType(type);
    const isCallable = (/** @type {ts.Symbol} */ member) =>
      this.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
    if (type.flags & ts.TypeFlags.NumberLike || !members.every(isCallable)) return { ...empty, kind: 'value' };
    const docs = empty.docs.text === '' ? this.docs(memberOfPattern(symbol, this.checker) ?? symbol) : empty.docs;
    const methods = members.map((member) => ({ ...this.callable(member), owner: empty.name, ownerDocs: docs }));
    return { ...empty, docs, kind: 'object', methods };
  }

  /** @param {ts.Symbol} symbol @returns {Property} */
  property(symbol) {
    const declaration = symbol.declarations?.[0];
    const written =
      declaration !== undefined && 'type' in declaration ? /** @type {any} */ (declaration).type : undefined;
    const type =
      written?.getText() ?? this.checker.typeToString(this.checker.getTypeOfSymbol(symbol), undefined, FORMAT);
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    return { name: symbol.name, type: type.replace(/\s+/g, ' '), isOptional, docs: this.docs(symbol) };
  }

  /** @param {ts.Symbol} symbol @returns {Callable} */
  callable(symbol) {
    const type = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol));
    const signature = type.getCallSignatures()[0];
    if (signature === undefined) throw new Error(`expected ${symbol.name} to be a function, got another value`);
    const declaration = signature.getDeclaration();
    const source = memberOfPattern(symbol, this.checker) ?? symbol;
    const own = this.docs(source);
    // A constant of a named function type has the docstring of that type.
    const docs = own.text === '' && type.aliasSymbol !== undefined ? this.docs(type.aliasSymbol) : own;
    const named = [...docs.params.keys()];
    const params = this.checker
      .signatureToSignatureDeclaration(
        signature,
        ts.SyntaxKind.FunctionType,
        undefined,
        ts.NodeBuilderFlags.NoTruncation,
      )
      ?.parameters.map((param, i) => ({
        name: ts.isIdentifier(param.name) && !param.name.text.startsWith('__') ? param.name.text : (named[i] ?? `${i}`),
        type: writtenType(declaration.parameters[i]) ?? print(param.type).replace(/ \| undefined$/, ''),
        isOptional: param.questionToken !== undefined,
      }));
    const result = this.checker.typeToString(signature.getReturnType(), undefined, FORMAT);
    const isWritten = declaration.type !== undefined && !/\b(Result|T)\b/.test(declaration.type.getText());
    return {
      name: symbol.name,
      owner: undefined,
      ownerDocs: undefined,
      isStatic: false,
      isMissing: result === 'Promise<never>',
      docs,
      params: params ?? [],
      typeParams:
        isWritten && declaration.typeParameters
          ? `<${declaration.typeParameters.map((one) => one.getText()).join(', ')}>`
          : '',
      result: isWritten ? /** @type {ts.TypeNode} */ (declaration.type).getText().replace(/\s+/g, ' ') : result,
      file: relative(root, (source.declarations?.[0] ?? declaration).getSourceFile().fileName).replaceAll('\\', '/'),
    };
  }

  /** @param {ts.Symbol} symbol @returns {Docs} */
  docs(symbol) {
    const tags = symbol
      .getJsDocTags(this.checker)
      .map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) }));
    const of = (/** @type {string} */ name) => tags.filter((tag) => tag.name === name).map(({ text }) => text.trim());
    return {
      text: ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim(),
      params: new Map(of('param').map((text) => [/^\S+/.exec(text)?.[0] ?? '', text.replace(/^\S+\s+(-\s+)?/, '')])),
      returns: of('returns')[0] ?? '',
      throws: of('throws').map((text) => {
        const [, code = '', when = ''] = /^\{?PippinError\}?\s+`?([A-Z_]+)`?\s*([\s\S]*)$/.exec(text) ?? [];
        return { code, when: when.replace(/\s+/g, ' ') };
      }),
      examples: of('example'),
      defaultValue: of('defaultValue')[0],
      isDeprecated: of('deprecated').length > 0,
    };
  }
}

/** Not private, and not inherited from the platform, as the members of Error are. @param {ts.Symbol} symbol */
function isOurs({ declarations = [] }) {
  return declarations.some(
    (declaration) =>
      !declaration.getSourceFile().fileName.includes('node_modules') &&
      !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private),
  );
}

/** The member that `export const { name } = object` takes. @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
function memberOfPattern(symbol, checker) {
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined || !ts.isBindingElement(declaration)) return undefined;
  return checker.getTypeAtLocation(declaration.parent).getProperty(symbol.name);
}

/**
 * The type of a parameter as its source has it, but for generic ones. @param {ts.ParameterDeclaration | undefined}
 * param
 */
function writtenType(param) {
  if (param?.type === undefined || param.dotDotDotToken !== undefined) return undefined;
  return param.type.getText().replace(/\s+/g, ' ');
}

const printer = ts.createPrinter({ removeComments: true });
const scratch = ts.createSourceFile('scratch.ts', '', ts.ScriptTarget.Latest);

/** @param {ts.TypeNode | undefined} node */
function print(node) {
  return node === undefined
    ? 'unknown'
    : printer.printNode(ts.EmitHint.Unspecified, node, scratch).replace(/\s+/g, ' ');
}
