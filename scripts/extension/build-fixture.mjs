import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { exampleFolder } from '../lib/example.mjs';
import { root } from '../lib/run.mjs';

const FIXTURE = fileURLToPath(new URL('./fixture/', import.meta.url));
const KEY = join(exampleFolder, 'key');

/** The id of the extension in Firefox. */
export const FIXTURE_ID = 'ports@pippin.example';

const SCRIPTS = {
  chromium: ['page.html', 'offscreen.html', 'background.js'],
  firefox: ['page.html', 'background-page.js'],
};

/** @type {Record<keyof typeof SCRIPTS, object>} */
const MANIFESTS = {
  chromium: {
    permissions: ['offscreen'],
    background: { service_worker: 'background.js', type: 'module' },
  },
  firefox: {
    background: { scripts: ['background-page.js'], type: 'module' },
    browser_specific_settings: { gecko: { id: FIXTURE_ID } },
  },
};

/**
 * Builds an extension whose pages have a `prover` for the driver, and the example's key.
 *
 * @param {keyof typeof SCRIPTS} browser
 * @param {string} folder
 */
export async function buildFixture(browser, folder) {
  const input = Object.fromEntries(SCRIPTS[browser].map((name) => [name.replace(/\..*/, ''), join(FIXTURE, name)]));
  await build({
    configFile: false,
    root: FIXTURE,
    logLevel: 'error',
    resolve: { alias: { 'pippin-prover/extension': join(root, 'dist', 'extension.js') } },
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      minify: false,
      rolldownOptions: { input, treeshake: { moduleSideEffects: true }, output: { entryFileNames: '[name].js' } },
    },
  });
  const manifest = {
    manifest_version: 3,
    name: "Pippin's ports, tried",
    version: '1.0',
    content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" },
    ...MANIFESTS[browser],
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  for (const name of ['note.zkey', 'note.wasm', 'input.json']) copyFileSync(join(KEY, name), join(folder, name));
}
