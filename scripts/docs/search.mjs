import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** MiniSearch, which VitePress searches with. */
const MiniSearch = createRequire(createRequire(import.meta.url).resolve('vitepress'))('minisearch');

/** What people type, and the page that must come first. */
export const WANTED = {
  migration: '/moving-from-snarkjs',
  troubleshooting: '/guide/troubleshooting',
  telemetry: '/guide/telemetry',
  logging: '/guide/telemetry',
  changelog: '/changelog',
  CSP: '/guide/deploying',
  docker: '/guide/node-server',
  'getting started': '/guide/start-page',
  Svelte: '/guide/svelte',
  compression: '/guide/keys-at-scale',
  'progress bar': '/recipes/progress',
  'generate a proof': '/recipes/prove',
  Safari: '/guide/tried-on',
  'Next.js': '/guide/nextjs',
};

/**
 * Searches in built pages as their search box does.
 *
 * @param {string} folder of the built pages
 * @returns {Promise<(text: string) => string[]>} gives the pages that are found, best first, each once and without its
 * ending
 */
export async function openSearch(folder) {
  const chunks = join(folder, 'assets', 'chunks');
  const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndex'));
  if (name === undefined) throw new Error(`expected an index of the search in ${chunks}, got none`);
  const { default: index } = await import(pathToFileURL(join(chunks, name)).href);
  const options = searchOptionsOf(readFileSync(join(folder, 'index.html'), 'utf8'));
  // The defaults are VitePress's (VPLocalSearchBox.vue).
  const search = MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...options },
  });
  return (text) => [
    ...new Set(search.search(text).map((/** @type {{ id: string }} */ { id }) => id.replace(/(\.html)?(#.*)?$/, ''))),
  ];
}

/** The search's options as a built page has them, functions as their text. @param {string} html */
function searchOptionsOf(html) {
  const text = /__VP_SITE_DATA__=(?:deserializeFunctions\()?JSON\.parse\(("(?:[^"\\]|\\.)*")\)/.exec(html)?.[1];
  if (text === undefined) throw new Error('expected the data of the site in its start page, got none');
  const { themeConfig } = JSON.parse(JSON.parse(text));
  return revive(themeConfig.search.options.miniSearch.searchOptions);
}

/** @param {any} value @returns {any} */
function revive(value) {
  if (typeof value === 'string' && value.startsWith('_vp-fn_')) return new Function(`return ${value.slice(7)}`)();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revive(member)]));
}

/**
 * The words of `WANTED` whose page does not come first.
 *
 * @param {string} folder of the built pages
 * @param {string} base the folder of the server where they will lie
 * @returns {Promise<string[]>} a line for each
 */
export async function misplacedWords(folder, base) {
  const search = await openSearch(folder);
  return Object.entries(WANTED).flatMap(([word, page]) => {
    const [first, second] = search(word).map((path) => path.replace(base, '/'));
    return first === page
      ? []
      : [`a search for “${word}” finds ${first}, then ${second}, where ${page} is to come first`];
  });
}
