import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const packageFiles = fromHere('../../dist/');

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
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The page's content security policy has no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    // A worker starts with the second script, where there is no document to put a preload in.
    modulePreload: false,
    rollupOptions: {
      input: { index: fromHere('index.html'), 'key-maker': fromHere('../../bench/page-key/key-maker.worker.ts') },
      output: { entryFileNames: ({ name }) => (name === 'key-maker' ? '[name].js' : 'assets/[name]-[hash].js') },
    },
  },
});
