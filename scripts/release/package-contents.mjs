import { SetupError } from '../lib/run.mjs';
import { PAGE_FILES } from '../shipped/page-files.mjs';
import { LICENCES, SBOM } from '../shipped/write-shipped.mjs';

/** Files that npm adds, or that package.json names one by one. */
const NAMED = ['package.json', 'README.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
/** What a build gives: scripts and WASM in one folder, classic scripts in another, and bundled types. */
const SDK = {
  // Those that say what ships.
  named: [...NAMED, SBOM, LICENCES, PAGE_FILES],
  built:
    /^dist\/(?:[^/.][^/]*\.(?:js|wasm)|classic\/[a-z]+\.js|types\/(?:sdk|workers|shared)\/(?:[^/.][^/]*\/)*[^/.][^/]*\.d\.ts)$/,
};
const FARM = {
  named: NAMED,
  built: /^dist\/(?:[^/.][^/]*\.js|types\/(?:[^/.][^/]*\/)*[^/.][^/]*\.d\.ts)$/,
};

/**
 * Fails unless the package holds every file that package.json points to, and nothing but what a build gives.
 *
 * @param {readonly string[]} paths of the files of the package
 * @param {Record<string, unknown>} manifest package.json
 */
export function checkContents(paths, manifest) {
  const { named, built } = manifest.name === 'pippin-farm' ? FARM : SDK;
  const missing = [...named, ...targets(manifest)].filter((path) => !paths.includes(path));
  if (missing.length > 0) throw new SetupError(`expected these files in the package: ${missing.join(', ')}`);
  const surplus = paths.filter((path) => !named.includes(path) && !built.test(path));
  if (surplus.length > 0) throw new SetupError(`expected only built files in the package, got ${surplus.join(', ')}`);
}

/**
 * The files that package.json points to by `types`, `bin`, `exports` and `sideEffects`.
 *
 * @param {Record<string, unknown>} manifest
 */
function targets({ types, bin, exports, sideEffects }) {
  return [types, bin, exports, sideEffects].flatMap(strings).map((path) => path.replace(/^\.\//, ''));
}

/**
 * All strings in a value of JSON.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
function strings(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
