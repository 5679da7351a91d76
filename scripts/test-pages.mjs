import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from './build.mjs';
import { buildDocs, docsFolder } from './docs/build.mjs';
import { benchmarkDist, buildBenchmarkPage, snarkjsFile } from './lib/benchmark-page.mjs';
import { buildCeremonyPage, ceremonyDist } from './lib/ceremony-page.mjs';
import { plainFlags } from './lib/chromium.mjs';
import { buildExample, exampleDist } from './lib/example.mjs';
import { root, runMain, SetupError } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';

/**
 * `npm run test:pages`: the example pages and the docs in headless Chromium, in each of their main states, on phone
 * and desktop, light, dark and in forced colours. axe-core must find no error, and the layout must fit narrow screens,
 * large text and fingers. Screenshots of all of it are left in build/pages, to be looked at. `npm run test:pages --
 * benchmark` takes one page alone.
 */

const PICTURES = join(root, 'build', 'pages');

await runMain(async () => {
  const [only, ...rest] = process.argv.slice(2);
  const { chromium } = await setUp({ vulkan: false });
  // Not before set-up: packages may only now have been installed.
  const { launchBrowser } = await import('./lib/example-driver.mjs');
  const { axeErrors, LOOKS, layoutErrors, wear } = await import('./pages/checks.mjs');
  const { serveHeld } = await import('./pages/held-server.mjs');
  const { exampleStates } = await import('./pages/example-states.mjs');
  const { benchmarkStates } = await import('./pages/benchmark-states.mjs');
  const { ceremonyStates } = await import('./pages/ceremony-states.mjs');
  const { docsStates } = await import('./pages/docs-states.mjs');
  const pages = [
    {
      name: 'example',
      make: buildExample,
      folder: exampleDist,
      beside: undefined,
      states: exampleStates,
      targets: true,
    },
    {
      name: 'benchmark',
      make: buildBenchmarkPage,
      folder: benchmarkDist,
      beside: snarkjsFile,
      states: benchmarkStates,
      targets: true,
    },
    {
      name: 'ceremony',
      make: buildCeremonyPage,
      folder: ceremonyDist,
      beside: undefined,
      states: ceremonyStates,
      targets: true,
    },
    { name: 'docs', make: buildDocs, folder: docsFolder, beside: undefined, states: docsStates, targets: false },
  ].filter(({ name }) => only === undefined || name === only);
  if (pages.length === 0 || rest.length > 0)
    throw new SetupError('usage: npm run test:pages [-- example|benchmark|ceremony|docs]');

  console.log('Building the package and its pages ...');
  // The docs need no package.
  if (pages.some(({ name }) => name !== 'docs')) await build();
  let failed = 0;
  let checked = 0;
  for (const { name, make, folder, beside, states, targets } of pages) {
    await make();
    const pictures = join(PICTURES, name);
    mkdirSync(pictures, { recursive: true });
    const server = await serveHeld(folder, beside);
    const browser = await launchBrowser(chromium, plainFlags());
    try {
      for await (const { name: state, page, errors: found = [] } of states(browser.context, server)) {
        const errors = [...found];
        for (const look of LOOKS) {
          await wear(page, look);
          errors.push(...(await axeErrors(page)).map((error) => `${look.name}: ${error}`));
          await page.screenshot({ path: join(pictures, `${state}-${look.name}.png`), fullPage: true });
        }
        // A page that is opened in forced colours keeps some of them.
        await page.emulateMedia({ forcedColors: 'none' });
        errors.push(...(await layoutErrors(page, { targets })));
        console.log(`${errors.length === 0 ? 'passed' : 'FAILED'}  ${name}: ${state}`);
        for (const error of errors) console.error(`        ${error}`);
        checked++;
        if (errors.length > 0) failed++;
      }
    } finally {
      await browser.close();
      await server.close();
    }
  }
  console.log(`\nScreenshots are in ${relative(root, PICTURES)}.`);
  console.log(`pages: ${checked - failed} states passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});
