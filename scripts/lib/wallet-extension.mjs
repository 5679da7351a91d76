import { join } from 'node:path';
import { root } from './run.mjs';
import { viteBuild } from './vite-build.mjs';

/** The example extension's sources. */
export const extensionFolder = join(root, 'examples', 'wallet-extension');

/** The browsers that it is built for. */
export const BROWSERS = /** @type {const} */ (['chromium', 'firefox']);

/** The example extension as built for a browser. @param {typeof BROWSERS[number]} browser */
export const extensionDist = (browser) => join(extensionFolder, 'dist', browser);

/** Builds the example extension for each browser from the built package. */
export async function buildExtension() {
  for (const browser of BROWSERS) await viteBuild(extensionFolder, '--mode', browser);
}
