import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '../lib/example.mjs';
import { ASSET_ORIGIN, ASSET_PATH } from './asset-origin.mjs';
import { androidListener } from './bridges.mjs';

/** Milliseconds after which a message counts as never coming. */
const HANG_MS = 5 * 60_000;

/** What Android's WebView says of itself: `wv` marks it. */
const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 7 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36';
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** The inputs of the example's first note. */
export const INPUTS = JSON.parse(readFileSync(join(exampleFolder, 'key', 'input.json'), 'utf8'));

/**
 * A stand-in for a native app that shows the example's page in a webview, and talks with it through one of the bridges.
 */
export class NativeApp {
  /** All messages of the page. @type {any[]} */
  messages = [];
  /** What went wrong in the page beside its messages. @type {string[]} */
  complaints = [];
  /** Where the page lies. */
  address = `${ASSET_ORIGIN}${ASSET_PATH}index.html`;

  /**
   * @param {import('puppeteer-core').Page} page
   * @param {import('puppeteer-core').CDPSession} devtools
   * @param {import('./bridges.mjs').Bridge} bridge
   */
  constructor(page, devtools, bridge) {
    this.page = page;
    this.devtools = devtools;
    this.bridge = bridge;
  }

  /**
   * Opens a webview without a page in it.
   *
   * @param {import('puppeteer-core').BrowserContext} context with the app's storage
   * @param {import('./bridges.mjs').Bridge} [bridge]
   */
  static async open(context, bridge = androidListener) {
    const page = await context.newPage();
    const app = new NativeApp(page, await page.createCDPSession(), bridge);
    page.setDefaultTimeout(HANG_MS);
    await page.setUserAgent({ userAgent: USER_AGENT });
    await page.setViewport(PHONE);
    page.on('pageerror', (error) => app.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') app.complaints.push(message.text());
    });
    await page.exposeFunction('toApp', (/** @type {string} */ text) => void app.messages.push(JSON.parse(text)));
    await page.evaluateOnNewDocument(bridge.add);
    return app;
  }

  /** Loads the page and waits until it is ready. @param {string} [query] parameters of the example's page */
  async load(query = 'backend=wasm') {
    const from = this.messages.length;
    await this.page.goto(`${this.address}?${query}`);
    return this.next('ready', () => true, from);
  }

  /** @param {Record<string, unknown>} message without the version */
  async send(message) {
    await this.sendText(JSON.stringify({ pippin: 1, ...message }));
  }

  /** @param {string} text */
  async sendText(text) {
    await this.page.evaluate(this.bridge.deliver, text);
  }

  /** Asks for a proof of the example's note. @param {string} id @param {object} [inputs] */
  async prove(id, inputs = INPUTS) {
    await this.send({ type: 'prove', id, circuit: 'note', inputs });
  }

  /**
   * The first message of a type that fits, from the given one on.
   *
   * @param {string} type
   * @param {(message: any) => boolean} [fits]
   * @param {number} [from]
   */
  async next(type, fits = () => true, from = 0) {
    const end = Date.now() + HANG_MS;
    for (;;) {
      const found = this.messages.slice(from).find((message) => message.type === type && fits(message));
      if (found !== undefined) return found;
      if (Date.now() > end) {
        const seen = this.messages.map((message) => message.type).join(' ');
        throw new Error(`expected a message ${type}, got ${seen}; ${this.complaints.join('; ')}`);
      }
      await pause(20);
    }
  }

  /**
   * The end of a proof: its `result` or `failed`, from the given message on. @param {string} id @param {number} [from]
   */
  async end(id, from = 0) {
    const end = Date.now() + HANG_MS;
    for (;;) {
      const found = this.messages
        .slice(from)
        .find((message) => message.id === id && (message.type === 'result' || message.type === 'failed'));
      if (found !== undefined) return found;
      if (Date.now() > end) throw new Error(`expected an end of ${id}; ${this.complaints.join('; ')}`);
      await pause(20);
    }
  }

  /** Waits until a proof has begun and made some progress. @param {string} id */
  async underWay(id) {
    await this.next('progress', (message) => message.id === id);
  }

  /** Shows something else in place of the page, until the function that is given is called. */
  async hide() {
    const other = await this.page.browserContext().newPage();
    await other.bringToFront();
    return async () => {
      await this.page.bringToFront();
      await other.close();
    };
  }

  /** Freezes the page and its workers as the system does, or lets them go on. @param {'frozen' | 'active'} state */
  async setLifecycle(state) {
    await this.devtools.send('Page.setWebLifecycleState', { state });
  }

  /** The names of the scripts of the workers that live in the app's storage partition. */
  async workers() {
    const { targetInfos } = await this.devtools.send('Target.getTargets', { filter: [{ type: 'worker' }] });
    return targetInfos
      .filter(({ browserContextId }) => browserContextId === this.page.browserContext().id)
      .map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
  }

  async close() {
    await this.page.close();
  }
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
