import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';
import { errorCodes, errorPage } from './errors.mjs';
import { firstSentence, sections, table } from './markdown.mjs';
import { readEntries } from './public-api.mjs';
import { ReferenceWriter } from './reference-markdown.mjs';
import { functionPages, GROUPS, typesSlug } from './reference-pages.mjs';

/** The folder of the pages that are made from the docstrings. It is not kept in the repository. */
const referenceFolder = join(root, 'docs', 'api');

/** @typedef {import('./reference-pages.mjs').Page} Page */

/**
 * All pages of the reference by their file's name, and the pages of functions among them. @returns {{ files:
 * Map<string, string>, pages: readonly Page[] }}
 */
export function referencePages(entries = readEntries()) {
  const pages = functionPages(entries);
  const writer = new ReferenceWriter(
    entries,
    pages,
    errorCodes().map(({ code }) => code),
  );
  const names = [...new Set(entries.map(({ name }) => name))].filter((name) => writer.typesOf(name).length > 0);
  const files = new Map([
    ['index.md', indexPage(pages, names)],
    ['errors.md', errorPage(pages)],
    ...pages.map((page) => /** @type {const} */ ([`${page.slug}.md`, writer.functionPage(page)])),
    ...names.map((name) => /** @type {const} */ ([`${typesSlug(name)}.md`, writer.typesPage(name)])),
    ['sidebar.json', `${JSON.stringify(sidebar(pages, names), undefined, 2)}\n`],
  ]);
  return { files, pages };
}

/** Writes the reference, and says what it has. @returns {string} */
export function writeReference() {
  const { files, pages } = referencePages();
  rmSync(referenceFolder, { recursive: true, force: true });
  mkdirSync(referenceFolder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(referenceFolder, name), text);
  const examples = pages.flatMap(({ call }) => call.docs.examples);
  const running = examples.filter((example) => /^```(js|ts) run/.test(example));
  const without = pages.filter(({ call }) => call.docs.examples.length === 0).map(({ title }) => title);
  const all = without.length === 0 ? 'all have an example' : `no example: ${without.join(', ')}`;
  return `The reference has ${pages.length} pages of functions, ${all} (${running.length} of ${examples.length} run in the tests).`;
}

/** @param {readonly Page[]} pages @param {readonly string[]} names of entries with types */
function indexPage(pages, names) {
  return sections([
    '---\noutline: [2, 2]\n---',
    '# API reference',
    'A page for each function: how it is imported, its options with their defaults, its result, its errors, and an example. ' +
      '[Errors](errors.md) lists all codes. Every example is compiled by the tests, and run where Node can.',
    '`import` works everywhere. In CommonJS, `require` works from Node 20.19 on; TypeScript takes it with `module: "nodenext"` or `"node20"` ' +
      '(from 5.8 on), and with `moduleResolution` `node10` or `bundler`. With `"node16"` or `"node18"` TypeScript refuses it (TS1479): write ' +
      "`await import('pippin-prover')` there.",
    ...GROUPS.flatMap((group) => [
      `## ${group.title}`,
      `From \`${group.entry}\`.`,
      table(
        ['Function', 'What it does'],
        pages
          .filter((page) => page.group === group)
          .map(({ title, slug, call }) => [
            `[\`${title}\`](${slug}.md)`,
            firstSentence(call.docs.text).replaceAll('<', '&lt;'),
          ]),
      ),
    ]),
    '## Types',
    names.map((name) => `- [Types of ${name}](${typesSlug(name)}.md)`).join('\n'),
  ]);
}

/** The navigation, for docs/.vitepress/sidebar.ts. @param {readonly Page[]} pages @param {readonly string[]} names */
function sidebar(pages, names) {
  const item = (/** @type {string} */ text, /** @type {string} */ file) => ({ text, link: `/api/${file}.md` });
  return [
    { text: 'API reference', items: [item('All functions', 'index'), item('Errors', 'errors')] },
    ...GROUPS.map((group) => ({
      text: group.title,
      items: pages.filter((page) => page.group === group).map(({ title, slug }) => item(title, slug)),
    })),
    { text: 'Types', items: names.map((name) => item(name, typesSlug(name))) },
  ];
}
