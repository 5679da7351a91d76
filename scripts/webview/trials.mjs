import { ok } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { webviewDist } from '../lib/webview-example.mjs';
import { ASSET_ORIGIN, ASSET_PATH } from './asset-origin.mjs';
import { androidInterface, BRIDGES } from './bridges.mjs';
import { equal, risesIn, statesOf } from './check.mjs';
import { limitRenderers } from './limits.mjs';
import { INPUTS, NativeApp, pause } from './native-app.mjs';

/**
 * What is tried with the example's page. Each has an app, and a page of its own in it; `verifier` verifies proofs outside of the page.
 *
 * @typedef {{ browser: import('puppeteer-core').Browser, app: NativeApp, origin: Awaited<ReturnType<typeof import('./asset-origin.mjs').interceptAssetOrigin>>, verifier: Awaited<ReturnType<typeof import('./check.mjs').makeVerifier>> }} Place
 * @typedef {{ name: string, bridge?: import('./bridges.mjs').Bridge, webgpu?: boolean, run: (place: Place) => Promise<string | void> }} Trial
 */

/** Milliseconds out of sight after which the page goes by its policy, in these trials. */
const GRACE = 'backend=wasm&grace=300';

/** @type {readonly Trial[]} */
export const TRIALS = [
  ...BRIDGES.map((bridge) => ({
    name: `proves through ${bridge.name}`,
    bridge,
    /** @param {Place} place */
    run: async ({ app, verifier }) => {
      const ready = await app.load();
      equal(ready.circuits, ['note'], 'the circuits');
      await app.prove('a');
      const result = await app.end('a');
      await verifier.holds(result);
      equal(result.publicSignals.slice(1), [INPUTS.root, INPUTS.recipient], 'the public signals');
      equal(statesOf(app.messages, 'a'), ['running 1'], 'the states');
      risesIn(app.messages, 'a');
      equal(await app.page.$eval('#facts dd', (fact) => fact.textContent), bridge.shown, 'the channel that is shown');
      equal(await app.page.$eval('#headline', (line) => line.textContent), 'Proof sent', 'the headline');
      equal(app.complaints, [], 'errors in the page');
    },
  })),

  {
    name: 'is on the app’s origin, without isolation and shared memory',
    run: async ({ app }) => {
      await app.load();
      const place = await app.page.evaluate(() => ({
        origin: location.origin,
        isolated: crossOriginIsolated,
        shared: typeof SharedArrayBuffer,
        secure: isSecureContext,
      }));
      equal(place, { origin: ASSET_ORIGIN, isolated: false, shared: 'undefined', secure: true }, 'the page');
    },
  },

  {
    name: 'proves with a CPU slowed 4 times, in 256 MB',
    run: async ({ browser, app, verifier }) => {
      const limits = await limitRenderers(browser, { memoryBytes: 256 * 2 ** 20, slowdown: 4 });
      try {
        await limits.take();
        await app.load('backend=wasm&memory=256');
        await limits.take();
        await app.devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
        await app.prove('a');
        const cold = await app.end('a');
        await verifier.holds(cold);
        await app.prove('b');
        const warm = await app.end('b');
        await verifier.holds(warm);
        const peak = limits.peak();
        const memory = peak === undefined ? '' : `, all renderers together ${Math.round(peak / 2 ** 20)} MiB at most`;
        return `${cold.ms} ms with loading the key, then ${warm.ms} ms${memory}; ${limits.what}`;
      } finally {
        await app.close();
        await limits.close();
      }
    },
  },

  {
    name: 'cancels a proof, and proves again with the same id',
    run: async ({ app, verifier }) => {
      await app.load();
      await app.prove('a');
      await app.underWay('a');
      const began = Date.now();
      await app.send({ type: 'cancel', id: 'a' });
      equal((await app.end('a')).code, 'ABORTED', 'the end');
      const took = Date.now() - began;
      const from = app.messages.length;
      await app.prove('a');
      await verifier.holds(await app.end('a', from));
      return `told after ${took} ms`;
    },
  },

  {
    name: 'makes two proofs that are asked for at once, one after the other, and none twice',
    run: async ({ app, verifier }) => {
      await app.load();
      const others = { ...INPUTS, recipient: '1' };
      await Promise.all([app.prove('a'), app.prove('b', others), app.prove('a'), app.prove('b')]);
      await verifier.holds(await app.end('a'));
      const from = app.messages.findIndex(({ type }) => type === 'result');
      const second = await app.end('b', from);
      await verifier.holds(second);
      equal(second.publicSignals[2], '1', 'the recipient of the second');
      equal(statesOf(app.messages, 'b').slice(-1), ['running 1'], 'the last state of the second');
      // The same id with other inputs, while it was waited for.
      equal(
        app.messages.filter(({ type }) => type === 'failed').map(({ code }) => code),
        ['INVALID_ARGUMENT'],
        'refusals',
      );
      equal(app.messages.filter(({ type }) => type === 'result').length, 2, 'results');
    },
  },

  {
    name: 'hidden: a proof is paused, and begun again when the page is seen',
    run: async ({ app, verifier }) => {
      await app.load(GRACE);
      await app.prove('a');
      await app.next('state', ({ state }) => state === 'running');
      const show = await app.hide();
      const paused = await app.next('state', ({ state }) => state === 'paused');
      equal(paused.reason, 'background', 'the reason');
      const from = app.messages.length;
      await app.prove('b');
      await pause(500);
      equal(
        app.messages.slice(from).map(({ state }) => state),
        ['paused'],
        'what is told of a second one',
      );
      await show();
      await verifier.holds(await app.end('a'));
      await verifier.holds(await app.end('b'));
      equal(statesOf(app.messages, 'a').slice(-1), ['running 2'], 'the last state');
    },
  },

  {
    name: 'hidden: a proof fails with the policy abort',
    run: async ({ app }) => {
      await app.load(`${GRACE}&background=abort`);
      await app.prove('a');
      await app.next('state', ({ state }) => state === 'running');
      const show = await app.hide();
      equal((await app.end('a')).code, 'INTERRUPTED', 'the end');
      await show();
    },
  },

  {
    name: 'hidden: a proof ends in the background with the policy continue, timers throttled',
    run: async ({ app, verifier }) => {
      await app.load(`${GRACE}&background=continue`);
      await app.prove('a');
      await app.next('state', ({ state }) => state === 'running');
      const show = await app.hide();
      await verifier.holds(await app.end('a'));
      equal(await app.page.evaluate(() => document.visibilityState), 'hidden', 'the page');
      equal(statesOf(app.messages, 'a'), ['running 1'], 'the states');
      await show();
    },
  },

  {
    name: 'hidden for good: the app says that it is in the foreground, and the proof is made',
    run: async ({ app, verifier }) => {
      await app.load(GRACE);
      const show = await app.hide();
      await app.page.waitForFunction(() => document.visibilityState === 'hidden');
      await pause(600);
      await app.prove('a');
      await app.next('state', ({ state }) => state === 'paused');
      await app.send({ type: 'visibility', visible: true });
      await verifier.holds(await app.end('a'));
      await show();
    },
  },

  {
    name: 'frozen in mid-proof: told, nothing runs, and it goes on where it was',
    run: async ({ app, verifier }) => {
      await app.load('backend=wasm&grace=60000');
      await app.prove('a');
      // The key has been downloaded: the next trial freezes before.
      await app.next('progress', ({ phase }) => phase !== 'read');
      await app.setLifecycle('frozen');
      const paused = await app.next('state', ({ state }) => state === 'paused');
      equal(paused.reason, 'frozen', 'the reason');
      const from = app.messages.length;
      await pause(3000);
      equal(app.messages.slice(from), [], 'what is told while it is frozen');
      await app.setLifecycle('active');
      const show = await app.hide();
      await show();
      await verifier.holds(await app.end('a'));
      equal(statesOf(app.messages, 'a'), ['running 1', 'paused frozen 1', 'running 1'], 'the states');
    },
  },

  {
    name: 'frozen while its key is downloaded: the download continues, or is restarted with the proof',
    run: async ({ app, origin, verifier }) => {
      await app.load('backend=wasm&grace=60000');
      // More of the answer than Chromium takes for a frozen page arrives while it is frozen.
      const arrive = origin.holdKeys();
      await app.prove('a');
      await origin.keyAsked();
      // The first bytes reach the page.
      await pause(500);
      await app.setLifecycle('frozen');
      await app.next('state', ({ state }) => state === 'paused');
      arrive();
      await pause(3000);
      await app.setLifecycle('active');
      const show = await app.hide();
      await show();
      await verifier.holds(await app.end('a'));
      const states = statesOf(app.messages, 'a');
      equal(states.slice(0, 3), ['running 1', 'paused frozen 1', 'running 1'], 'the states');
      return states.length > 3 ? 'restarted' : 'continued';
    },
  },

  {
    name: 'loaded again in mid-proof: told; results stay, what was cut off is known, and its id proves anew',
    run: async ({ app, verifier }) => {
      const first = await app.load();
      await app.prove('made');
      await verifier.holds(await app.end('made'));
      await app.prove('cut');
      await app.next('state', ({ id, state }) => id === 'cut' && state === 'running');
      // DevTools does not carry what a page says while it goes; the next page of the origin can read it.
      await app.page.evaluate(() => {
        const { postMessage } = globalThis.pippinHost;
        globalThis.pippinHost.postMessage = (/** @type {string} */ text) => {
          sessionStorage.setItem('last words', text);
          postMessage(text);
        };
      });
      let from = app.messages.length;
      await app.page.reload();
      const second = await app.next('ready', () => true, from);
      ok(second.page !== first.page, 'expected another name of the page');
      const lastWords = await app.page.evaluate(() => JSON.parse(sessionStorage.getItem('last words') ?? '{}'));
      equal(lastWords, { pippin: 1, type: 'leaving', page: first.page }, 'what the page said last');
      from = app.messages.length;
      await app.send({ type: 'fetch', id: 'made' });
      await app.send({ type: 'fetch', id: 'cut' });
      await app.send({ type: 'fetch', id: 'never' });
      await verifier.holds(await app.end('made', from));
      equal((await app.end('cut', from)).code, 'INTERRUPTED', 'what was cut off');
      equal((await app.end('never', from)).code, 'INVALID_HANDLE', 'what was never asked for');
      from = app.messages.length;
      await app.prove('cut');
      await verifier.holds(await app.end('cut', from));
      from = app.messages.length;
      await app.send({ type: 'forget', id: 'made' });
      await app.page.reload();
      await app.next('ready', () => true, from);
      await app.send({ type: 'fetch', id: 'made' });
      equal((await app.end('made', from)).code, 'INVALID_HANDLE', 'what was forgotten');
    },
  },

  {
    name: 'its process killed in mid-proof: the next page knows, and its id proves anew',
    run: async ({ app, verifier }) => {
      await app.load();
      await app.prove('a');
      await app.underWay('a');
      // It is never answered.
      void app.devtools.send('Page.crash').catch(() => undefined);
      await pause(500);
      const next = await NativeApp.open(app.page.browserContext());
      try {
        await next.load();
        await next.send({ type: 'fetch', id: 'a' });
        equal((await next.end('a')).code, 'INTERRUPTED', 'what was cut off');
        const from = next.messages.length;
        await next.prove('a');
        await verifier.holds(await next.end('a', from));
      } finally {
        await next.close();
      }
    },
  },

  {
    name: 'short of memory: what is not in use is freed, and then what is',
    run: async ({ app, verifier }) => {
      await app.load();
      await app.prove('a');
      await verifier.holds(await app.end('a'));
      ok((await app.workers()).length > 0, 'expected workers');
      await app.send({ type: 'trim', level: 'moderate' });
      const end = Date.now() + 30_000;
      while ((await app.workers()).length > 0 && Date.now() < end) await pause(50);
      equal(await app.workers(), [], 'workers after a moderate trim');
      await app.prove('b');
      await app.underWay('b');
      await app.send({ type: 'trim', level: 'critical' });
      equal((await app.end('b')).code, 'OUT_OF_MEMORY', 'the end');
    },
  },

  {
    name: 'leaves no thread behind when its memory is freed after each of six proofs',
    run: async ({ app, verifier }) => {
      await app.load();
      for (let i = 0; i < 6; i++) {
        await app.prove(`p${i}`);
        await verifier.holds(await app.end(`p${i}`));
        await app.send({ type: 'trim', level: 'moderate' });
      }
      const end = Date.now() + 30_000;
      while ((await app.workers()).length > 0 && Date.now() < end) await pause(50);
      equal(await app.workers(), [], 'workers');
    },
  },

  {
    name: 'refuses hostile and malformed messages by typed errors, and works on',
    bridge: androidInterface,
    run: async ({ app, verifier }) => {
      await app.load();
      const from = app.messages.length;
      const secret = '1234567890123456789';
      const bad = [
        ['', 'INVALID_ARGUMENT'],
        ['null', 'INVALID_ARGUMENT'],
        ['{"pippin":1', 'INVALID_ARGUMENT'],
        [`{"pippin":1,"type":"prove","id":"x","circuit":"note","inputs":["${secret}"]}`, 'INVALID_ARGUMENT'],
        ['{"pippin":1,"type":"__proto__","id":"x"}', 'INVALID_ARGUMENT'],
        ['{"pippin":2,"type":"prove","id":"x"}', 'UNSUPPORTED_FORMAT'],
        ['{"pippin":1,"type":"prove","id":"../x","circuit":"note","inputs":{}}', 'INVALID_ARGUMENT'],
        ['{"pippin":1,"type":"prove","id":"x","circuit":"constructor","inputs":{}}', 'INVALID_ARGUMENT'],
        [`{"pippin":1,"type":"prove","id":"long","inputs":"${'9'.repeat(2 ** 22)}"}`, 'INVALID_ARGUMENT'],
        [`${'['.repeat(2 ** 20)}`, 'INVALID_ARGUMENT'],
        ['{"pippin":1,"type":"fetch","id":"x"}', 'INVALID_HANDLE'],
      ];
      for (const [text] of bad) await app.sendText(/** @type {string} */ (text));
      await app.prove('deep', { root: nested(100) });
      await app.prove('wrong', { ...INPUTS, amount: secret });
      await app.prove('missing', { root: '1' });
      const ends = [await app.end('deep'), await app.end('wrong'), await app.end('missing')];
      equal(
        ends.map(({ code }) => code),
        ['INVALID_INPUT', 'WITNESS_REJECTED', 'INVALID_INPUT'],
        'refused inputs',
      );
      const codes = app.messages
        .slice(from)
        .filter(({ type, id }) => type === 'failed' && !['deep', 'wrong', 'missing'].includes(id));
      equal(
        codes.map(({ code }) => code),
        bad.map(([, code]) => code),
        'the errors',
      );
      ok(!JSON.stringify(app.messages.slice(from)).includes(secret), 'an error shows an input');
      // Another window or frame has a source and an origin, and is not heard.
      const before = app.messages.length;
      await app.page.evaluate(() => window.postMessage('{"pippin":1,"type":"hello"}', '*'));
      await pause(200);
      equal(app.messages.length, before, 'answers to another window');
      await app.prove('good');
      await verifier.holds(await app.end('good'));
    },
  },

  {
    name: 'does not serve in a frame of another page, nor from a file: address, and says why',
    bridge: androidInterface,
    run: async ({ app }) => {
      await app.page.goto(`${ASSET_ORIGIN}${ASSET_PATH}frame.html`);
      const frame = await app.page.waitForFrame((each) => each.url().endsWith('index.html'));
      await frame.waitForSelector('html[data-state="failed"]');
      ok((await frame.$eval('#detail', (line) => line.textContent))?.includes('a frame'), 'expected the reason');
      await app.page.goto(pathToFileURL(join(webviewDist, 'index.html')).href);
      await pause(500);
      ok((await app.page.$eval('#detail', (line) => line.textContent))?.includes('file:'), 'expected the reason');
      equal(app.messages, [], 'messages');
    },
  },

  {
    name: 'its GPU lost in the background is opened again on return, and a proof is made',
    webgpu: true,
    run: async ({ browser, app, verifier }) => {
      await app.load('backend=webgpu&background=continue');
      await app.prove('before');
      const before = await app.end('before');
      await verifier.holds(before);
      equal(before.backend, 'webgpu', 'the backend');
      const show = await app.hide();
      const devtools = await browser.target().createCDPSession();
      // The process that has the GPU ends, as when a system takes it from apps in the background.
      await devtools.send('Browser.crashGpuProcess').catch(() => undefined);
      await pause(1000);
      await show();
      await app.prove('after');
      const after = await app.end('after');
      await verifier.holds(after);
      const notices = app.messages.filter(({ type }) => type === 'notice').map(({ code }) => code);
      return `${before.ms} ms before and ${after.ms} ms after it, on ${after.backend}; notices: ${notices.join(', ') || 'none'}`;
    },
  },

  {
    name: 'without an app plays one itself, and has no accessibility error in light or dark',
    run: async ({ browser }) => {
      const page = await browser.newPage();
      await page.setViewport({ width: 390, height: 844 });
      for (const value of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        await page.goto(`${ASSET_ORIGIN}${ASSET_PATH}index.html?backend=wasm`);
        await page.waitForSelector('#play:not([hidden])');
        equal(await faults(page), [], `faults in ${value}`);
        await page.click('#prove');
        await page.waitForSelector('html[data-state="done"]', { timeout: 300_000 });
        equal(await faults(page), [], `faults in ${value} after a proof`);
      }
      await page.close();
    },
  },
];

/** What axe-core finds in a page. @param {import('puppeteer-core').Page} page */
async function faults(page) {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
  });
}

/** Arrays in each other. @param {number} depth @returns {unknown} */
function nested(depth) {
  return depth === 0 ? '1' : [nested(depth - 1)];
}
