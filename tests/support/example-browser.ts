import { existsSync } from 'node:fs';
import { findChromium, plainFlags } from '../../scripts/lib/chromium.mjs';
import { exampleDist } from '../../scripts/lib/example.mjs';
import { launchBrowser } from '../../scripts/lib/example-driver.mjs';

/** A headless Chromium for the built example page. Says what to run where one of them is missing. */
export function exampleBrowser(flags = [...plainFlags(), '--disable-gpu']): ReturnType<typeof launchBrowser> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('expected a Chromium; `npm run setup` finds or installs one');
  if (!existsSync(exampleDist)) throw new Error('expected the built example page; `npm test` builds it');
  return launchBrowser(chromium, flags);
}
