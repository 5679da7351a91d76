import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { type Browser, manifest } from './manifest.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes the manifest beside what was built. */
const withManifest = (browser: Browser): Plugin => ({
  name: 'extension-manifest',
  generateBundle() {
    const source = `${JSON.stringify(manifest(browser), undefined, 2)}\n`;
    this.emitFile({ type: 'asset', fileName: 'manifest.json', source });
  },
});

/** The browser is Vite's mode: `vite build --mode chromium` or `--mode firefox`. */
export default defineConfig(({ mode }) => {
  const browser: Browser = mode === 'firefox' ? 'firefox' : 'chromium';
  const entries: Record<string, string> =
    browser === 'chromium'
      ? { background: here('src/background.ts'), offscreen: here('offscreen.html') }
      : { background: here('src/background-page.ts') };
  return {
    root: here('.'),
    // In this repository the package is built and not installed. An application does not need this line.
    resolve: { alias: { 'pippin-prover/extension': here('../../dist/extension.js') } },
    worker: { format: 'es' },
    publicDir: here('public'),
    plugins: [withManifest(browser)],
    build: {
      target: browser === 'chromium' ? 'chrome116' : 'firefox128',
      outDir: here(`dist/${browser}`),
      // The policy has no data: URLs.
      assetsInlineLimit: 0,
      // The manifest names the background script, and a service worker has no document to preload into.
      modulePreload: false,
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input: { popup: here('popup.html'), ...entries },
        output: { entryFileNames: '[name].js' },
      },
    },
  };
});
