import { defineConfig, type OutputOptions, type RolldownOptions } from 'rolldown';
import { flatImports } from './scripts/lib/flat-imports.mjs';
import { plainQuotes } from './scripts/lib/plain-quotes.mjs';
import { wgslAsText } from './scripts/lib/wgsl.mjs';

/** What a page loads by URL, and its entry. */
const BROWSER_ENTRIES = {
  index: 'sdk/index.ts',
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

/** All that is not bundled: a browser resolves no bare names, in a worker not even by an import map. */
const EXTERNAL = [/^node:/, 'webgpu'];

/**
 * All files lie in one folder, so that `new URL('./kernel.js', import.meta.url)` means the same from each. A page downloads code that its
 * scripts share once, in chunks, and minified, since no bundler does that to files which a site copies. In Node each script is one file: every
 * thread loads its files anew, and finding and linking a file takes a thread longer than compiling it.
 */
export default defineConfig([
  bundleOf(BROWSER_ENTRIES, { minify: true, plugins: [plainQuotes, flatImports] }),
  ...Object.entries(NODE_ENTRIES).map(([name, file]) => bundleOf({ [name]: file })),
]);

function bundleOf(input: Record<string, string>, output: OutputOptions = {}): RolldownOptions {
  return {
    input,
    external: EXTERNAL,
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
      ...output,
    },
  };
}
