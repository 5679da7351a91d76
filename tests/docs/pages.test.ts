import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMarkdownRenderer, type MarkdownEnv } from 'vitepress';
import { beforeAll, describe, expect, it } from 'vitest';
import config from '../../docs/.vitepress/config.js';
import { descriptionOf } from '../../docs/.vitepress/description.js';
import { deadAnchors } from '../../scripts/docs/anchors.mjs';
import { contentErrors, documentErrors, headErrors } from '../../scripts/docs/page-checks.mjs';
import { referencePages } from '../../scripts/docs/reference.mjs';
import { root } from '../support/root.js';

const folder = join(root, 'docs');

interface Page {
  readonly html: string;
  readonly title: string;
  readonly description: string;
}

/**
 * Every page as VitePress renders its contents, by its path on the site. `npm run docs` asks the same of the documents as
 * built, and how large they are.
 */
const pages = new Map<string, Page>();

beforeAll(async () => {
  const md = await createMarkdownRenderer(folder, { ...config.markdown, highlight: (code) => code });
  const add = (name: string, source: string): void => {
    const isChangelog = name === 'changelog.md';
    const env: MarkdownEnv = { path: join(folder, name), relativePath: name, cleanUrls: false };
    const html = md.render(isChangelog ? readFileSync(join(root, 'CHANGELOG.md'), 'utf8') : source, env);
    const path = `/${name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')}`;
    const title = `${env.frontmatter?.title ?? env.title} | ${config.title}`;
    pages.set(path, { html, title, description: descriptionOf(source, config.description ?? '') });
  };
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  for (const name of names.filter((each) => /^(?!api\/|\.vitepress\/|index\.md).*\.md$/.test(each))) {
    add(name, readFileSync(join(folder, name), 'utf8'));
  }
  for (const [name, source] of referencePages().files) if (name.endsWith('.md')) add(`api/${name}`, source);
}, 120_000);

const faults = (of: (page: Page) => string[]): string[] =>
  [...pages].flatMap(([path, page]) => of(page).map((error) => `${path}: ${error}`));

describe('every page of the docs', () => {
  it('has one h1, headings in order, alternative texts, and links with text', () => {
    expect(pages.size).toBeGreaterThan(200);
    expect(faults(({ html }) => contentErrors(html))).toEqual([]);
  });

  it('has a title and a description of a length that is shown whole', () => {
    expect(faults(({ title, description }) => headErrors(title, description))).toEqual([]);
  });

  it('has a description that is its own, or of the same function of three proof systems', () => {
    const counts = new Map<string, number>();
    for (const { description } of pages.values()) counts.set(description, (counts.get(description) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 3)).toEqual([]);
  });

  it('links to places that are there', () => {
    const start = ['/index.html', ''] as const;
    expect(deadAnchors(new Map([start, ...[...pages].map(([path, { html }]) => [path, html] as const)]), '/')).toEqual(
      [],
    );
  });
});

describe('the checks find', () => {
  const page = (body: string): string =>
    `<html lang="en"><head><meta name="viewport" content="width=device-width"><title>A page of ours</title>` +
    `<meta name="description" content="${'word '.repeat(15)}"></head><body><h2>Menu</h2><div id="VPContent">${body}</div>`;
  const sound = '<main><h1>One</h1><h2>Two</h2><a href="/">Home</a><img src="a.svg" alt=""></main>';

  it('nothing in a sound page', () => {
    expect(documentErrors(page(sound))).toEqual([]);
  });

  it.each([
    ['a missing language', page(sound).replace(' lang="en"', '')],
    ['a missing viewport', page(sound).replace('viewport', 'other')],
    ['a short title', page(sound).replace('A page of ours', 'A page')],
    ['a missing description', page(sound).replace('"description"', '"other"')],
    ['missing contents', page(sound).replace('VPContent', 'other')],
    ['a second h1', page(`${sound}<h1>More</h1>`)],
    ['no h1', page('<main><a href="/">Home</a></main>')],
    ['a heading that is left out', page(`${sound}<h4>Four</h4>`)],
    ['an empty heading', page(`${sound}<h3> <b></b></h3>`)],
    ['a picture without a text', page(`${sound}<img src="b.svg">`)],
    ['a link without a text', page(`${sound}<a href="/b"><img src="b.svg" alt=""></a>`)],
  ])('%s', (_, html) => {
    expect(documentErrors(html)).toHaveLength(1);
  });

  it('links to pages and places that are not there', () => {
    const linked = new Map([
      ['/a.html', '<a href="./b.html#there">b</a><a href="./b.html#gone">b</a><a href="/c.html">c</a>'],
      ['/b.html', '<h2 id="there">There</h2>'],
    ]);
    expect(deadAnchors(linked, '/')).toHaveLength(2);
  });
});

describe('a description', () => {
  it('is of the sentences that a page opens with', () => {
    const source =
      '---\na: b\n---\n# Title\n\n![p](p.svg)\n\nA **bold** `word` and [a link](b.md#c) that is long enough to say it.\n\nMore.';
    expect(descriptionOf(source, 'x')).toBe('A bold word and a link that is long enough to say it.');
  });

  it('is cut between sentences, or else between words', () => {
    const sentence = 'This sentence has some fifty characters in all, or so.';
    expect(descriptionOf(`${sentence} ${sentence} ${sentence} ${sentence}`, '')).toBe(`${sentence} ${sentence}`);
    const long = descriptionOf('word '.repeat(60), '');
    expect(long.endsWith(' word…') && long.length <= 160).toBe(true);
  });

  it('goes on with what follows where a page opens with few words', () => {
    expect(
      descriptionOf('# A "b"\n\n"Short".\n\n- one', 'The site says what it is in a sentence of so many words.'),
    ).toMatch(/^“Short”\. The site/);
  });
});
