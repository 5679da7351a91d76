import { launchFirefox, requireFirefox } from '../../scripts/lib/firefox.mjs';
import { launchWebKit } from '../../scripts/webkit/browser.mjs';
import { requireWebKit } from '../../scripts/webkit/programs.mjs';
import { launchChromium } from '../lib/chromium.js';
import { peakOfProcess } from '../lib/peak-memory.js';
import { type Visit, type VisitRequest, visitInPage } from './visit.js';

export type BrowserName = 'chromium' | 'firefox' | 'webkit';

/** A headless browser. */
export interface VisitingBrowser {
  readonly name: string;
  /** Opens a profile in which no page has kept anything. */
  openProfile(): Promise<Profile>;
  close(): Promise<void>;
}

export interface Profile {
  /** Makes a visit in a new page. */
  visit(url: string, request: VisitRequest): Promise<Visit>;
  /** The largest resident set of a page's process so far in MiB, where the browser tells of its processes. */
  resident(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** @param cores that pages of Chromium see; the machine's unless given. */
export async function openVisitingBrowser(name: BrowserName, cores: number | undefined): Promise<VisitingBrowser> {
  if (name === 'firefox') return openFirefox();
  return name === 'webkit' ? openWebKit() : openChromium(cores);
}

async function openChromium(hardwareConcurrency: number | undefined): Promise<VisitingBrowser> {
  // Without the flag a page that asks for its memory waits for the next garbage collection, or 20 s.
  const browser = await launchChromium('--enable-blink-features=ForceEagerMeasureMemory');
  const openProfile = async (): Promise<Profile> => {
    const context = await browser.newContext();
    return {
      async visit(url, request) {
        const page = await context.newPage();
        if (hardwareConcurrency !== undefined) {
          const session = await context.newCDPSession(page);
          await session.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency });
        }
        await page.goto(url);
        const seen = await page.evaluate(visitInPage, request);
        if (!request.asksMemory) await page.close();
        return seen;
      },
      async resident() {
        const session = await browser.newBrowserCDPSession();
        const { processInfo } = await session.send('SystemInfo.getProcessInfo');
        await session.detach();
        const pages = processInfo.filter(({ type }) => type === 'renderer');
        return Math.max(...pages.map(({ id }) => peakOfProcess(id) ?? 0));
      },
      close: () => context.close(),
    };
  };
  return { name: `Chromium ${browser.version()}`, openProfile, close: () => browser.close() };
}

async function openFirefox(): Promise<VisitingBrowser> {
  const preferences = { 'privacy.reduceTimerPrecision': false };
  const browser = await launchFirefox(await requireFirefox(), { preferences, protocolTimeout: 600_000 });
  const openProfile = async (): Promise<Profile> => {
    const context = await browser.createBrowserContext();
    return {
      async visit(url, request) {
        const page = await context.newPage();
        await page.goto(url);
        const seen = await page.evaluate(visitInPage, request);
        await page.close();
        return seen;
      },
      resident: async () => undefined,
      close: () => context.close(),
    };
  };
  return { name: await browser.version(), openProfile, close: () => browser.close() };
}

/**
 * WebKitGTK. Each profile is a separate browser. Its driver times out after a minute, and returns 0 for fractional
 * numbers.
 */
async function openWebKit(): Promise<VisitingBrowser> {
  const programs = await requireWebKit();
  const openProfile = async (): Promise<Profile> => {
    const { session, close } = await launchWebKit(programs);
    return {
      async visit(url, request) {
        await session.goto(url);
        const begin = `(request) => {
          (${visitInPage})(request).then(
            (visit) => { window.outcome = JSON.stringify(visit); },
            (error) => { window.outcome = 'failed: ' + error; },
          );
        }`;
        await session.evaluate({ toString: () => begin } as () => void, request);
        for (;;) {
          const outcome = await session.evaluate(() => (globalThis as { outcome?: string }).outcome);
          if (outcome?.startsWith('{')) return JSON.parse(outcome);
          if (outcome) throw new Error(`expected a visit in WebKitGTK that ends well, got one that ${outcome}`);
          await session.waitForTimeout(500);
        }
      },
      resident: async () => undefined,
      close,
    };
  };
  const { session, close } = await launchWebKit(programs);
  const name = `WebKitGTK ${session.capabilities.browserVersion}`;
  await close();
  return { name, openProfile, close: async () => undefined };
}
