import { commandOf, mustRun } from './run.mjs';

/** Builds a page by Vite, as its folder configures it. @param {string} folder @param {...string} more arguments */
export function viteBuild(folder, ...more) {
  return mustRun(process.execPath, [commandOf('vite'), 'build', folder, ...more, '--logLevel', 'warn']);
}
