import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

/** The newest source of the MSM library `montgomery`; the npm package is older, has one thread and BLS12-381 alone. */
const REPOSITORY = 'https://github.com/mitschabaude/montgomery';
const COMMIT = '451ad840378fda631b112b09a93d3c67a90ec5a8';
const FETCH_TIMEOUT_MS = 60_000;

/**
 * Where its TypeScript lies: in the checkout that PIPPIN_MONTGOMERY names, or in one that is made under build/.
 * undefined where there is neither, such as without a network.
 */
export async function montgomerySource() {
  const named = process.env.PIPPIN_MONTGOMERY;
  const folder = named ?? join(root, 'build', 'bench', 'montgomery');
  if (named === undefined && !existsSync(folder) && !(await fetchInto(folder))) return undefined;
  return join(folder, 'src');
}

/** @param {string} folder */
async function fetchInto(folder) {
  console.log(`Fetching ${REPOSITORY}, a peer to measure beside us; it is not kept with the project ...`);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const git = async (/** @type {string[]} */ ...args) =>
    (await run('git', ['-C', unfinished, ...args], { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(
      () => 1,
    )) === 0;
  const fetched =
    (await git('init', '-q')) &&
    (await git('fetch', '-q', '--depth', '1', REPOSITORY, COMMIT)) &&
    (await git('checkout', '-q', 'FETCH_HEAD'));
  if (fetched) renameSync(unfinished, folder);
  else rmSync(unfinished, { recursive: true, force: true });
  return fetched;
}
