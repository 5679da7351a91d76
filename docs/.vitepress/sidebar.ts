import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const pages = fileURLToPath(new URL('..', import.meta.url));

/**
 * The navigation: what a reader needs stands first, what builders of Pippin need behind it. The reference and the
 * records of what was tried are long, and have lists of their own.
 */
export function sidebar(): DefaultTheme.SidebarMulti {
  return {
    '/': [
      ...readersPages(),
      { text: 'Recipes', items: pagesOf('recipes') },
      { text: 'For builders', items: BUILDERS_PAGES },
    ],
    '/strategies/': [
      { text: 'What was tried', items: pagesOf('strategies') },
      { text: 'For builders', items: BUILDERS_PAGES },
    ],
    '/api/': reference(),
  };
}

function readersPages(): Item[] {
  return [
    {
      text: 'Start',
      items: [
        page('guide/start-page.md', 'In a page'),
        page('guide/start-node.md', 'In Node'),
        page('moving-from-snarkjs.md', 'Moving from snarkjs'),
        page('guide/index.md', 'All guides'),
      ],
    },
    {
      text: 'Where it is built in',
      items: [
        page('guide/react.md', 'React'),
        page('guide/nextjs.md', 'Next.js'),
        page('guide/vue.md', 'Vue'),
        page('guide/svelte.md', 'Svelte'),
        page('cdn.md', 'From a CDN'),
        page('extension.md', 'Browser extension'),
        page('webview.md', 'Webview of a mobile app'),
        page('guide/expo.md', 'Expo'),
        page('consumers.md', 'Bundlers and runtimes'),
      ].filter(exists),
    },
    {
      text: 'Guides',
      items: [
        page('guide/proving.md', 'Proving in detail'),
        page('guide/plonk.md', 'PLONK and FFLONK'),
        page('guide/queue.md', 'A queue for a wallet'),
        page('guide/ceremony.md', 'A ceremony in a page'),
        page('guide/caching.md', 'Caching and keys'),
        page('guide/keys-at-scale.md', 'Keys at scale'),
        page('guide/memory.md', 'Memory'),
        page('guide/deploying.md', 'Deploying'),
        page('guide/what-runs-where.md', 'What runs where'),
        page('guide/tried-on.md', 'Tried on'),
        page('guide/telemetry.md', 'Telemetry and logging'),
        page('guide/upgrading.md', 'Upgrading'),
        page('guide/troubleshooting.md', 'Troubleshooting'),
        page('security.md', 'Security model'),
      ].filter(exists),
    },
    {
      text: 'On servers',
      items: [
        page('guide/node-server.md', 'Node server'),
        page('guide/command-line.md', 'Command line'),
        page('server.md', 'Prover farm'),
        page('guide/farm-http.md', 'Prover farm over HTTP'),
        page('scale.md', 'A farm at scale'),
      ].filter(exists),
    },
    {
      text: 'Look up',
      items: [
        page('api/index.md', 'API reference'),
        page('api/errors.md', 'Errors'),
        page('guide/figures.md', 'Performance in plots'),
        page('changelog.md', 'Changelog'),
      ],
    },
  ];
}

const BUILDERS_PAGES: Item[] = [
  page('guide/how-it-works.md', 'How it works, in pictures'),
  page('architecture.md', 'How it is built'),
  page('performance.md', 'All figures'),
  page('reliability.md', 'Reliability'),
  page('strategies/index.md', 'What was tried'),
  page('icicle.md', 'For those who know ICICLE'),
];

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
    .map((name) => page(`${folder}/${isFirst(name) ? 'index.md' : name}`, headingOf(join(pages, folder, name))));
}

function headingOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file;
}

/** The generated pages, whose list `npm run docs` writes beside them (scripts/docs/reference.mjs). */
function reference(): Item[] {
  const list = join(pages, 'api', 'sidebar.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Item[]) : [];
}
