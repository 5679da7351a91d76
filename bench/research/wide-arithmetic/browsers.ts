import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { findChromium, plainFlags } from '../../../scripts/lib/chromium.mjs';
import { requireFirefox } from '../../../scripts/lib/firefox.mjs';
import { hasWideArithmetic, multiplyInPage, type PageRequest, type PageResult } from './page.js';

/** A page in a headless browser. */
export interface BrowserPage {
  readonly browser: string;
  /** Whether WebAssembly has wide arithmetic there. */
  readonly isWide: boolean;
  multiply(request: PageRequest): Promise<PageResult[]>;
  close(): Promise<void>;
}

/** Headers of a page that gets a clock of 5 microseconds instead of 100. */
const ISOLATED = {
  'content-type': 'text/html',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** A page of Chromium, which has wide arithmetic behind a flag. Undefined without a Chromium. */
export async function openChromium(): Promise<BrowserPage | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return undefined;
  const args = [...plainFlags(), '--js-flags=--wasm-wide-arithmetic'];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage();
  await page.route('http://localhost/', (route) => route.fulfill({ headers: ISOLATED, body: '' }));
  await page.goto('http://localhost/');
  return {
    browser: `Chromium ${browser.version()}`,
    isWide: await page.evaluate(hasWideArithmetic),
    multiply: (request) => page.evaluate(multiplyInPage, request),
    close: () => browser.close(),
  };
}

/** A page of Firefox, with the preference that wide arithmetic needs before version 155, and an exact clock. */
export async function openFirefox(): Promise<BrowserPage> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: await requireFirefox(),
    headless: true,
    extraPrefsFirefox: { 'javascript.options.wasm_wide_arithmetic': true, 'privacy.reduceTimerPrecision': false },
    protocolTimeout: 600_000,
  });
  const page = await browser.newPage();
  return {
    browser: await browser.version(),
    isWide: await page.evaluate(hasWideArithmetic),
    multiply: (request) => page.evaluate(multiplyInPage, request),
    close: () => browser.close(),
  };
}
