import { SetupError } from '../lib/run.mjs';

/** Three numbers and, for a version before a release, a name: `1.2.3`, `1.2.3-beta.1` (semver.org, without build metadata). */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Fails unless `next` is a version that may follow `current`: a greater one, or the same when that one has not been released. Of two
 * versions with the same numbers the one without a name is the greater; names are not compared.
 *
 * @param {string | undefined} next
 * @param {string} current
 */
export function checkVersion(next, current) {
  const wanted = VERSION.exec(next ?? '');
  if (wanted === null) throw new SetupError(`expected a version such as 1.2.3, got ${next ?? 'none'}`);
  const present = VERSION.exec(current);
  if (present === null) throw new SetupError(`expected a version such as 1.2.3 in package.json, got ${current}`);
  for (const part of [1, 2, 3]) {
    const difference = Number(wanted[part]) - Number(present[part]);
    if (difference > 0) return;
    if (difference < 0) throw new SetupError(`expected a version of ${current} or later, got ${next}`);
  }
  if (wanted[4] !== undefined && present[4] === undefined) {
    throw new SetupError(`expected a version of ${current} or later, got ${next}`);
  }
}

/**
 * The text of a package.json with another version, pippin-farm's with that of the SDK which it needs. The rest stays as it is, which npm would format
 * anew.
 *
 * @param {string} manifest
 * @param {string} version
 */
export function setManifestVersion(manifest, version) {
  return replaceVersions(manifest, version, 1);
}

/**
 * The text of package-lock.json with another version of the package itself, which stands there twice, and of pippin-farm, which comes next.
 *
 * @param {string} lock
 * @param {string} version
 */
export function setLockVersion(lock, version) {
  return replaceVersions(lock, version, 3);
}

/**
 * @param {string} text
 * @param {string} version
 * @param {number} times how many of the first versions in the text are replaced
 */
function replaceVersions(text, version, times) {
  let left = times;
  return text
    .replace(/"version": "[^"]*"/g, (found) => (left-- > 0 ? `"version": "${version}"` : found))
    .replace(/("pippin-prover": )"\d[^"]*"/, `$1"${version}"`);
}
