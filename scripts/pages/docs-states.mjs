import { gzipSync } from 'node:zlib';

/**
 * Pages of the docs as a reader sees them first. The start page must also be light, and tell what it is to search
 * engines and screen readers.
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
  yield { name: 'start', page, errors: [...tooLarge, ...(await page.evaluate(documentErrors))] };

  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(new URL(path, server.url).href, { waitUntil: 'networkidle' });
    yield { name, page, errors: await page.evaluate(documentErrors) };
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
  yield { name: 'found', page, errors: [...found, ...(await page.evaluate(documentErrors))] };
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

/** In the page: what a document must have for search engines, previews and screen readers, and does not. */
function documentErrors() {
  const errors = [];
  const { title, documentElement } = document;
  const description = document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '';
  // Those of the navigation stand before the contents.
  const main = document.querySelector('main, [role="main"]');
  if (main === null) return ['expected a main landmark, got none'];
  const headings = [...main.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((each) => each.checkVisibility());
  const levels = headings.map(({ tagName }) => Number(tagName[1]));
  const count = levels.filter((level) => level === 1).length;
  if (count !== 1) errors.push(`expected one h1, got ${count}`);
  for (const [i, level] of levels.entries()) {
    const before = levels[i - 1] ?? 0;
    if (level > before + 1) errors.push(`h${level} “${headings[i]?.textContent?.trim()}” follows h${before}`);
  }
  if (title.length < 10 || title.length > 70) errors.push(`expected a title of 10 to 70 characters, got “${title}”`);
  if (description.length < 50 || description.length > 160)
    errors.push(`expected a description of 50 to 160 characters, got ${description.length}`);
  if (documentElement.lang !== 'en') errors.push(`expected lang="en", got “${documentElement.lang}”`);
  if (document.querySelector('meta[name="viewport"]') === null) errors.push('expected a viewport, got none');
  const unnamed = [...document.images].filter((image) => image.getAttribute('alt') === null);
  if (unnamed.length > 0) errors.push(`expected alternative texts, got ${unnamed.length} images without one`);
  return errors;
}
