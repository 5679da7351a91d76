import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium, plainFlags } from '../../scripts/lib/chromium.mjs';

/** Milliseconds after which a page counts as hanging. */
const HANG = 10 * 60_000;

let shared: Promise<Browser> | undefined;

/**
 * A context of headless Chromium without a GPU, with cookies, caches and databases of its own. The files of a process
 * share the browser, since to start one takes a second of CPU time; it ends with the process.
 */
export async function sharedBrowser(
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  if ((await shared)?.isConnected() !== true) shared = start();
  const context = await (await shared!).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(HANG);
  return { context, close: () => context.close() };
}

function start(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('expected a Chromium; `npm run setup` finds or installs one');
  return chromium.launch({ executablePath, args: [...plainFlags(), '--disable-gpu'], timeout: HANG });
}
