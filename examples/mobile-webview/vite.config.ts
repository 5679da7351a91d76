import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const dist = (file: string): string => fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));

export default defineConfig({
  // Relative, so that the app may serve the built page under any path of its assets.
  base: './',
  // In this repository the package is built and not installed. An application does not need these lines.
  resolve: {
    alias: { 'pippin-prover/webview-client': dist('webview-client.js'), 'pippin-prover/webview': dist('webview.js') },
  },
  // The package finds its workers and its WASM beside its own scripts, so a dev server must leave it whole.
  optimizeDeps: { exclude: ['pippin-prover'], include: ['comlink', 'idb-keyval', '@noble/hashes/sha2.js'] },
  worker: { format: 'es' },
  build: {
    // Android's WebView is updated with Chrome; WKWebView with iOS: Safari 16.4 has all that is used.
    target: ['chrome112', 'safari16.4'],
    // The page's content security policy has no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: { fs: { allow: [fileURLToPath(new URL('../..', import.meta.url))] } },
});
