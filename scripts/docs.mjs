import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deadAnchors } from './docs/anchors.mjs';
import { installPackages } from './lib/packages.mjs';
import { root, runMain, SetupError } from './lib/run.mjs';

/**
 * `npm run docs`: builds the documentation's pages into build/docs, with the reference of the API from the docstrings, and fails on links that lead
 * nowhere and on words whose page the search does not find first. `npm run docs -- --open` serves the pages instead, and shows changes as they are saved.
 */

const pages = join(root, 'docs');

await runMain(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if ((option !== undefined && option !== '--open') || rest.length > 0) {
    throw new SetupError('usage: npm run docs [-- --open]');
  }
  await installPackages();
  // Not before set-up: they need the packages.
  const { writeReference } = await import('./docs/reference.mjs');
  const { misplacedWords } = await import('./docs/search.mjs');
  const { build, createServer } = await import('vitepress');
  console.log('Writing the reference from the docstrings ...');
  await writeReference();
  if (option === '--open') {
    const server = await createServer(pages, { open: process.env.DISPLAY !== undefined });
    await server.listen();
    server.printUrls();
    return;
  }
  await build(pages);
  const built = join(root, 'build', 'docs', 'index.html');
  if (!existsSync(built)) throw new SetupError(`expected the pages in ${built}, got none`);
  const folder = join(root, 'build', 'docs');
  const base = process.env.DOCS_BASE ?? '/';
  const faults = [...deadAnchors(folder, base), ...(await misplacedWords(folder, base))];
  if (faults.length > 0) throw new SetupError(faults.join('\n'));
  console.log(`The docs are in ${join('build', 'docs')}. \`npm run docs -- --open\` serves them.`);
});
