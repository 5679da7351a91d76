import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';
import { npm } from '../release/npm.mjs';

/** The version of snarkjs that is compared. */
const SNARKJS = '0.7.6';

export const scratch = join(root, 'build', 'snarkjs-alias');
/** Where Pippin keeps prepared keys during the trials. */
export const cacheFolder = join(scratch, 'cache');

/** What a library calls: snarkjs, or Pippin in its place. @typedef {'snarkjs' | 'pippin'} Used */
export const BOTH = /** @type {const} */ (['snarkjs', 'pippin']);

/** Begins without prepared keys. */
export function clearCache() {
  rmSync(cacheFolder, { recursive: true, force: true });
}

/**
 * Writes a folder's package.json, and installs what it names, with snarkjs itself or with Pippin in its place, as
 * docs/moving-from-snarkjs.md tells applications in Node.
 *
 * @param {string} folder
 * @param {Used} used
 * @param {string} tarball of Pippin
 * @param {{ dependencies: Record<string, string> } & Record<string, unknown>} content of package.json
 */
export function install(folder, used, tarball, content) {
  mkdirSync(folder, { recursive: true });
  const chosen =
    used === 'snarkjs' ? { snarkjs: SNARKJS } : { snarkjs: 'file:stand-in', 'pippin-prover': `file:${tarball}` };
  if (used === 'pippin') {
    const standIn = join(root, 'tests', 'consumers', 'alias', 'stand-in', 'stand-in');
    cpSync(standIn, join(folder, 'stand-in'), { recursive: true });
  }
  // All copies of snarkjs are of one version, so that one is compared.
  const dependencies = { ...content.dependencies, ...chosen };
  const whole = { ...content, private: true, dependencies, overrides: { snarkjs: '$snarkjs' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(whole, null, 2));
  console.log(`Installing in ${folder} ...`);
  npm(['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']);
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}
