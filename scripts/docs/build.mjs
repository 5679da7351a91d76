import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, SetupError } from '../lib/run.mjs';
import { deadAnchors } from './anchors.mjs';

/** The sources of the pages. */
export const docsSources = join(root, 'docs');

/** The pages as built. */
export const docsFolder = join(root, 'build', 'docs');

/**
 * Builds the pages with the reference. Fails on links that lead nowhere, and on words whose page the search does not
 * find first.
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
  const faults = [...deadAnchors(docsFolder, base), ...(await misplacedWords(docsFolder, base))];
  if (faults.length > 0) throw new SetupError(faults.join('\n'));
}
