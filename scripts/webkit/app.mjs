import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveFolder } from '../lib/static-server.mjs';
import { webviewDist } from '../lib/webview-example.mjs';
import { webkitHandler } from '../webview/bridges.mjs';
import { NativeApp } from '../webview/native-app.mjs';

/** How often the page is asked for its messages, in milliseconds. */
const ASK_MS = 20;

/**
 * A stand-in for an app on iOS that shows the example's page for webviews. WebDriver cannot add a script to a page
 * before its own ones run, so the page is served with the bridge in it, which keeps what the page sends until it is
 * asked for.
 *
 * @param {import('./web-driver.mjs').WebDriverSession} session
 */
export async function openApp(session) {
  const folder = await mkdtemp(join(tmpdir(), 'pippin-webkit-app-'));
  const served = { '/index.html': join(folder, 'index.html'), '/bridge.js': join(folder, 'bridge.js') };
  const page = await readFile(join(webviewDist, 'index.html'), 'utf8');
  await writeFile(served['/index.html'], page.replace('<head>', '<head><script src="./bridge.js"></script>'));
  const sent = 'globalThis.sent = []; globalThis.toApp = (text) => sent.push(text);';
  await writeFile(served['/bridge.js'], `${sent}\n(${webkitHandler.add})();\n`);
  const server = await serveFolder(webviewDist, { instead: async (path) => served[path] });

  const app = new NativeApp(session, undefined, webkitHandler);
  app.address = `${server.url}index.html`;
  let isOpen = true;
  const asking = (async () => {
    while (isOpen) {
      // Between two pages there is nothing to ask.
      const texts = await session.evaluate(() => globalThis.sent?.splice(0) ?? []).catch(() => []);
      for (const text of texts) app.messages.push(JSON.parse(text));
      await session.waitForTimeout(ASK_MS);
    }
  })();
  return {
    app,
    close: async () => {
      isOpen = false;
      await asking;
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
