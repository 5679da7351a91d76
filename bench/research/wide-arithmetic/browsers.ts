import { chromium } from 'playwright-core';
import { findChromium, plainFlags } from '../../../scripts/lib/chromium.mjs';
import { launchFirefox, requireFirefox } from '../../../scripts/lib/firefox.mjs';
import { hasWideArithmetic, multiplyInPage, type PageRequest, type PageResult } from './page.js';

/** A headless browser. */
export interface ProductBrowser {
  readonly name: string;
  /** Whether WebAssembly has wide arithmetic there. */
  readonly isWide: boolean;
  /** Opens a new page for each request, so that the engine compiles anew. */
  multiply(request: PageRequest): Promise<PageResult[]>;
  close(): Promise<void>;
}

/** Headers of a page that gets a clock of 5 microseconds instead of 100. */
const ISOLATED = {
  'content-type': 'text/html',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Chromium, which has wide arithmetic behind a flag. Undefined without a Chromium. */
export async function openChromium(): Promise<ProductBrowser | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return undefined;
  const args = [...plainFlags(), '--js-flags=--wasm-wide-arithmetic'];
  const browser = await chromium.launch({ executablePath, args });
  const open = async () => {
    const page = await browser.newPage();
    await page.route('http://localhost/', (route) => route.fulfill({ headers: ISOLATED, body: '' }));
    await page.goto('http://localhost/');
    return page;
  };
  return {
    name: `Chromium ${browser.version()}`,
    isWide: await (await open()).evaluate(hasWideArithmetic),
    multiply: async (request) => {
      const page = await open();
      const results = await page.evaluate(multiplyInPage, request);
      await page.close();
      return results;
    },
    close: () => browser.close(),
  };
}

/** Firefox, with the preference that wide arithmetic needs before version 155, and an exact clock. */
export async function openFirefox(): Promise<ProductBrowser> {
  const preferences = { 'javascript.options.wasm_wide_arithmetic': true, 'privacy.reduceTimerPrecision': false };
  const browser = await launchFirefox(await requireFirefox(), { preferences, protocolTimeout: 600_000 });
  return {
    name: await browser.version(),
    isWide: await (await browser.newPage()).evaluate(hasWideArithmetic),
    multiply: async (request) => {
      const page = await browser.newPage();
      const results = await page.evaluate(multiplyInPage, request);
      await page.close();
      return results;
    },
    close: () => browser.close(),
  };
}
