import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumFlags, plainFlags } from '../../scripts/lib/chromium.mjs';
import { exampleDist, exampleFolder } from '../../scripts/lib/example.mjs';
import { openExample, waitForReport } from '../../scripts/lib/example-driver.mjs';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import { exampleBrowser } from '../support/example-browser.js';
import { quickest } from '../support/quickest.js';

/**
 * The built example page in headless Chromium, as a visitor has it: proofs on WebGPU and on WASM, the cache,
 * cancelling, switching, with and without cross-origin isolation. `npm test` builds the page first.
 */

type Browser = Awaited<ReturnType<typeof exampleBrowser>>;
type Server = Awaited<ReturnType<typeof serveFolder>>;

const PARTS = ['A', 'B1', 'B2', 'C', 'H'];
const PHONE = { width: 390, height: 844 };

let browser: Browser | undefined;
let server: Server;
let page: Page | undefined;
let complaints: string[] = [];

beforeAll(async () => {
  server = await serveFolder(exampleDist);
});

afterAll(async () => {
  await server?.close();
});

/** Has the tests of a `describe` share a browser. */
function inBrowser(flags?: string[]): void {
  beforeAll(async () => {
    browser = await exampleBrowser(flags);
  });
  afterAll(async () => {
    await browser?.close();
    page = undefined;
    browser = undefined;
  });
}

afterEach(() => {
  // No script error, no broken security policy, no warning of WebGPU.
  expect(complaints).toEqual([]);
});

/** Opens the page anew; the one of the test before is closed. */
async function open(query: string, url = server.url): Promise<Page> {
  await page?.close();
  const opened = await openExample(browser!.context, `${url}?${query}`);
  page = opened.page;
  complaints = opened.complaints;
  return opened.page;
}

async function proveAndWait(on: Page): ReturnType<typeof waitForReport> {
  await on.click('#prove');
  return waitForReport(on, ['verified']);
}

async function readKeyFile(name: string) {
  return JSON.parse(await readFile(join(exampleFolder, 'key', name), 'utf8'));
}

async function snarkjsAccepts({ proof, publicSignals }: { proof: object; publicSignals: string[] }): Promise<boolean> {
  return snarkjs.groth16.verify(await readKeyFile('note.vkey.json'), publicSignals, proof);
}

/** The names of what the page asks the server for, until `stop`. */
function listenForRequests(): { readonly asked: readonly string[]; stop(): void } {
  const asked: string[] = [];
  const { context } = browser!;
  const listen = (request: { url(): string }): void =>
    void asked.push(new URL(request.url()).pathname.split('/').at(-1)!);
  context.on('request', listen);
  return { asked, stop: () => context.off('request', listen) };
}

// One page through all tests on WebGPU, and few proofs: on a software adapter the kernels of a proof are compiled at each
// start of a prover, and each proof takes seconds.
describe('on WebGPU', () => {
  inBrowser(chromiumFlags());
  let visited: Page;
  let cold: Awaited<ReturnType<typeof waitForReport>>;

  test('a first visit prepares the key, and fetches in the background what the workers may need', async () => {
    const requests = listenForRequests();
    visited = await open('backend=webgpu');
    const { start, capabilities } = await waitForReport(visited, ['ready']);
    const spare = ['bn254-scalars', 'chunk-scalars-kernel', 'chunk-deferred-code'];
    await expect.poll(() => spare.filter((name) => !requests.asked.some((file) => file.startsWith(name)))).toEqual([]);
    requests.stop();
    expect(start.cached).toBe(false);
    expect(capabilities).toMatchObject({ backend: 'webgpu', cache: 'indexeddb', crossOriginIsolated: false });
  });

  test('cancelling ends the proof at once; the prover proves again', async () => {
    const cancelMs = await quickest(200, async () => {
      await visited.click('#prove');
      await visited.waitForFunction(() => document.querySelectorAll('.bar.phase-witness').length > 0);
      await visited.click('#cancel');
      const cancelled = await waitForReport(visited, ['cancelled']);
      expect(cancelled.proof).toBeUndefined();
      expect(await visited.locator('#result').isVisible()).toBe(false);
      return cancelled.cancelMs;
    });
    expect(cancelMs).toBeLessThan(200);

    cold = await proveAndWait(visited);
    expect(cold.proof.report.backend).toBe('webgpu');
    expect(Object.keys(cold.proof.report.parts).sort()).toEqual(PARTS);
    expect(cold.proof.verified).toBe(true);
    expect(await snarkjsAccepts(cold.proof)).toBe(true);

    const [note] = await readKeyFile('notes.json');
    expect(cold.proof.publicSignals.slice(1)).toEqual([note.inputs.root, note.inputs.recipient]);

    // What the visitor sees.
    expect(await visited.textContent('#headline')).toBe('Verified');
    expect(await visited.locator('.commitment.known').count()).toBe(3);
    expect(await visited.locator('.lane-webgpu .bar').count()).toBeGreaterThan(0);
    expect(await visited.locator('.lane-wasm .bar').count()).toBeGreaterThan(0);
    expect(await visited.locator('#result').isVisible()).toBe(true);
    const drawn = await visited.locator('.bar').count();
    expect(drawn).toBe(cold.proof.report.timeline.length);
    expect(await visited.locator('#phases tr').count()).toBe(drawn);
  });

  test('switching the backend starts a prover of that kind', async () => {
    await visited.click('label:has(input[value="wasm"])');
    expect((await waitForReport(visited, ['ready'])).capabilities.backend).toBe('wasm');
    const switched = await proveAndWait(visited);
    expect(switched.choice.backend).toBe('wasm');
    expect(new Set(Object.values(switched.proof.report.parts))).toEqual(new Set(['wasm']));
    expect(await visited.locator('.lane-webgpu .bar').count()).toBe(0);
    expect(await snarkjsAccepts(switched.proof)).toBe(true);
  });

  test('the next visit starts from the cache', async () => {
    const warm = await waitForReport(await open('backend=wasm&autorun=1'), ['verified']);
    expect(warm.start.cached).toBe(true);
    expect(Object.keys(warm.start.report.ms).some((phase: string) => phase.startsWith('prepare'))).toBe(false);
    expect(await snarkjsAccepts(warm.proof)).toBe(true);
    // The same note gives the same nullifier, and never the same proof.
    expect(warm.proof.publicSignals).toEqual(cold.proof.publicSignals);
    expect(warm.proof.proof).not.toEqual(cold.proof.proof);
  });
});

/** Visits the page for a first proof, and says which of the curve's WASM modules it loads: one of the kernels, and the others. */
async function expectModules(kernels: readonly string[], others: readonly string[]): Promise<void> {
  const requests = listenForRequests();
  const report = await waitForReport(await open('backend=wasm&autorun=1'), ['verified']);
  requests.stop();
  expect(await snarkjsAccepts(report.proof)).toBe(true);
  // The build puts a hash behind the name.
  const modules = requests.asked.flatMap((file) => /^bn254(-scalars|-roots)?(-fma|-simd)?(?=-)/.exec(file)?.[0] ?? []);
  expect(modules.filter((module) => !kernels.includes(module)).sort()).toEqual(others);
  expect(modules).toHaveLength(3);
}

describe('on the WASM workers', () => {
  inBrowser();

  test('a first visit loads one kernel of WASM, with fused multiply-add', async () => {
    await expectModules(['bn254-fma'], ['bn254-roots-fma', 'bn254-scalars-fma']);
  });

  test('the number of workers is the chosen one', async () => {
    const opened = await open('backend=wasm&threads=1&autorun=1');
    const report = await waitForReport(opened, ['verified']);
    expect(report.capabilities.threads).toBe(1);
    await opened.selectOption('#threads', '2');
    expect((await waitForReport(opened, ['ready'])).capabilities.threads).toBe(2);
  });

  test('another note and another recipient go into the proof; what is no address does not', async () => {
    const opened = await open('backend=wasm');
    await waitForReport(opened, ['ready']);
    await opened.click('label.note:has-text("Harbour")');
    await opened.fill('#recipient', '0x12');
    await opened.click('#prove');
    expect(await opened.getAttribute('html', 'data-state')).toBe('ready');

    const recipient = `0x${'b0'.repeat(20)}`;
    await opened.fill('#recipient', recipient);
    const { proof } = await proveAndWait(opened);
    expect(proof.publicSignals[2]).toBe(BigInt(recipient).toString());
    expect(await snarkjsAccepts(proof)).toBe(true);
    const redirected = [...proof.publicSignals.slice(0, 2), '1'];
    expect(await snarkjsAccepts({ ...proof, publicSignals: redirected })).toBe(false);
  });

  test('forgetting the cache means preparing again, starting again does not', async () => {
    const opened = await open('backend=wasm');
    await waitForReport(opened, ['ready']);
    const start = async (button: string) => {
      await opened.click(button);
      await opened.waitForSelector('html[data-state="starting"]', { state: 'attached' });
      return (await waitForReport(opened, ['ready'])).start.cached;
    };
    expect(await start('#forget')).toBe(false);
    expect(await start('#restart')).toBe(true);
    expect(await opened.textContent('#starts-help')).toMatch(/Reading the prepared key/);
  });

  test('the page gives frames all the while, fits a phone, and works by keyboard', async () => {
    const opened = await open('backend=wasm');
    await opened.setViewportSize(PHONE);
    await waitForReport(opened, ['ready']);
    const longestFrame = await quickest(250, async () => {
      await opened.focus('input[name="note"]');
      await opened.keyboard.press('ArrowDown');
      await opened.keyboard.press('Enter');
      await opened.waitForSelector('html[data-state="proving"]', { state: 'attached' });
      const { frames } = await waitForReport(opened, ['verified']);
      expect(frames.count).toBeGreaterThan(5);
      return frames.longest;
    });
    expect(longestFrame).toBeLessThan(250);
    // The idle page is measured when nothing is under way, and told beside the picture.
    const idle = await opened.waitForSelector('#frames[data-idle]');
    expect(Number(await idle.getAttribute('data-idle'))).toBeGreaterThan(0);
    expect(await opened.textContent('#frames-help')).toMatch(/Idle, it is [\d.]+ m?s at most on this device/);
    const overflow = await opened.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await opened.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('note');
  });

  test('proves in a cross-origin isolated page too', async () => {
    const isolated = await serveFolder(exampleDist, { isolated: true });
    try {
      const opened = await open('backend=wasm&autorun=1', isolated.url);
      const report = await waitForReport(opened, ['verified']);
      expect(report.capabilities.crossOriginIsolated).toBe(true);
      expect(report.proof.verified).toBe(true);
    } finally {
      await isolated.close();
    }
  });

  test('without WebGPU there is a clear error when it was asked for, WASM and a notice when it was not', async () => {
    const opened = await open('backend=webgpu');
    const failed = await waitForReport(opened, ['failed']);
    expect(failed.error.code).toBe('WEBGPU_UNAVAILABLE');
    expect(await opened.isEnabled('#prove')).toBe(false);

    await opened.goto(`${server.url}?autorun=1`);
    const report = await waitForReport(opened, ['verified']);
    expect(report.proof.report.backend).toBe('wasm');
    expect(report.notices.map(({ code }: { code: string }) => code)).toContain('WEBGPU_UNAVAILABLE');
    expect(await opened.isVisible('#gpu-note')).toBe(true);
    // Who chose the workers is not told what a GPU would do.
    await opened.click('label:has(input[value="wasm"])');
    await waitForReport(opened, ['ready']);
    expect(await opened.isVisible('#gpu-note')).toBe(false);
  });
});

describe('on a machine without fused multiply-add', () => {
  inBrowser([...plainFlags(), '--disable-gpu', '--js-flags=--no-enable-fma3']);

  test('a first visit loads one kernel of WASM, plain or with SIMD', async () => {
    // Which of these two is measured there.
    await expectModules(['bn254', 'bn254-simd'], ['bn254-roots', 'bn254-scalars']);
  });
});
