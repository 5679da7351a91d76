import { defineConfig } from 'rolldown';
import { wgslAsText } from './scripts/lib/wgsl.mjs';

/**
 * One file for each thing that a page or a Node process loads by URL (`index`, `node`, `cli` and the workers), shared
 * code in chunks beside them. All of them lie in one folder, so that `new URL('./kernel.js', import.meta.url)` means
 * the same from whichever chunk it is read.
 */
export default defineConfig({
  input: {
    index: 'sdk/index.ts',
    node: 'sdk/node.ts',
    cli: 'sdk/cli.ts',
    coordinator: 'workers/coordinator.ts',
    kernel: 'workers/kernel.ts',
    witness: 'workers/witness.ts',
    'coordinator-node': 'workers/coordinator-node.ts',
    'kernel-node': 'workers/kernel-node.ts',
    'witness-node': 'workers/witness-node.ts',
  },
  platform: 'neutral',
  external: [/^node:/, /^comlink/, /^idb-keyval/, 'webgpu'],
  plugins: [wgslAsText],
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
    sourcemap: true,
  },
});
