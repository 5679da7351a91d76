import { build } from './build.mjs';
import { tryChromium } from './extension/chromium.mjs';
import { tryFirefox } from './extension/firefox.mjs';
import { tryFiveMinutes } from './extension/five-minutes.mjs';
import { tryRealPorts } from './extension/real-ports.mjs';
import { buildExample } from './lib/example.mjs';
import { requireFirefox } from './lib/firefox.mjs';
import { runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { Trials } from './lib/trials.mjs';
import { buildExtension } from './lib/wallet-extension.mjs';

/**
 * `npm run test:extension`: the example wallet, loaded in headless Chromium and Firefox, with all that ends in
 * mid-proof; and the example page in Firefox; and the five-minute start of docs/extension.md from the packed package.
 * `npm run test:extension -- chromium`, `-- ports`, `-- start` or `-- firefox` tries one alone.
 */
await runMain(async () => {
  const browsers = process.argv.slice(2);
  const wants = (/** @type {string} */ name) => browsers.length === 0 || browsers.includes(name);
  const machine = await setUp({ vulkan: false });
  const firefox = wants('firefox') ? await requireFirefox() : undefined;
  console.log('Building the package, the extension and the example page ...');
  await build();
  await buildExtension();
  if (firefox !== undefined) await buildExample();
  const trials = new Trials();
  if (wants('chromium')) await tryChromium(trials, machine);
  if (wants('ports')) await tryRealPorts(trials, machine);
  if (wants('start')) await tryFiveMinutes(trials, machine);
  if (firefox !== undefined) await tryFirefox(trials, firefox);
  console.log(`\n${trials.passed} passed, ${trials.failed} failed`);
  return trials.failed > 0 ? 1 : 0;
});
