import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exampleDist, exampleFolder } from '../lib/example.mjs';
import { hasBackground, launchFirefox, openExtensionPage } from '../lib/firefox.mjs';
import { serveFolder } from '../lib/static-server.mjs';
import { eventually, expect } from '../lib/trials.mjs';
import { extensionDist } from '../lib/wallet-extension.mjs';
import { buildFixture, FIXTURE_ID } from './build-fixture.mjs';
import { checkSpend, walletPage } from './wallet-page.mjs';

/** The wallet's id in its manifest, and the hosts of both extensions' pages. */
const WALLET = 'wallet@pippin.example';
const HOST = '11111111-2222-4333-8444-555555555555';
const FIXTURE_HOST = '22222222-3333-4444-8555-666666666666';

/** Milliseconds after which Firefox ends a background page that does nothing; its default. */
const IDLE_MS = 30_000;

/**
 * The example wallet and the example page in Firefox. @param {import('../lib/trials.mjs').Trials} trials @param
 * {string} firefox
 */
export async function tryFirefox(trials, firefox) {
  console.log('Firefox');
  const browser = await launchFirefox(firefox, {
    hosts: { [WALLET]: HOST, [FIXTURE_ID]: FIXTURE_HOST },
    idleMs: IDLE_MS,
    protocolTimeout: 180_000,
  });
  try {
    await trials.run('a proof takes twice as long as an idle background page lives', () => slowProof(browser));
    await browser.installExtension(extensionDist('firefox'));
    const openTab = async () =>
      walletPage(await openExtensionPage(browser, HOST, 'popup.html', (page) => walletPage(page).state()));
    await trials.run('the background page proves for the popup', async () => {
      const popup = await openTab();
      await popup.spend(0);
      await popup.until('proved');
      await checkSpend(await popup.stored(), 0);
      await popup.click('again');
      await popup.until('choosing');
      await popup.page.close();
    });
    await trials.run('the popup is closed in mid-proof, and two others show the result', async () => {
      const popup = await openTab();
      await popup.spend(1);
      await popup.until('proving');
      await popup.page.close();
      const [a, b] = [await openTab(), await openTab()];
      await Promise.all([a.until('proved'), b.until('proved')]);
      await checkSpend(await a.stored(), 1);
      await a.click('again');
      await b.until('choosing');
      await Promise.all([a.page.close(), b.page.close()]);
    });
    await trials.run('Firefox ends the idle background page, and it proves again', async () => {
      const popup = await openTab();
      await eventually('the background page to end', async () => !(await hasBackground(popup.page)));
      await popup.spend(2);
      await popup.until('proved');
      await checkSpend(await popup.stored(), 2);
      await popup.page.close();
    });
    await trials.run('the example page proves', () => examplePage(browser));
  } finally {
    await browser.close();
  }
}

/**
 * A proof whose circuit takes long to arrive, while no page waits for it: nothing but the server in the background page
 * keeps that alive.
 *
 * @param {import('puppeteer-core').Browser} browser
 */
async function slowProof(browser) {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-firefox-'));
  let asked = 0;
  const server = await serveFolder(join(exampleFolder, 'key'), {
    headers: { 'Access-Control-Allow-Origin': '*' },
    instead: async () => {
      asked++;
      // Must not keep the process alive where the trial has failed before.
      await sleep(2 * IDLE_MS, undefined, { ref: false });
      return undefined;
    },
  });
  const open = () =>
    openExtensionPage(browser, FIXTURE_HOST, 'page.html', (page) => page.evaluate(() => 'prover' in globalThis));
  try {
    await buildFixture('firefox', folder);
    await browser.installExtension(folder);
    const page = await open();
    await page.evaluate(`(async () => {
      const key = await prover.groth16.loadKey('note.zkey');
      const inputs = await (await fetch('input.json')).json();
      void prover.groth16.fullProve(key, inputs, '${server.url}note.wasm', { id: 'slow' }).catch(() => undefined);
    })()`);
    await eventually('the circuit to be asked for', () => asked > 0);
    await page.close();
    await sleep(1.5 * IDLE_MS);
    const again = await open();
    const outcome = await again.evaluate(
      `prover.result('slow').then(({ publicSignals }) => publicSignals.length, ({ code }) => code)`,
    );
    expect(outcome === 3, `the result, got ${outcome}`);
    await again.close();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import('puppeteer-core').Browser} browser */
async function examplePage(browser) {
  const server = await serveFolder(exampleDist);
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}?backend=wasm&autorun=1`);
    const state = await eventually('the page to end its proof', async () => {
      const now = await page.evaluate(() => document.documentElement.dataset.state);
      return ['verified', 'failed'].includes(now ?? '') && now;
    });
    const report = JSON.parse(await page.evaluate(() => document.querySelector('#report')?.textContent ?? '{}'));
    expect(state === 'verified' && report.proof.verified, `a verified proof, got ${JSON.stringify(report.error)}`);
    await page.close();
  } finally {
    await server.close();
  }
}
