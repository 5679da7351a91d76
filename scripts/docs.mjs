import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deadAnchors } from './docs/anchors.mjs';
import { installPackages } from './lib/packages.mjs';
import { root, runMain, SetupError } from './lib/run.mjs';

/**
 * `npm run docs`: builds the documentation's pages into build/docs, with the reference of the API from the docstrings,
 * and fails on links that lead nowhere. `npm run docs -- --open` serves the pages instead, and shows changes as they
 * are saved.
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
  const { build, createServer } = await import('vitepress');
  console.log('Writing the reference from the docstrings ...');
  const reference = writeReference();
  if (option === '--open') {
    const server = await createServer(pages, { open: process.env.DISPLAY !== undefined });
    await server.listen();
    server.printUrls();
    return;
  }
  await build(pages);
  const built = join(root, 'build', 'docs', 'index.html');
  if (!existsSync(built)) throw new SetupError(`expected the pages in ${built}, got none`);
  const dead = deadAnchors(join(root, 'build', 'docs'), process.env.DOCS_BASE ?? '/');
  if (dead.length > 0) throw new SetupError(dead.join('\n'));
  console.log(reference);
  console.log(`The docs are in ${join('build', 'docs')}. \`npm run docs -- --open\` serves them.`);
});
