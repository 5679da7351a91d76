import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const pages = fileURLToPath(new URL('..', import.meta.url));

/**
 * The navigation: what a reader wants first stands first. The reference and the records of what was tried are long, and
 * have lists of their own.
 */
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

/** The generated pages, whose list `npm run docs` writes beside them (scripts/docs/reference.mjs). */
function reference(): Item[] {
  const list = join(pages, 'api', 'sidebar.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Item[]) : [];
}
