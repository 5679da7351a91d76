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

/** The most that the package may take. Who installs it or opens it on a CDN pays for each. */
export const LIMITS = { files: 159, packedBytes: 1_540_000, unpackedBytes: 4_680_000 };

/**
 * Fails if the package has more files or bytes than `LIMITS` allow.
 *
 * @param {{ files: number, packedBytes: number, unpackedBytes: number }} size
 */
export function checkSize(size) {
  for (const [name, limit] of Object.entries(LIMITS)) {
    const got = size[/** @type {keyof typeof LIMITS} */ (name)];
    if (got > limit) throw new SetupError(`expected a package of at most ${limit} ${WORDS[name]}, got ${got}`);
  }
}

/** @type {Record<string, string>} */
const WORDS = { files: 'files', packedBytes: 'bytes packed', unpackedBytes: 'bytes unpacked' };

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
 * The files that package.json points to by its entries, those for tools that read no `exports` included.
 *
 * @param {Record<string, unknown>} manifest
 */
function targets({ main, module, browser, unpkg, jsdelivr, types, bin, exports, sideEffects }) {
  const entries = [main, module, browser, unpkg, jsdelivr, types];
  return [...entries, bin, exports, sideEffects].flatMap(strings).map((path) => path.replace(/^\.\//, ''));
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
