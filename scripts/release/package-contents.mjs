import { SetupError } from '../lib/run.mjs';

/** Files that npm adds, or that package.json names one by one. */
const TOP_LEVEL = ['package.json', 'README.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
/** What a build gives: scripts with their source maps, types, and WASM. */
const BUILT = /^dist\/(?:[^/.][^/]*\/)*[^/.][^/]*\.(?:js|js\.map|d\.ts|wasm)$/;

/**
 * Fails unless the package holds every file that package.json points to, and nothing but what a build gives.
 *
 * @param {readonly string[]} paths of the files of the package
 * @param {Record<string, unknown>} manifest package.json
 */
export function checkContents(paths, manifest) {
  const missing = [...TOP_LEVEL, ...targets(manifest)].filter((path) => !paths.includes(path));
  if (missing.length > 0) throw new SetupError(`expected these files in the package: ${missing.join(', ')}`);
  const surplus = paths.filter((path) => !TOP_LEVEL.includes(path) && !BUILT.test(path));
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
