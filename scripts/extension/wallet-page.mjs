import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '../lib/example.mjs';
import { snarkjsVerifies } from '../lib/snarkjs-verify.mjs';
import { eventually, expect } from '../lib/trials.mjs';

/** @param {string} name */
const readKey = (name) => JSON.parse(readFileSync(join(exampleFolder, 'key', name), 'utf8'));

/**
 * The popup of the example wallet, in a window of its own or in a tab.
 *
 * @param {import('puppeteer-core').Page} page
 */
export function walletPage(page) {
  const state = () => page.evaluate(() => document.documentElement.dataset.state);
  return {
    page,
    state,
    /** @param {string} id */
    click: (id) => page.evaluate((id) => /** @type {HTMLElement} */ (document.getElementById(id)).click(), id),
    /** Chooses a note and submits the form. @param {number} [note] */
    spend: (note = 0) =>
      page.evaluate((note) => {
        const choice = /** @type {HTMLInputElement} */ (document.querySelector(`input[name=note][value="${note}"]`));
        choice.checked = true;
        /** @type {HTMLFormElement} */ (document.querySelector('#form')).requestSubmit();
      }, note),
    /** @param {string} wanted @param {number} [ms] */
    until: async (wanted, ms) => {
      await eventually(`the popup to be ${wanted}`, async () => (await state()) === wanted, ms);
    },
    text: () => page.evaluate(() => document.querySelector('#spend')?.textContent?.replace(/\s+/g, ' ').trim()),
    /** From now on notes each figure of the progress, and how much of the ring is drawn then, in percent. */
    watchRing: () =>
      page.evaluate(() => {
        const byId = (/** @type {string} */ id) => /** @type {Element} */ (document.getElementById(id));
        const [figure, ring] = [byId('percent'), byId('arc')];
        /** @type {[number, number][]} */
        const watched = [];
        Object.assign(globalThis, { watched });
        new MutationObserver(() => {
          watched.push([parseFloat(figure.textContent ?? ''), parseFloat(getComputedStyle(ring).strokeDasharray)]);
        }).observe(figure, { childList: true });
      }),
    /** What was noted. @returns {Promise<[figure: number, ring: number][]>} */
    watchedRing: () => page.evaluate(() => Reflect.get(globalThis, 'watched')),
    /** The spend that the service worker keeps. */
    stored: () => page.evaluate(async () => (await chrome.storage.session.get('spend')).spend),
  };
}

/**
 * Checks a finished spend: snarkjs accepts its proof, and it holds none of the note's secrets. @param {any} spend
 * @param {number} [note]
 */
export async function checkSpend(spend, note = 0) {
  expect(spend?.state === 'proved', `a proof, got ${JSON.stringify(spend)}`);
  const { proof, publicSignals } = spend.proof;
  expect(await snarkjsVerifies(readKey('note.vkey.json'), publicSignals, proof), 'a proof that snarkjs accepts');
  const { secretKey, blinding } = readKey('notes.json')[note].inputs;
  const stored = JSON.stringify(spend);
  expect(!stored.includes(secretKey) && !stored.includes(blinding), 'no secret in storage');
}
