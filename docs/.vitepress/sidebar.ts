import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const pages = fileURLToPath(new URL('..', import.meta.url));

/** The navigation: what a reader wants first stands first. The reference and the records of what was tried are long, and have lists of their own. */
export function sidebar(): DefaultTheme.SidebarMulti {
  return {
    '/': guides(),
    '/strategies/': [{ text: 'What was tried', items: pagesOf('strategies') }],
    '/api/': reference(),
  };
}

function guides(): Item[] {
  return [
    { text: 'Start', items: [page('guide/start-page.md', 'In a page'), page('guide/start-node.md', 'In Node')] },
    {
      text: 'Guides',
      items: [
        page('extension.md', 'Browser extension'),
        page('webview.md', 'Webview of a mobile app'),
        page('server.md', 'Prover farm'),
        page('scale.md', 'A farm at scale'),
        page('consumers.md', 'Bundlers, Next.js, runtimes'),
        page('cdn.md', 'From a CDN'),
        page('guide/node-server.md', 'Node server'),
        page('guide/farm-http.md', 'Prover farm over HTTP'),
        page('guide/proving.md', 'Proving in detail'),
        page('guide/deploying.md', 'Deploying'),
        page('guide/caching.md', 'Caching and keys'),
        page('guide/memory.md', 'Memory'),
        page('moving-from-snarkjs.md', 'Moving from snarkjs'),
        page('guide/what-runs-where.md', 'What runs where'),
        page('guide/command-line.md', 'Command line'),
        page('security.md', 'Security model'),
        page('icicle.md', 'For those who know ICICLE'),
      ].filter(exists),
    },
    { text: 'Recipes', items: pagesOf('recipes') },
    {
      text: 'How it works',
      items: [page('guide/how-it-works.md', 'In pictures'), page('architecture.md', 'How it is built')],
    },
    {
      text: 'Performance',
      items: [
        page('guide/figures.md', 'In plots'),
        page('performance.md', 'All figures'),
        page('reliability.md', 'Reliability'),
        page('strategies/README.md', 'What was tried'),
      ],
    },
  ];
}

function page(path: string, text: string): Item {
  return { text, link: `/${path}` };
}

function exists({ link }: Item): boolean {
  return link !== undefined && existsSync(join(pages, link));
}

/** The pages of a folder by their headings, the folder's own first. */
function pagesOf(folder: string): Item[] {
  const isFirst = (name: string): boolean => name === 'index.md' || name === 'README.md';
  return readdirSync(join(pages, folder))
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a.localeCompare(b))
    .map((name) => page(`${folder}/${name}`, headingOf(join(pages, folder, name))));
}

function headingOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file;
}

/** Entries whose pages TypeDoc names after their source files, by the names that callers know. They come first. */
const ENTRIES: Readonly<Record<string, string>> = {
  index: 'pippin-prover',
  node: 'pippin-prover in Node',
  farm: 'pippin-farm',
};

/** What an entry has, in the order of what a reader looks for; folders of TypeDoc. */
const KINDS = ['functions', 'classes', 'interfaces', 'type-aliases', 'variables'];

/** The generated pages: the errors, and each entry with its functions, interfaces and types. */
function reference(): Item[] {
  const folder = join(pages, 'api');
  if (!existsSync(folder)) return [];
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !(entry.name in ENTRIES))
    .map(({ name }) => name);
  return [
    { text: 'API reference', items: [page('api/index.md', 'Entries'), page('api/errors.md', 'Errors')] },
    ...[...Object.keys(ENTRIES), ...others].map((name) => ({
      text: ENTRIES[name] ?? `pippin-prover/${name}`,
      items: [
        page(`api/${name}/index.md`, 'Overview'),
        ...KINDS.flatMap((kind) =>
          filesIn(join(folder, name, kind)).map((file) =>
            page(`api/${name}/${kind}/${file}`, file.replace(/\.md$/, '')),
          ),
        ),
      ],
    })),
  ];
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
