import { defineConfig } from 'vitepress';
import { githubAnchor } from './anchor.js';
import { codeBlocks, emptyHeaders, pictures } from './blocks.js';
import { linksOutside } from './links-outside.js';
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
  // The pictures follow the system's choice of light or dark, and so do the pages.
  appearance: 'force-auto',
  lastUpdated: false,
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
      { text: 'Recipes', link: '/recipes/' },
      { text: 'API', link: '/api/' },
      { text: 'Errors', link: '/api/errors' },
      { text: 'Performance', link: '/guide/figures' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/pippin-prover/pippin' }],
    footer: { message: 'MIT or Apache-2.0, as you choose.' },
  },
});
