import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleDist } from '../../scripts/lib/example.mjs';
import { openExample, waitForReport } from '../../scripts/lib/example-driver.mjs';
import { axeErrors, LOOKS, layoutErrors, wear } from '../../scripts/pages/checks.mjs';
import { exampleStates } from '../../scripts/pages/example-states.mjs';
import { serveHeld } from '../../scripts/pages/held-server.mjs';
import { exampleBrowser } from '../support/example-browser.js';
import { sharedBrowser } from '../support/shared-browser.js';

/**
 * The built example page for visitors with large text, a keyboard, a screen reader, forced colours, or without scripts. `npm test` builds the
 * page first; `npm run test:pages` does more of this, for the benchmark page as well.
 */

/** Light, dark and forced colours, each on one of the screens; `test:pages` takes all of them. */
const SHORT = ['phone-light', 'desktop-dark', 'desktop-forced'];

let browser: Awaited<ReturnType<typeof exampleBrowser>>;
let server: Awaited<ReturnType<typeof serveHeld>>;

beforeAll(async () => {
  browser = await exampleBrowser();
  server = await serveHeld(exampleDist);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('in every state axe finds no error, and the layout fits narrow screens, large text and fingers', async () => {
  const errors: string[] = [];
  const states: string[] = [];
  for await (const { name, page } of exampleStates(browser.context, server)) {
    states.push(name);
    for (const look of LOOKS.filter(({ name }) => SHORT.includes(name))) {
      await wear(page, look);
      errors.push(...(await axeErrors(page)).map((error) => `${name}, ${look.name}: ${error}`));
    }
    errors.push(...(await layoutErrors(page)).map((error) => `${name}: ${error}`));
  }
  expect(states).toEqual(['starting', 'ready', 'wrong-recipient', 'proving', 'verified', 'wrong-key']);
  expect(errors).toEqual([]);
});

test('by keyboard alone: the focus comes back to where it was, and screen readers are told each state once', async () => {
  const { page } = await openExample(browser.context, `${server.url}?backend=wasm&threads=1`);
  await waitForReport(page, ['ready']);
  await page.evaluate(() => {
    const said: string[] = [];
    const region = document.querySelector('#announcer')!;
    new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, { childList: true });
    Object.assign(globalThis, { said });
  });
  await page.focus('#recipient');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  expect(await page.textContent('#recipient-error')).toBe('One digit is missing: an address has 40 digits after 0x.');
  expect(await page.getAttribute('#recipient', 'aria-invalid')).toBe('true');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('recipient');
  expect(await page.getAttribute('html', 'data-state')).toBe('ready');

  await page.keyboard.type('7');
  expect(await page.textContent('#recipient-error')).toBe('');
  await page.keyboard.press('Enter');
  await waitForReport(page, ['verified']);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('recipient');
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  expect(said.map((text) => text.split('.')[0])).toEqual(['Proving', 'Verified']);
  await page.close();
});

test('the number beside the progress bar is that of the bar', async () => {
  const { page } = await openExample(browser.context, 'about:blank');
  await page.addInitScript(() => {
    const pairs: [number, string][] = [];
    Object.assign(globalThis, { pairs });
    const look = () => {
      const bar = document.querySelector('progress');
      const text = document.querySelector('#percent')?.textContent ?? '';
      if (bar?.hasAttribute('value') && text.endsWith('%')) pairs.push([bar.value, text]);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${server.url}?backend=wasm&threads=1&autorun=1`);
  await waitForReport(page, ['verified']);
  const pairs = await page.evaluate(() => (globalThis as unknown as { pairs: [number, string][] }).pairs);
  expect(pairs.length).toBeGreaterThan(0);
  for (const [value, text] of pairs) expect(text).toBe(`${Math.floor(100 * value)} %`);
  await page.close();
});

test('without scripts the page says what it needs, and shows nothing that would not work', async () => {
  const plain = await sharedBrowser({ javaScriptEnabled: false });
  try {
    const page = await plain.context.newPage();
    await page.goto(server.url);
    expect(await page.locator('.no-script').isVisible()).toBe(true);
    expect(await page.locator('main').isVisible()).toBe(false);
  } finally {
    await plain.close();
  }
});
