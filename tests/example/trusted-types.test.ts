import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleDist } from '../../scripts/lib/example.mjs';
import { openExample, waitForReport } from '../../scripts/lib/example-driver.mjs';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import { exampleBrowser } from '../support/example-browser.js';

/** The built example page in headless Chromium, where page and workers require Trusted Types. `npm test` builds the page first. */

let browser: Awaited<ReturnType<typeof exampleBrowser>>;
beforeAll(async () => {
  browser = await exampleBrowser();
});
afterAll(() => browser?.close());

/** The report of a page that may make these policies, and what its console complained of. */
async function visit(policies: string, states: readonly string[]) {
  const policy = `script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types ${policies}`;
  const server = await serveFolder(exampleDist, { headers: { 'Content-Security-Policy': policy } });
  try {
    const { page, complaints } = await openExample(browser.context, `${server.url}?backend=wasm&autorun=1`);
    const report = await waitForReport(page, states);
    await page.close();
    return { report, complaints };
  } finally {
    await server.close();
  }
}

test('a page that allows the policy pippin-prover proves, and nothing breaks its policy', async () => {
  const { report, complaints } = await visit('pippin-prover', ['verified']);
  expect(report.proof.verified).toBe(true);
  expect(complaints).toEqual([]);
});

test('a page that does not is told which policy to allow', async () => {
  const { report } = await visit("'none'", ['failed']);
  expect(report.error).toMatchObject({ code: 'WORKER_FAILED', hint: expect.stringContaining('pippin-prover') });
});
