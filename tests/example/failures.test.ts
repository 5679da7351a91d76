import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf, REMEDIES } from '../../examples/groth16-commitment/src/failures.js';
import { recipientFault } from '../../examples/groth16-commitment/src/recipient.js';
import { exampleDist } from '../../scripts/lib/example.mjs';
import { openExample, waitForReport } from '../../scripts/lib/example-driver.mjs';
import { serveHeld } from '../../scripts/pages/held-server.mjs';
import { exampleBrowser } from '../support/example-browser.js';

/** What the example page says when something fails: a sentence and a way out, and the prover's own words behind a disclosure. */

describe('the words for a failure', () => {
  test.each(['MALFORMED_FILE', 'IO_FAILED', 'WEBGPU_UNAVAILABLE', 'OUT_OF_MEMORY', 'WORKER_FAILED', 'NO_SUCH_CODE'])(
    '%s has a headline, a way out, and no word of the code',
    (code) => {
      const { headline, wayOut, remedy } = failureOf(code, 'starting');
      for (const text of [headline, wayOut]) {
        expect(text.length).toBeGreaterThan(10);
        expect(text).not.toMatch(/zkey|expected|0x|_/);
      }
      expect(REMEDIES[remedy]).toBeTruthy();
    },
  );

  test('a wrong file is the key at the start, and the circuit’s when a proof is made', () => {
    expect(failureOf('MALFORMED_FILE', 'starting').headline).toMatch(/key/);
    expect(failureOf('MALFORMED_FILE', 'proving').headline).toMatch(/circuit/);
  });
});

test.each([
  [`0x${'0a'.repeat(20)}`, undefined],
  [`0X${'AF'.repeat(20)}`, undefined],
  ['', /^Enter/],
  ['12', /begins with 0x/],
  ['0x', /^40 digits are missing/],
  [`0x${'0'.repeat(39)}`, /^One digit is missing/],
  [`0x${'0'.repeat(41)}`, /^One digit is too many/],
  [`0x${'0'.repeat(39)}g`, /and no “g”/],
  [`0x${'0'.repeat(20)} ${'0'.repeat(20)}`, /and no space/],
])('the recipient %j', (typed, fault) => {
  if (fault === undefined) expect(recipientFault(typed)).toBeUndefined();
  else expect(recipientFault(typed)).toMatch(fault);
});

describe('on the page', () => {
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

  const visible = (page: Page, selector: string) => page.locator(selector).isVisible();

  test('a key that cannot be downloaded: trying again works once it can', async () => {
    const missing = await server.replace(/\.pzkey$/);
    const { page } = await openExample(browser.context, `${server.url}?backend=wasm&threads=1`);
    const { error } = await waitForReport(page, ['failed']);
    expect(error.code).toBe('IO_FAILED');
    expect(await page.textContent('#headline')).toBe('A file could not be downloaded');
    expect(await visible(page, '#failure-list')).toBe(false);
    await page.click('#failure summary');
    expect(await page.textContent('#failure-list')).toContain('IO_FAILED');

    missing.restore();
    await page.click('#remedy');
    await page.waitForSelector('html[data-state="ready"]', { state: 'attached' });
    expect(await visible(page, '#failure')).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('prove');
    await page.close();
  });

  test('no WebGPU: one click proves with the workers', async () => {
    const { page } = await openExample(browser.context, `${server.url}?backend=webgpu`);
    await waitForReport(page, ['failed']);
    expect(await page.textContent('#remedy')).toBe('Use the workers instead');
    await page.click('#remedy');
    await page.waitForSelector('html[data-state="ready"]', { state: 'attached' });
    expect(await page.isChecked('input[value="wasm"]')).toBe(true);
    await page.close();
  });
});
