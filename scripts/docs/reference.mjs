import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { root, SetupError } from '../lib/run.mjs';
import { anchorOf, errorCodes, errorPage } from './errors.mjs';

/** The folder of the pages that are made from the sources. It is not kept in the repository. */
export const referenceFolder = join(root, 'docs', 'api');

/** Entries of the package that callers import, and the sources of their types, from package.json. @returns {Map<string, string>} */
export function entrySources() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sources = new Map();
  for (const [name, target] of Object.entries(exports)) {
    const types = typesOf(target);
    // Scripts of workers have types as well, but are not called.
    const source = /^\.\/dist\/types\/(sdk\/.+)\.d\.ts$/.exec(types ?? '')?.[1];
    if (source !== undefined)
      sources.set(name === '.' ? 'pippin-prover' : `pippin-prover${name.slice(1)}`, `${source}.ts`);
  }
  return sources;
}

/** The types for browsers, of an entry that has others for Node. @param {any} target @returns {string | undefined} */
function typesOf(target) {
  if (typeof target === 'string') return undefined;
  return typeof target.types === 'string' ? target.types : typesOf(target.default ?? '');
}

/** Writes the reference of the API and the table of errors. */
export async function writeReference() {
  rmSync(referenceFolder, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...entrySources().values(), 'sdk/node.ts', 'farm/src/index.ts'].map((source) => join(root, source)),
    tsconfig: join(root, 'tsconfig.build.json'),
    basePath: join(root, 'sdk'),
    name: 'API reference',
    plugin: ['typedoc-plugin-markdown'],
    out: referenceFolder,
    readme: 'none',
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    skipErrorChecking: true,
    sort: ['source-order'],
    logLevel: 'Error',
    ...markdownOptions,
  });
  const project = await app.convert();
  if (project === undefined) throw new SetupError('expected a reference from the docstrings, got errors of TypeDoc');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new SetupError('TypeDoc ended with errors');
  linkCodes();
  writeFileSync(join(referenceFolder, 'errors.md'), errorPage());
}

/** Makes the error codes in all descriptions links to what they mean. */
function linkCodes() {
  const codes = errorCodes().map(({ code }) => code);
  const named = new RegExp(`(?<!\\[)\`(${codes.join('|')})\``, 'g');
  for (const name of readdirSync(referenceFolder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue;
    const path = join(referenceFolder, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(named, (code, word) => `[${code}](/api/errors#${anchorOf(word)})`),
    );
  }
}

/** Options of typedoc-plugin-markdown. */
const markdownOptions = {
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  // Angle brackets of types are no elements of a page.
  useHTMLEncodedBrackets: true,
};
