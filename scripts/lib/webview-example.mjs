import { join } from 'node:path';
import { commandOf, mustRun, root } from './run.mjs';
import { viteBuild } from './vite-build.mjs';

/** The sources of the page for webviews. */
export const webviewFolder = join(root, 'examples', 'mobile-webview');

/** The page as built, which an app takes among its assets. */
export const webviewDist = join(webviewFolder, 'dist');

/** Checks its types and builds it from the built package. */
export async function buildWebviewExample() {
  await mustRun(process.execPath, [commandOf('typescript-7', 'tsc'), '--noEmit', '-p', webviewFolder]);
  await viteBuild(webviewFolder);
}
