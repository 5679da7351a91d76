import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openExample } from '../lib/example-driver.mjs';
import { eventually, expect } from '../lib/trials.mjs';
import { ceremonyFiles, expectKeyOfCeremony } from './ceremony-files.mjs';
import { dropFiles } from './drop-files.mjs';

/** Scripts of workers, which a test holds back so that a contribution goes on as long as one looks at it. */
const WORKERS = /\/kernel-[^/]*\.js$/;

/**
 * The page that contributes to a ceremony in each of its main states: a key is opened, the contribution interrupted by a
 * reload and by the visitor, then made, kept over a reload, downloaded and verified.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {Awaited<ReturnType<typeof import('./held-server.mjs').serveHeld>>} server
 * @returns {AsyncGenerator<{ name: string, page: import('playwright-core').Page }>}
 */
export async function* ceremonyStates(context, server) {
  const files = await ceremonyFiles();
  const key = { name: basename(files.key), bytes: readFileSync(files.key) };
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(server.url).origin });
  // No test can answer the dialog in which Chromium asks for the file's place.
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
  const { page, complaints } = await openExample(context, server.url);
  await reached(page, 'ready');
  yield { name: 'start', page };

  await dropFiles(page, [{ name: 'holiday.jpg', bytes: Buffer.from('\xff\xd8\xff\xe0', 'latin1') }]);
  await reached(page, 'failed');
  await says(page, '#headline', 'This is not a key, or a damaged one');
  await page.click('#failure summary');
  yield { name: 'wrong-file', page };

  await dropFiles(page, [key]);
  await reached(page, 'ready');
  await says(page, '#key-facts', 'contributor 2');
  expect(!(await page.isVisible('#cancel')), 'no button to cancel where nothing is under way');
  await page.click('#history-box summary');
  await says(page, '#history', 'Ada');
  yield { name: 'opened', page };

  await movePointer(page);
  await page.fill('#name', 'Grace Hopper');
  const held = server.hold(WORKERS);
  await page.click('#start');
  await held.asked;
  yield { name: 'computing', page };

  await page.reload();
  held.release();
  await reached(page, 'cancelled');
  await says(page, '#headline', 'Interrupted');
  expect((await page.inputValue('#name')) === 'Grace Hopper', 'the name after a reload');
  await says(page, '#key-name', key.name);
  expect((await kept(page)).join() === 'opened.zkey,record.json', 'the key and a record after a reload');
  yield { name: 'interrupted', page };

  const stopped = server.hold(WORKERS);
  await page.click('#start');
  await stopped.asked;
  await page.click('#cancel');
  await reached(page, 'cancelled');
  stopped.release();
  await eventually('no worker after a cancelled contribution', () => page.workers().length === 0);
  expect((await kept(page)).join() === 'opened.zkey,record.json', 'nothing of a cancelled contribution');

  await movePointer(page);
  await page.click('#start');
  await reached(page, 'verified');
  const hash = await page.textContent('#hash');
  await page.reload();
  await reached(page, 'verified');
  expect((await page.textContent('#hash')) === hash, 'the contribution after a reload');
  expect((await kept(page)).join() === 'new.zkey,record.json', 'the new key after a reload');
  yield { name: 'done', page };

  const downloading = page.waitForEvent('download');
  await page.click('#save');
  const download = await downloading;
  expect(download.suggestedFilename() === 'chain_0002.zkey', `chain_0002.zkey, got ${download.suggestedFilename()}`);
  const contributions = await expectKeyOfCeremony(await download.path());
  const last = contributions.at(-1);
  expect(last?.name === 'Grace Hopper' && last.hash === hash?.replaceAll(' ', ''), 'the shown hash in the key');
  await says(page, '#copy-text', 'When the file is there');

  await page.click('#copy');
  await says(page, '#copy', 'Copied');
  const attestation = await page.evaluate(() => navigator.clipboard.readText());
  expect(attestation.includes('Name: Grace Hopper') && attestation.replace(/\s/g, '').includes(last.hash), 'the hash');

  await page.click('#verify-box summary');
  await page.setInputFiles('#verify-files', files.key);
  await page.click('#verify');
  await says(page, '#verify-outcome', 'The key does not hold: the first key has contributions itself.');
  yield { name: 'not-valid', page };

  await page.setInputFiles('#verify-files', [files.first, files.ptau]);
  await page.click('#verify');
  await says(page, '#verify-outcome', 'The key holds: 2 contributions');
  yield { name: 'valid', page };

  await page.click('#forget');
  await says(page, '#copy-text', 'The copy here was deleted.');
  expect((await kept(page)).join() === 'record.json', 'no key after it was deleted');
  await page.reload();
  await reached(page, 'verified');
  yield { name: 'deleted', page };

  const other = await openExample(context, server.url);
  await says(other.page, '#notices', 'open in another tab');
  yield { name: 'second-tab', page: other.page };
  await other.page.close();

  await page.click('#another');
  await reached(page, 'ready');
  expect((await kept(page)).length === 0, 'nothing on the device before another key is opened');
  await byKeyboardToFile(page, files);
  await page.close();
  yield* withoutFileSystem(context, server, files);
  const wrong = [...complaints, ...other.complaints];
  expect(wrong.length === 0, `no error in the console, got ${wrong.join('; ')}`);
}

/**
 * Contributes by keyboard alone, and saves to a file whose place the visitor has chosen.
 *
 * @param {import('playwright-core').Page} page @param {Awaited<ReturnType<typeof ceremonyFiles>>} files
 */
async function byKeyboardToFile(page, files) {
  await page.setInputFiles('#file', files.first);
  await says(page, '#key-facts', 'contributor 1');
  await reached(page, 'ready');
  await page.focus('#typed');
  await page.keyboard.type('the quick brown fox jumps over the lazy dog');
  await page.keyboard.press('Tab');
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Enter');
  await reached(page, 'verified');
  await page.evaluate(() => {
    Object.assign(globalThis, {
      showSaveFilePicker: async () =>
        (await navigator.storage.getDirectory()).getFileHandle('saved.zkey', { create: true }),
    });
  });
  await page.click('#save');
  await says(page, '#copy-text', 'saved as saved.zkey');
  expect((await kept(page)).join() === 'record.json', 'no copy of a key that was saved');
  await page.click('#verify-box summary');
  await page.setInputFiles('#verify-files', [files.r1cs, files.ptau]);
  await page.click('#verify');
  await says(page, '#verify-outcome', 'The key holds, and its only contribution is yours.');
}

/**
 * Browsers whose private file system has no streams keep the key in IndexedDB.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {Awaited<ReturnType<typeof import('./held-server.mjs').serveHeld>>} server
 * @param {Awaited<ReturnType<typeof ceremonyFiles>>} files
 * @returns {AsyncGenerator<{ name: string, page: import('playwright-core').Page }>}
 */
async function* withoutFileSystem(context, server, files) {
  const page = await context.newPage();
  await page.addInitScript(() => Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createWritable'));
  await page.goto(server.url);
  await page.setInputFiles('#file', files.key);
  await says(page, '#key-facts', 'contributor 2');
  await reached(page, 'ready');
  await page.click('#start');
  await reached(page, 'verified');
  const hash = await page.textContent('#hash');
  await page.reload();
  await reached(page, 'verified');
  expect((await page.textContent('#hash')) === hash, 'the contribution from IndexedDB');
  const downloading = page.waitForEvent('download');
  await page.click('#save');
  const contributions = await expectKeyOfCeremony(await (await downloading).path());
  expect(contributions.at(-1)?.hash === hash?.replaceAll(' ', ''), 'the shown hash in the key');
  yield { name: 'from-indexeddb', page };
  await page.close();
}

/** @param {import('playwright-core').Page} page @param {string} state */
async function reached(page, state) {
  await page.waitForSelector(`html[data-state="${state}"]`, { state: 'attached' });
}

/** @param {import('playwright-core').Page} page @param {string} selector @param {string} text */
async function says(page, selector, text) {
  await page.waitForFunction(
    ([where, what]) => document.querySelector(where)?.textContent?.includes(what),
    [selector, text],
  );
}

/** Moves the pointer until the meter is full: the browser may take several movements for one. @param {import('playwright-core').Page} page */
async function movePointer(page) {
  await eventually('a full meter', async () => {
    await page.mouse.move(20, 20);
    await page.mouse.move(300, 380, { steps: 50 });
    return page.evaluate(() => /** @type {any} */ (document.querySelector('#collected')).value === 1);
  });
}

/** The files that the page keeps. @param {import('playwright-core').Page} page */
function kept(page) {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('pippin-ceremony');
    const names = [];
    for await (const name of /** @type {any} */ (folder).keys()) names.push(name);
    return names.sort();
  });
}
