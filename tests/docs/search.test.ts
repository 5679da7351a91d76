import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createMarkdownRenderer, type MarkdownEnv } from 'vitepress';
import { beforeAll, expect, it } from 'vitest';
import { search } from '../../docs/.vitepress/search.js';
import { WANTED } from '../../scripts/docs/search.mjs';
import { root } from '../support/root.js';

/** MiniSearch, which VitePress searches with. */
const MiniSearch = createRequire(createRequire(import.meta.url).resolve('vitepress'))('minisearch');

const pages = join(root, 'docs');

/** A page of the reference that has a word everywhere, and must all the same come behind the guides. */
const referencePage = (word: string): string => `# ${word}\n\n${`${word} `.repeat(40)}\n\n## ${word}\n\n${word}\n`;

/** VitePress's renderer; its types of markdown-it are of another copy than those of `_render`. */
const renderer = async (): Promise<Parameters<NonNullable<typeof search._render>>[2]> =>
  (await createMarkdownRenderer(pages, { highlight: (code) => code })) as never;

let find: (text: string) => string[];
/**
 * The index as VitePress makes it: a document for each heading. `npm run docs` asks that of the built pages the same.
 */
beforeAll(async () => {
  const md = await renderer();
  const index = new MiniSearch({
    fields: ['title', 'titles', 'text'],
    searchOptions: { fuzzy: 0.2, prefix: true, ...search.miniSearch?.searchOptions },
  });
  const add = async (path: string, source: string): Promise<void> => {
    const env: MarkdownEnv = { path: join(pages, path), relativePath: path, cleanUrls: false };
    const html = await search._render!(source, env, md);
    const titles: string[] = [];
    for (const [, level = '1', heading = '', text = ''] of html.matchAll(/<h(\d)[^>]*>(.*?)<\/h\1>(.*?)(?=<h\d|$)/gs)) {
      titles.splice(Number(level) - 1, titles.length, plain(heading));
      const id = `/${path.replace(/(index|README)?\.md$/, '')}#${titles.join('/')}`;
      index.add({ id, title: titles.at(-1), titles: titles.slice(0, -1), text: plain(text) });
    }
  };
  const names = readdirSync(pages, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  for (const name of names.filter((each) => /^(?!api\/|\.vitepress\/).*\.md$/.test(each)).sort()) {
    const file = name === 'changelog.md' ? join(root, 'CHANGELOG.md') : join(pages, name);
    const frontmatter = /^---\n.*?\n---\n/s.exec(readFileSync(join(pages, name), 'utf8'))?.[0] ?? '';
    await add(
      name,
      file.endsWith('CHANGELOG.md') ? frontmatter + readFileSync(file, 'utf8') : readFileSync(file, 'utf8'),
    );
  }
  for (const word of Object.keys(WANTED)) await add(`api/index/functions/${word}.md`, referencePage(word));
  find = (text) => [...new Set<string>(index.search(text).map(({ id }: { id: string }) => id.replace(/#.*$/, '')))];
}, 120_000);

const plain = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

it.each(Object.entries(WANTED))('a search for “%s” finds %s first', (word, page) => {
  expect(find(word)[0]).toBe(page);
});

it('words are matched in the case that people type them', () => {
  for (const [word, page] of Object.entries(WANTED)) expect(find(word.toLowerCase())[0]).toBe(page);
});

it('a page that is not to be searched is not', async () => {
  const md = await renderer();
  const env: MarkdownEnv = { path: join(pages, 'a.md'), relativePath: 'a.md', cleanUrls: false };
  expect(await search._render!('---\nsearch: false\n---\n\n# Hidden\n', env, md)).toBe('');
});
