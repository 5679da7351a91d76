import { gzipSync } from 'node:zlib';
import { documentErrors } from '../docs/page-checks.mjs';

/**
 * Pages of the docs as a reader sees them first. The start page must also be light, as fetched; what every page must
 * have and may weigh as built, `npm run docs` checks.
 */

/** The most that the start page transfers, its fonts, scripts and picture included, compressed by gzip. */
const MOST_BYTES = 120_000;

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {Awaited<ReturnType<typeof import('./held-server.mjs').serveHeld>>} server
 * @returns {AsyncGenerator<{ name: string, page: import('playwright-core').Page, errors?: readonly string[] }>}
 */
export async function* docsStates(context, server) {
  const page = await context.newPage();
  /** @type {Map<string, Promise<number>>} */
  const sizes = new Map();
  page.on('response', (response) => {
    const size = response.body().then(
      (body) => gzipSync(body).length,
      () => 0,
    );
    sizes.set(response.url(), size);
  });
  await page.goto(server.url, { waitUntil: 'networkidle' });
  // Pages that links lead to are fetched beforehand when nothing else is to be done: which ones is a matter of chance.
  const ahead = await page.evaluate(() =>
    [...document.querySelectorAll('link[rel="prefetch"]')].map((link) => /** @type {HTMLLinkElement} */ (link).href),
  );
  for (const url of ahead) sizes.delete(url);
  const bytes = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
  console.log(`        docs: the start page transfers ${(bytes / 1000).toFixed(1)} kB (gzip) in ${sizes.size} files`);
  const tooLarge = bytes > MOST_BYTES ? [`transfers ${bytes} bytes, expected at most ${MOST_BYTES}`] : [];
  yield { name: 'start', page, errors: [...tooLarge, ...documentErrors(await page.content())] };

  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(new URL(path, server.url).href, { waitUntil: 'networkidle' });
    yield { name, page, errors: documentErrors(await page.content()) };
  }

  await page.goto(server.url, { waitUntil: 'networkidle' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.keyboard.press('Control+k');
  await page.fill('#localsearch-input', 'telemetry');
  await page.waitForSelector('.VPLocalSearchBox .result');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.VPLocalSearchBox', { state: 'detached' });
  const { pathname } = new URL(page.url());
  const found = pathname === '/guide/telemetry.html' ? [] : [`expected the search to find the guide, got ${pathname}`];
  yield { name: 'found', page, errors: [...found, ...documentErrors(await page.content())] };
  await page.close();
}

/** Guides, a recipe, the indexes, a page of the reference, and pages with wide tables and plots. */
const PAGES = {
  guide: 'guide/keys-at-scale.html',
  plonk: 'guide/plonk.html',
  recipe: 'recipes/progress.html',
  guides: 'guide/',
  reference: 'api/',
  performance: 'performance.html',
  journal: 'strategies/side-by-side.html',
};
