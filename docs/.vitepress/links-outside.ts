import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

const pages = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const root = dirname(pages);
const changelog = join(pages, 'changelog.md');

/** Where files of the repository that are not pages can be read. */
const REPOSITORY = 'https://github.com/pippin-prover/pippin/blob/main';

/**
 * Makes links to files of the repository that are not pages, such as `../sdk/api.ts`, links to the repository. So the
 * same text serves in an editor, in the repository and on the site. A file that does not exist is an error.
 */
export function linksOutside(md: MarkdownRenderer): void {
  md.core.ruler.push('links-outside', (state) => {
    const { path } = state.env as MarkdownEnv;
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type !== 'link_open' || href === null || /^([a-z]+:|#|\/)/.test(href)) continue;
      const [file = '', anchor] = href.split('#');
      // The changelog is the repository's own, and its links start there.
      const target = join(path === changelog ? root : dirname(path), file);
      const isPage = !relative(pages, target).startsWith('..') && /(\.md|\.html|\/|^[^.]+)$/.test(file);
      if (isPage) {
        const place = anchor === undefined ? '' : `#${anchor}`;
        // A folder's README is its index on the site (config.ts, rewrites).
        const page = relative(pages, target).replace(/README\.md$/, 'index.md');
        if (path === changelog || file.endsWith('README.md')) token.attrSet('href', `/${page}${place}`);
        continue;
      }
      if (!existsSync(target)) throw new Error(`${path} links to ${href}, which does not exist`);
      token.attrSet('href', `${REPOSITORY}/${relative(root, target)}${anchor === undefined ? '' : `#${anchor}`}`);
    }
  });
}
