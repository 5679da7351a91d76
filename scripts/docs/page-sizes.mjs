import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The most that a page transfers, compressed by gzip, with the site's scripts, styles and its pictures. */
const MOST_BYTES = 130_000;

/**
 * What each page makes a browser fetch at a first visit: itself, and what its HTML names of the site.
 *
 * @param {string} folder of the built pages
 * @param {ReadonlyMap<string, string>} pages their HTML by their path
 * @param {string} base the folder of the server where they will lie
 * @returns {{ page: string, bytes: number }[]} the largest first
 */
export function pageSizes(folder, pages, base) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  const sizeOf = (/** @type {string} */ path) => {
    const file = join(folder, path);
    const size = sizes.get(path) ?? (existsSync(file) ? gzipSync(readFileSync(file)).length : 0);
    sizes.set(path, size);
    return size;
  };
  return [...pages]
    .map(([page, html]) => {
      const named = [...html.matchAll(/<(?:script|link|img)\b[^>]*\s(?:src|href)="([^":#]+)"/g)];
      const paths = named.map(([, path = '']) => new URL(path, `http://docs${base}${page.slice(1)}`).pathname);
      const parts = [...new Set(paths)].map((path) => sizeOf(path.replace(base, '/')));
      return { page, bytes: parts.reduce((sum, size) => sum + size, sizeOf(page)) };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

/** The pages that are larger than they may be. @param {ReturnType<typeof pageSizes>} sizes */
export function sizeErrors(sizes) {
  return sizes
    .filter(({ bytes }) => bytes > MOST_BYTES)
    .map(({ page, bytes }) => `${page}: transfers ${bytes} bytes (gzip), expected at most ${MOST_BYTES}`);
}
