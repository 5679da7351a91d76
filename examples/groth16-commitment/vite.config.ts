import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The headers that make a page cross-origin isolated. Pippin does not need them; they are here to try it with them as well. */
const isolation = process.env.PIPPIN_ISOLATED
  ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
  : {};

export default defineConfig({
  // Relative, so that the built page works in any folder of a server.
  base: './',
  // In this repository the package is built and not installed. An application does not need this line.
  resolve: { alias: { 'pippin-prover': fileURLToPath(new URL('../../dist/index.js', import.meta.url)) } },
  // The package finds its workers and its WASM beside its own scripts, so a dev server must leave it whole.
  optimizeDeps: { exclude: ['pippin-prover'], include: ['comlink', 'idb-keyval', '@noble/hashes/sha2.js'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The page's content security policy has no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: { headers: isolation, fs: { allow: [fileURLToPath(new URL('../..', import.meta.url))] } },
  preview: { headers: isolation },
});
