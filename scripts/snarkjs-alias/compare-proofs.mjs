import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/run.mjs';
import { BOTH, cacheFolder, install, median, scratch } from './places.mjs';

/** The packages of the trial, with those that bring keys. */
const PACKAGES = {
  '@pcd/gpc': '0.4.1',
  '@pcd/pod': '0.5.1',
  '@pcd/proto-pod-gpc-artifacts': '0.13.0',
  '@semaphore-protocol/group': '4.14.3',
  '@semaphore-protocol/identity': '4.14.3',
  '@semaphore-protocol/proof': '4.14.3',
  '@unirep/circuits': '2.0.0',
  '@zk-kit/semaphore-artifacts': '4.13.0',
};

const LATER_PROOFS = 3;
/** A process that has not ended by then counts as hanging. */
const PROCESS_MS = 5 * 60_000;

/** @typedef {Record<import('./places.mjs').Used, string>} Folders */

/**
 * Proves and verifies with libraries that call snarkjs, used as their documentation shows, in alternation with snarkjs
 * and with Pippin in its place, and gives the rows of a table: milliseconds of the first proof and of later ones.
 *
 * @param {string} tarball of Pippin
 * @param {number} rounds
 */
export async function compareProofs(tarball, rounds) {
  /** @type {Folders} */
  const folders = { snarkjs: join(scratch, 'snarkjs'), pippin: join(scratch, 'pippin') };
  for (const used of BOTH) installTrial(folders[used], used, tarball);
  const { LIBRARIES } = await import('./trial/libraries.mjs');
  const rows = [['Library', 'Version', 'first: snarkjs', 'Pippin', 'ratio', 'later: snarkjs', 'Pippin', 'ratio']];
  for (const name of Object.keys(LIBRARIES)) {
    const version = PACKAGES[/** @type {keyof typeof PACKAGES} */ (name)];
    rows.push([name, version, ...(await compare(name, folders, rounds))]);
  }
  return rows;
}

/**
 * Installs the packages and the trial's files. @param {string} folder @param {import('./places.mjs').Used} used @param
 * {string} tarball
 */
function installTrial(folder, used, tarball) {
  install(folder, used, tarball, { name: 'trial', type: 'module', dependencies: PACKAGES });
  const trial = join(root, 'scripts', 'snarkjs-alias', 'trial');
  for (const file of readdirSync(trial)) copyFileSync(join(trial, file), join(folder, file));
}

/**
 * @param {string} name
 * @param {Folders} folders
 * @param {number} rounds
 */
async function compare(name, folders, rounds) {
  /** @type {Record<import('./places.mjs').Used, { first: number, later: number }[]>} */
  const times = { snarkjs: [], pippin: [] };
  for (let round = 0; round < rounds; round++) {
    for (const used of BOTH) {
      const { first, later } = await measure(name, used, folders[used]);
      times[used].push({ first, later: median(later) });
    }
  }
  return /** @type {const} */ (['first', 'later']).flatMap((which) => {
    const [snarkjs, pippin] = BOTH.map((used) => median(times[used].map((each) => each[which])));
    return [snarkjs.toFixed(0), pippin.toFixed(0), `${(snarkjs / pippin).toFixed(1)}x`];
  });
}

/** A process of its own, which must end by itself. @param {string} name @param {string} used @param {string} folder */
async function measure(name, used, folder) {
  const args = ['measure.mjs', name, used, String(LATER_PROOFS)];
  const options = { cwd: folder, env: { ...process.env, XDG_CACHE_HOME: cacheFolder }, timeout: PROCESS_MS };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}
