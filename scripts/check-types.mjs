import { resolve } from 'node:path';
import ts from 'typescript';
import { root, runMain } from './lib/run.mjs';

/**
 * Checks the types of several projects, as `tsc --noEmit` does each:
 *
 *     node scripts/check-types.mjs FOLDER ...
 *
 * What they have in common, which is most of what a small one has, is read once.
 */
await runMain(async () => {
  /** @type {Map<string, ts.SourceFile | undefined>} */
  const parsed = new Map();
  const found = process.argv.slice(2).flatMap((folder) => diagnosticsOf(resolve(folder), parsed));
  const names = { getCanonicalFileName: (/** @type {string} */ name) => name, getNewLine: () => ts.sys.newLine };
  const host = { ...names, getCurrentDirectory: () => root };
  if (found.length > 0) console.error(ts.formatDiagnosticsWithColorAndContext(found, host));
  return found.length > 0 ? 1 : 0;
});

/**
 * @param {string} folder that has a tsconfig.json
 * @param {Map<string, ts.SourceFile | undefined>} parsed what was read so far, by path
 * @returns {readonly ts.Diagnostic[]}
 */
function diagnosticsOf(folder, parsed) {
  const onUnRecoverableConfigFileDiagnostic = (/** @type {ts.Diagnostic} */ diagnostic) => {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
  };
  const config = ts.getParsedCommandLineOfConfigFile(
    resolve(folder, 'tsconfig.json'),
    { noEmit: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  );
  if (config === undefined) throw new Error(`expected a tsconfig.json in ${folder}, got none`);
  const host = ts.createCompilerHost(config.options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram(config.fileNames, config.options, host);
  return [...config.errors, ...ts.getPreEmitDiagnostics(program)];
}
