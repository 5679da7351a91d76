import { join } from 'node:path';
import { root } from './run.mjs';
import { serveFolder } from './static-server.mjs';
import { viteBuild } from './vite-build.mjs';

/** The benchmark page's sources. */
export const benchmarkFolder = join(root, 'examples', 'benchmark');

/** The benchmark page as built. */
export const benchmarkDist = join(benchmarkFolder, 'dist');

/** Builds the benchmark page from the built package. */
export async function buildBenchmarkPage() {
  await viteBuild(benchmarkFolder);
}

/**
 * Files that are offered beside the built page and are no part of it: snarkjs, which is under the GPL, from the
 * development packages, and the document that runs it.
 *
 * @param {string} path of an address
 */
export async function snarkjsFile(path) {
  if (path === '/snarkjs/snarkjs.min.js') return join(root, 'node_modules', 'snarkjs', 'build', 'snarkjs.min.js');
  if (path.startsWith('/snarkjs/frame.')) return join(benchmarkFolder, path.slice(1));
  return undefined;
}

/** Serves the built page, with snarkjs beside it. @param {{ port?: number, isolated?: boolean }} [options] */
export function serveBenchmarkPage(options = {}) {
  return serveFolder(benchmarkDist, { ...options, instead: snarkjsFile });
}
