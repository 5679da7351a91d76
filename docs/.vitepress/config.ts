import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { githubAnchor } from './anchor.js';
import { codeBlocks, emptyHeaders, pictures } from './blocks.js';
import { descriptionOf } from './description.js';
import { linksOutside } from './links-outside.js';
import { search } from './search.js';
import { sidebar } from './sidebar.js';

/** The folder of the server where the pages lie, with a slash at its end. */
const base = process.env.DOCS_BASE ?? '/';

/** The pages of `npm run docs` (scripts/docs.mjs). Everything that a page loads is of the site itself. */
export default defineConfig({
  title: 'Pippin',
  description:
    "Zero-knowledge proofs on the user's own device: Groth16 and multi-scalar multiplication on WebGPU and WebAssembly workers.",
  lang: 'en',
  base,
  outDir: '../build/docs',
  cacheDir: '../build/docs-cache',
  // Light or dark as the system has it, until the reader chooses. Pictures follow the pages by `color-scheme`
  // (theme/style.css).
  appearance: true,
  // The folder's README is its index on the site, as on GitHub.
  rewrites: { 'strategies/README.md': 'strategies/index.md' },
  lastUpdated: false,
  transformPageData({ filePath, frontmatter }, { siteConfig: { srcDir, site } }) {
    if (frontmatter.layout === 'home' || filePath === '') return;
    return { description: descriptionOf(readFileSync(join(srcDir, filePath), 'utf8'), site.description) };
  },
  // The index of the search is one chunk, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  markdown: {
    anchor: { slugify: githubAnchor },
    config(md) {
      linksOutside(md);
      codeBlocks(md);
      pictures(md);
      emptyHeaders(md);
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/guide/start-page' },
      { text: 'Guides', link: '/guide/' },
      { text: 'Recipes', link: '/recipes/' },
      { text: 'Reference', link: '/api/' },
      { text: 'Performance', link: '/guide/figures' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: search },
    socialLinks: [{ icon: 'github', link: 'https://github.com/pippin-prover/pippin' }],
    footer: { message: 'MIT or Apache-2.0, as you choose.' },
  },
});
