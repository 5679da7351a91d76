import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, SetupError } from '../lib/run.mjs';

/** Packs what `npm publish` would, from the present dist/, and gives the tarball's path. @param {string} folder where it is to lie */
export function pack(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new SetupError(`npm pack failed: ${stderr}`);
  return join(folder, JSON.parse(stdout)[0].filename);
}
