import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { exampleFolder } from '../lib/example.mjs';
import { mustRun, root } from '../lib/run.mjs';
import { eventually, expect } from '../lib/trials.mjs';
import { npm } from '../release/npm.mjs';

/**
 * The five-minute start of docs/extension.md, from the packed package in an empty folder: its files are those that the
 * page shows.
 *
 * @param {import('../lib/trials.mjs').Trials} trials
 * @param {{ chromium: string, chromiumFlags: string[] }} machine
 */
export async function tryFiveMinutes(trials, machine) {
  console.log('The five-minute start of docs/extension.md');
  const folder = mkdtempSync(join(tmpdir(), 'pippin-start-'));
  try {
    await trials.run('installs and builds', () => install(folder));
    await trials.run('proves', () => prove(join(folder, 'dist'), machine));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function install(folder) {
  const [packed] = JSON.parse(npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder]));
  const tarball = join(folder, packed.filename);
  const files = filesOfPage();
  expect(files.size === 6, `six files in docs/extension.md, got ${[...files.keys()].join(', ')}`);
  mkdirSync(join(folder, 'public'));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  for (const name of ['note.zkey', 'note.wasm', 'input.json']) {
    copyFileSync(join(exampleFolder, 'key', name), join(folder, 'public', name));
  }
  const script = [
    // npm tells what it runs of its own folder and options, and Vite sets NODE_ENV where it builds, for which npm
    // leaves development packages out. A stranger has neither.
    "unset NODE_ENV $(env | sed -n 's/^\\(npm_[A-Za-z0-9_]*\\)=.*/\\1/p') none",
    'npm init -y',
    `npm install --no-audit --no-fund ${tarball}`,
    'npm install --no-audit --no-fund -D vite',
    'npx vite build --logLevel warn',
  ];
  await mustRun('sh', [
    '-c',
    `cd '${folder}' && { ${script.join(' && ')}; } > log.txt 2>&1 || { cat log.txt; exit 1; }`,
  ]);
}

/** The files of the five-minute start, by their names: each code block follows its name in backquotes. */
function filesOfPage() {
  const page = readFileSync(join(root, 'docs', 'extension.md'), 'utf8');
  const start = page.slice(page.indexOf('## Five minutes'), page.indexOf('### Firefox'));
  const blocks = start.matchAll(/`([\w./]+\.(?:json|html|js))`[^`]*:\n\n {3}```\w+\n([\s\S]*?)\n {3}```/g);
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text.replace(/^ {3}/gm, '')]));
}

/** @param {string} extension @param {{ chromium: string, chromiumFlags: string[] }} machine */
async function prove(extension, { chromium, chromiumFlags }) {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    headless: true,
    pipe: true,
    enableExtensions: true,
    args: chromiumFlags,
  });
  try {
    const id = await browser.installExtension(extension);
    const page = await browser.newPage();
    await page.goto(`chrome-extension://${id}/popup.html`);
    await page.click('button');
    const text = () => page.evaluate(() => document.querySelector('output')?.value ?? '');
    await eventually('a proof', async () => (await text()).startsWith('proved in'));
  } finally {
    await browser.close();
  }
}
