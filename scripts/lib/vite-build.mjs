import { commandOf, mustRun } from './run.mjs';

/** Builds a page by Vite, as its folder configures it. @param {string} folder @param {...string} more arguments */
export function viteBuild(folder, ...more) {
  const level = more.includes('--logLevel') ? [] : ['--logLevel', 'warn'];
  return mustRun(process.execPath, [commandOf('vite'), 'build', folder, ...more, ...level]);
}
