import { join } from 'node:path';
import { buildDocs, docsSources } from './docs/build.mjs';
import { installPackages } from './lib/packages.mjs';
import { runMain, SetupError } from './lib/run.mjs';

/**
 * `npm run docs`: builds the documentation's pages into build/docs, with the reference of the API from the docstrings,
 * and fails on links that lead nowhere and on words whose page the search does not find first. `npm run docs -- --open`
 * serves the pages instead, and shows changes as they are saved.
 */
await runMain(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if ((option !== undefined && option !== '--open') || rest.length > 0) {
    throw new SetupError('usage: npm run docs [-- --open]');
  }
  await installPackages();
  if (option === '--open') {
    // Not before set-up: they need the packages.
    const { writeReference } = await import('./docs/reference.mjs');
    const { createServer } = await import('vitepress');
    writeReference();
    const server = await createServer(docsSources, { open: process.env.DISPLAY !== undefined });
    await server.listen();
    server.printUrls();
    return;
  }
  await buildDocs();
  console.log(`The docs are in ${join('build', 'docs')}. \`npm run docs -- --open\` serves them.`);
});
