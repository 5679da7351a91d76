import { existsSync } from 'node:fs';
import { findChromium } from '../../scripts/lib/chromium.mjs';
import { exampleDist } from '../../scripts/lib/example.mjs';
import { launchBrowser } from '../../scripts/lib/example-driver.mjs';
import { sharedBrowser } from './shared-browser.js';

/**
 * A headless Chromium for the built example page: one with these flags, or else the one without a GPU that tests share.
 * Says what to run where one of them is missing.
 */
export function exampleBrowser(flags?: readonly string[]): ReturnType<typeof launchBrowser> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('expected a Chromium; `npm run setup` finds or installs one');
  if (!existsSync(exampleDist)) throw new Error('expected the built example page; `npm test` builds it');
  return flags === undefined ? sharedBrowser() : launchBrowser(chromium, flags);
}
