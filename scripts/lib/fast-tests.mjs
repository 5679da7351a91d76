import { readImportGraph } from './import-graph.mjs';

/**
 * What makes a test slow: kernels, circuits with keys, other processes and threads, a browser, a GPU, Redis, bundlers.
 */
const SLOW = [
  /^tests\/support\/(assembly|circuits|example|example-browser|farm|in-process-engine|wasm|watched-gpu)\.ts$/,
  /^node:(child_process|worker_threads)$/,
  /^(assemblyscript|ioredis|playwright-core|rolldown|snarkjs|webgpu)$/,
];

/** Folders whose tests run programs or read what was built. */
const SLOW_FOLDERS = /^tests\/(campaigns|cli|docs|example|farm|scripts|sdk)\//;

/**
 * The tests for every save, `npm run test:fast`: those that import nothing slow, neither by themselves nor by their
 * helpers.
 */
export function fastTests() {
  const graph = readImportGraph(['tests']);
  return [...graph.keys()].filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !file.endsWith('.browser.test.ts') &&
      !SLOW_FOLDERS.test(file) &&
      !isSlow(graph, file, new Set()),
  );
}

/**
 * @param {import('./import-graph.mjs').ImportGraph} graph @param {string} file @param {Set<string>} seen @returns
 * {boolean}
 */
function isSlow(graph, file, seen) {
  if (SLOW.some((pattern) => pattern.test(file))) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return (graph.get(file) ?? []).some((imported) => isSlow(graph, imported, seen));
}
