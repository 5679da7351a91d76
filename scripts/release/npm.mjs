import { execFileSync } from 'node:child_process';
import { root } from '../lib/run.mjs';

/**
 * What npm answers with on its standard output. Where npm has not started this script itself, the one on the path is taken.
 *
 * @param {readonly string[]} args
 * @param {string} [folder] where it runs; by default the repository's root
 */
export function npm(args, folder = root) {
  const script = process.env.npm_execpath;
  const options = /** @type {const} */ ({
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (script !== undefined) return execFileSync(process.execPath, [script, ...args], options);
  if (process.platform === 'win32') return execFileSync('cmd.exe', ['/c', 'npm', ...args], options);
  return execFileSync('npm', [...args], options);
}

/**
 * What `npm pack` would put into the package of a folder.
 *
 * @param {string} folder
 * @returns {{ files: { path: string, size: number }[], size: number, unpackedSize: number }}
 */
export function packed(folder) {
  return JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], folder))[0];
}
