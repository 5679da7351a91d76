import { defineConfig, type RolldownOptions } from 'rolldown';
import { wgslAsText } from './scripts/lib/wgsl.mjs';

/** What a page loads by URL, and its entry. */
const BROWSER_ENTRIES = {
  index: 'sdk/index.ts',
  extension: 'sdk/extension.ts',
  coordinator: 'workers/coordinator.ts',
  kernel: 'workers/kernel.ts',
  witness: 'workers/witness.ts',
};

/** What Node loads: its entry, the command line, and the scripts of its worker threads and of processes for further GPUs. */
const NODE_ENTRIES = {
  node: 'sdk/node.ts',
  cli: 'sdk/cli.ts',
  'coordinator-node': 'workers/coordinator-node.ts',
  'kernel-node': 'workers/kernel-node.ts',
  'witness-node': 'workers/witness-node.ts',
  'device-node': 'workers/device-node.ts',
};

/** Packages that are not bundled. */
const EXTERNAL = [/^node:/, /^idb-keyval/, 'webgpu'];

/**
 * All files lie in one folder, so that `new URL('./kernel.js', import.meta.url)` means the same from each. A page downloads code that its
 * scripts share once, in chunks. In Node each script is one file, with what it needs of comlink: every thread loads its files anew, and finding
 * and linking a file takes a thread longer than compiling it.
 */
export default defineConfig([
  bundleOf(BROWSER_ENTRIES, [...EXTERNAL, /^comlink/, /^@noble\/hashes/]),
  ...Object.entries(NODE_ENTRIES).map(([name, file]) => bundleOf({ [name]: file }, EXTERNAL)),
]);

function bundleOf(input: Record<string, string>, external: (string | RegExp)[]): RolldownOptions {
  return {
    input,
    external,
    platform: 'neutral',
    plugins: [wgslAsText],
    // Paths in source maps and comments name node_modules, wherever a link leads.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'], symlinks: false },
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name]-[hash].js',
      sourcemap: true,
    },
  };
}
