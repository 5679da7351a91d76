import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const packageFiles = fileURLToPath(new URL('../../dist/', import.meta.url));

export default defineConfig({
  // Relative, so that the built page works in any folder of a server.
  base: './',
  resolve: {
    // In this repository the package is built and not installed. An application does not need these lines.
    alias: [
      { find: /^pippin-prover$/, replacement: `${packageFiles}index.js` },
      { find: /^pippin-prover\//, replacement: packageFiles },
    ],
  },
  // The package finds its workers and its WASM beside its own scripts, so a dev server must leave it whole.
  optimizeDeps: { exclude: ['pippin-prover'], include: ['comlink', 'idb-keyval', '@noble/hashes/sha2.js'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The page's content security policy has no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: { fs: { allow: [fileURLToPath(new URL('../..', import.meta.url))] } },
});
