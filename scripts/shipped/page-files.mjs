import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';

/** The list of the files that a page may ask for. */
export const PAGE_FILES = 'dist/assets.json';

/**
 * Writes which files a site copies to a folder of its own, where its bundler does not find them: all scripts for a page, with their chunks,
 * and the WASM of every curve.
 *
 * @param {readonly string[]} scripts the names of the scripts that were bundled for a page
 */
export function writePageFiles(scripts) {
  const modules = Object.keys(JSON.parse(readFileSync(join(root, 'wasm/generated/modules.json'), 'utf8')));
  const files = [...scripts, ...modules.map((name) => `${name}.wasm`)].sort();
  writeFileSync(join(root, PAGE_FILES), `${JSON.stringify({ files })}\n`);
}
