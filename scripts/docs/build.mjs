import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, SetupError } from '../lib/run.mjs';
import { deadAnchors } from './anchors.mjs';
import { documentErrors } from './page-checks.mjs';
import { pageSizes, sizeErrors } from './page-sizes.mjs';

/** The sources of the pages. */
export const docsSources = join(root, 'docs');

/** The pages as built. */
export const docsFolder = join(root, 'build', 'docs');

/**
 * Builds the pages with the reference. Fails on links that lead nowhere, on words whose page the search does not find
 * first, and on pages that are too large or lack what search engines and screen readers need.
 */
export async function buildDocs() {
  // Not before set-up: they need the packages.
  const { writeReference } = await import('./reference.mjs');
  const { misplacedWords } = await import('./search.mjs');
  const { build } = await import('vitepress');
  console.log('Writing the reference from the docstrings ...');
  console.log(writeReference());
  await build(docsSources);
  const built = join(docsFolder, 'index.html');
  if (!existsSync(built)) throw new SetupError(`expected the pages in ${built}, got none`);
  const base = process.env.DOCS_BASE ?? '/';
  const pages = builtPages();
  const sizes = pageSizes(docsFolder, pages, base);
  const [largest] = sizes;
  if (largest !== undefined) {
    console.log(
      `${pages.size} pages are checked. The largest transfers ${largest.bytes} bytes (gzip): ${largest.page}`,
    );
  }
  const faults = [
    ...deadAnchors(pages, base),
    ...(await misplacedWords(docsFolder, base)),
    ...[...pages].flatMap(([page, html]) => documentErrors(html).map((error) => `${page}: ${error}`)),
    ...sizeErrors(sizes),
  ];
  if (faults.length > 0) throw new SetupError(faults.join('\n'));
}

/** The HTML of the pages by their path, without the 404 page. */
function builtPages() {
  const names = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const pages = names.filter((name) => name.endsWith('.html') && name !== '404.html');
  return new Map(pages.map((name) => [`/${name}`, readFileSync(join(docsFolder, name), 'utf8')]));
}
