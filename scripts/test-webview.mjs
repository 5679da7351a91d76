import { build } from './build.mjs';
import { plainFlags } from './lib/chromium.mjs';
import { runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { Trials } from './lib/trials.mjs';
import { buildWebviewExample, webviewDist } from './lib/webview-example.mjs';

/**
 * `npm run test:webview`: the page of examples/mobile-webview in headless Chromium as a webview has it, with an app
 * that this script plays through the bridges of Android, WKWebView and react-native-webview. `-- TEXT ...` runs the
 * trials with one of the texts in their names.
 */

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const { chromium, chromiumFlags } = await setUp({ vulkan: false });
  console.log('Building the package and the page ...');
  await build();
  await buildWebviewExample();

  // Not before set-up: packages may only now have been installed.
  const [{ TRIALS }, { makeVerifier }, { interceptAssetOrigin }, { NativeApp }, { launch }] = await Promise.all([
    import('./webview/trials.mjs'),
    import('./webview/check.mjs'),
    import('./webview/asset-origin.mjs'),
    import('./webview/native-app.mjs'),
    import('puppeteer-core'),
  ]);
  const origin = await interceptAssetOrigin(webviewDist);
  const verifier = await makeVerifier();
  /** Some trials need WebGPU, others a Chromium as it comes. */
  const launched = { plain: undefined, webgpu: undefined };
  const browserFor = async (/** @type {'plain' | 'webgpu'} */ kind) => {
    const flags = kind === 'webgpu' ? chromiumFlags : plainFlags();
    launched[kind] ??= await launch({ executablePath: chromium, args: [...flags, ...origin.flags] });
    return /** @type {import('puppeteer-core').Browser} */ (launched[kind]);
  };

  const isWanted = (/** @type {{ name: string }} */ { name }) =>
    wanted.length === 0 || wanted.some((text) => name.includes(text));
  const trials = new Trials();
  try {
    for (const { name, bridge, webgpu, run } of TRIALS.filter(isWanted)) {
      const browser = await browserFor(webgpu ? 'webgpu' : 'plain');
      // Each app has a storage of its own.
      const context = await browser.createBrowserContext();
      const app = await NativeApp.open(context, bridge);
      await trials.run(name, () => run({ browser, app, origin, verifier }));
      await context.close();
    }
  } finally {
    await Promise.all(Object.values(launched).map((browser) => browser?.close()));
    await verifier.close();
    await origin.close();
  }
  const { passed, failed } = trials;
  console.log(`\nwebview: ${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
});
