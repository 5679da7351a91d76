import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // Relative, so that the built page works in any folder of a server.
  base: './',
  // In this repository the package is built and not installed. An application does not need this line.
  resolve: { alias: { 'pippin-prover/ceremony': fromHere('../../dist/ceremony.js') } },
  // The package finds its workers and its WASM beside its own scripts, so a dev server must leave it whole.
  optimizeDeps: { exclude: ['pippin-prover'], include: ['idb-keyval'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The page's content security policy has no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: { fs: { allow: [fromHere('../..')] } },
});
