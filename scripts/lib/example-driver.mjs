import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** The time after which a page is taken to hang. A software adapter on two busy cores takes minutes for a proof. */
const HANG_MS = 10 * 60_000;

/** States in which the page waits for its visitor. */
const IDLE = ['ready', 'verified', 'cancelled', 'failed'];

/**
 * Headless Chromium with a profile of its own on disk, like a visitor's, so that IndexedDB outlives the page. The profile is deleted when it
 * is closed.
 *
 * @param {string} executablePath
 * @param {readonly string[]} flags
 */
export async function launchBrowser(executablePath, flags) {
  const profile = await mkdtemp(join(tmpdir(), 'pippin-chromium-'));
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      args: [...flags],
      viewport: { width: 1280, height: 900 },
      timeout: HANG_MS,
    });
    context.setDefaultTimeout(HANG_MS);
    return {
      context,
      close: async () => {
        await context.close();
        await removeProfile();
      },
    };
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

/**
 * Opens the example page and collects what goes wrong in it: errors, console errors, warnings of WebGPU.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} url
 */
export async function openExample(context, url) {
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, complaints };
}

/**
 * Waits until the page has nothing under way and is in one of the given states, then gives its report. A failure that was
 * not waited for is an error with the page's own words.
 *
 * @param {import('playwright-core').Page} page
 * @param {readonly string[]} states
 * @param {{ onTick?: (text: string) => void }} [options] `onTick` is told what the page says meanwhile
 * @returns {Promise<any>} the page's `PageReport`
 */
export async function waitForReport(page, states, { onTick } = {}) {
  const end = Date.now() + HANG_MS;
  for (;;) {
    const seen = await page.evaluate(() => ({
      state: document.documentElement.dataset.state ?? '',
      text: `${document.querySelector('#detail')?.textContent} ${document.querySelector('#percent')?.textContent}`,
      report: document.querySelector('#report')?.textContent ?? '',
    }));
    if (states.includes(seen.state)) return JSON.parse(seen.report);
    if (seen.state === 'failed') {
      const { code, message } = JSON.parse(seen.report).error ?? {};
      throw new Error(`the page failed with ${code}: ${message}`);
    }
    if (Date.now() > end) {
      const idle = IDLE.includes(seen.state) ? 'waits for its visitor' : 'is busy';
      throw new Error(`expected the page to be ${states.join(' or ')}; it ${idle} (${seen.state}: ${seen.text})`);
    }
    onTick?.(seen.text);
    await page.waitForTimeout(100);
  }
}
