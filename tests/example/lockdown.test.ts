import { copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleDist } from '../../scripts/lib/example.mjs';
import { openExample, waitForReport } from '../../scripts/lib/example-driver.mjs';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import { exampleBrowser } from '../support/example-browser.js';
import { sesFolder } from '../support/ses.js';

/**
 * The built example page in headless Chromium, with the intrinsics frozen by SES' `lockdown` before the page's own script runs, under a content
 * security policy that has no `unsafe-eval` and requires Trusted Types. `npm test` builds the page first.
 */

/** Eval is left to the policy, which forbids it to scripts but not to the driver of the browser. The page writes numbers as its visitor does. */
const LOCKDOWN = "lockdown({ evalTaming: 'unsafe-eval', localeTaming: 'unsafe', overrideTaming: 'min' });\n";
/** What SES itself says: it tries whether there is eval, and takes away what it does not know. */
const OF_SES = /^This document requires 'TrustedScript' assignment|^Removing intrinsics\./;
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "require-trusted-types-for 'script'; trusted-types pippin-prover";
const WORKERS = /^(coordinator|kernel|witness)-.*\.js$/;

let browser: Awaited<ReturnType<typeof exampleBrowser>>;
let folder: string;
beforeAll(async () => {
  browser = await exampleBrowser();
  folder = await mkdtemp(join(tmpdir(), 'pippin-locked-page-'));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A copy of the page that locks itself down, and its workers if `everywhere`. */
async function lockedPage(everywhere: boolean): Promise<string> {
  const page = join(folder, everywhere ? 'everywhere' : 'page');
  await cp(exampleDist, page, { recursive: true });
  await copyFile(join(sesFolder, 'dist', 'ses.umd.min.js'), join(page, 'ses.js'));
  await writeFile(join(page, 'lockdown.js'), LOCKDOWN);
  const html = await readFile(join(page, 'index.html'), 'utf8');
  const scripts = '<script src="./ses.js"></script><script src="./lockdown.js"></script>';
  await writeFile(join(page, 'index.html'), html.replace('<head>', `<head>${scripts}`));
  if (!everywhere) return page;
  const assets = join(page, 'assets');
  const workers = (await readdir(assets)).filter((name) => WORKERS.test(name));
  expect(workers).toHaveLength(3);
  for (const name of workers) {
    const script = await readFile(join(assets, name), 'utf8');
    await writeFile(join(assets, name), `import '../ses.js';import '../lockdown.js';${script}`);
  }
  return page;
}

test.each([
  ['page', false],
  ['page and its workers', true],
])('a locked down %s proves under a strict policy, and nothing breaks it', async (_, everywhere) => {
  const server = await serveFolder(await lockedPage(everywhere), { headers: { 'Content-Security-Policy': POLICY } });
  try {
    const { page, complaints } = await openExample(browser.context, `${server.url}?backend=wasm&autorun=1`);
    const report = await waitForReport(page, ['verified']);
    expect(report.proof.verified).toBe(true);
    expect(report.proof.report.backend).toBe('wasm');
    const frozen = () => Object.isFrozen(Array.prototype) && Object.isFrozen(Promise);
    expect(await page.evaluate(frozen)).toBe(true);
    const inWorkers = await Promise.all(page.workers().map((worker) => worker.evaluate(frozen)));
    expect(inWorkers.length).toBeGreaterThan(0);
    expect(new Set(inWorkers)).toEqual(new Set([everywhere]));
    await page.close();
    expect(complaints.filter((text) => !OF_SES.test(text))).toEqual([]);
  } finally {
    await server.close();
  }
});
