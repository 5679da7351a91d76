import { execFileSync } from 'node:child_process';
import { root } from '../lib/run.mjs';

/**
 * What npm answers with on its standard output, run in the repository's root. Where npm has not started this script itself, the one on the
 * path is taken.
 *
 * @param {readonly string[]} args
 */
export function npm(args) {
  const script = process.env.npm_execpath;
  const options = /** @type {const} */ ({
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (script !== undefined) return execFileSync(process.execPath, [script, ...args], options);
  if (process.platform === 'win32') return execFileSync('cmd.exe', ['/c', 'npm', ...args], options);
  return execFileSync('npm', [...args], options);
}

/**
 * What `npm pack` would put into the package.
 *
 * @returns {{ files: { path: string, size: number }[], size: number, unpackedSize: number }}
 */
export function packed() {
  return JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts']))[0];
}
