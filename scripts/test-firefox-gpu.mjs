import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './build.mjs';
import { exampleFolder } from './lib/example.mjs';
import { launchFirefox, requireFirefox } from './lib/firefox.mjs';
import { installPackages } from './lib/packages.mjs';
import { root, runMain } from './lib/run.mjs';
import { expectNode } from './lib/setup.mjs';
import { serveFolder } from './lib/static-server.mjs';
import { eventually, expect, Trials } from './lib/trials.mjs';
import { requireLavapipe } from './lib/vulkan.mjs';

/**
 * `npm run test:firefox-gpu`: MSMs over every group, proofs of each system and a contribution, computed by WebGPU in
 * headless Firefox: wgpu and naga, where all other tests have Dawn and Tint. On Linux without a GPU it has Mesa's
 * software adapter, lavapipe. `-- TEXT` runs the checks with that text in their names.
 */

/** The most milliseconds for one check: several times what the slowest took on two busy cores. */
const LATE_MS = 8 * 60_000;

const PREFERENCES = {
  'dom.webgpu.enabled': true,
  'dom.webgpu.workers.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
};

/** @typedef {import('puppeteer-core').Page} Page */

await runMain(async () => {
  const wanted = process.argv[2] ?? '';
  expectNode();
  await installPackages();
  const firefox = await requireFirefox();
  const env = await requireLavapipe();
  await build();
  const server = await servePage();
  const browser = await launchFirefox(firefox, { preferences: PREFERENCES, env, protocolTimeout: 2 * LATE_MS });
  const trials = new Trials();
  /** @type {Page | undefined} */
  let page;
  /** A page with a prover on the GPU, and what the GPU is. */
  const open = async () => {
    page = await browser.newPage();
    await page.goto(server.url);
    await eventually('the page to be ready', () => page?.evaluate(() => 'driven' in globalThis));
    return within(page.evaluate('driven.open()'), 'the GPU');
  };
  try {
    const adapter = await open();
    console.log(`${await browser.version()}, ${process.platform} ${process.arch}, ${JSON.stringify(adapter)}\n`);
    const names = /** @type {string[]} */ (await page?.evaluate('driven.names'));
    for (const name of names.filter((each) => each.includes(wanted))) {
      await trials.run(name, async () => {
        if (page === undefined) await open();
        try {
          const wrong = await within(page?.evaluate(`driven.run(${JSON.stringify(name)})`), name);
          expect(wrong === undefined, `no error, got ${wrong}`);
        } catch (error) {
          // Its provers may have given up the GPU, or still be busy.
          await page?.close();
          page = undefined;
          throw error;
        }
      });
    }
  } finally {
    await browser.close();
    await server.close();
  }
  const { passed, failed } = trials;
  console.log(`\nfirefox-gpu: ${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
});

/** Bundles the page, and serves it with the built package, the tests' circuits and the example's key. */
async function servePage() {
  const folder = join(root, 'build', 'firefox-gpu');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>GPU</title><script type="module" src="page.js"></script>\n',
  );
  const [{ rolldown }, { tsImport }] = await Promise.all([import('rolldown'), import('tsx/esm/api')]);
  const made = await rolldown({
    input: join(root, 'scripts', 'firefox-gpu', 'page.ts'),
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await made.write({ file: join(folder, 'page.js'), format: 'esm', codeSplitting: false });
  const { circuitFile } = await tsImport('../tests/support/circuits.ts', import.meta.url);
  const places = { dist: join(root, 'dist'), key: join(exampleFolder, 'key'), circuits: await circuitFile('') };
  return serveFolder(folder, {
    instead: async (path) => {
      const [, place, file = ''] = /^\/(dist|key|circuits)\/([\w./-]+)$/.exec(path) ?? [];
      return place === undefined ? undefined : join(places[/** @type {keyof typeof places} */ (place)], file);
    },
  });
}

/**
 * @template T
 * @param {Promise<T> | undefined} answer
 * @param {string} who
 * @returns {Promise<T | undefined>}
 */
function within(answer, who) {
  const late = sleep(LATE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`expected an end of ${who} within ${LATE_MS / 1000} s`);
  });
  return Promise.race([answer, late]);
}
