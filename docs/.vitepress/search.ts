import type { DefaultTheme } from 'vitepress';

/** What a page says of itself for the search. */
interface Frontmatter {
  readonly search?: boolean;
  readonly keywords?: readonly string[];
}

/**
 * The search of the pages. Readers' pages come before the reference, and that before the records of what was tried. A
 * page is also found by the words that its frontmatter lists as `keywords`, which are what people type for its subject.
 *
 * VitePress hands these functions to the page as text, so they use nothing from outside.
 */
export const search: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    searchOptions: {
      boost: { title: 4, text: 1, titles: 1 },
      boostDocument: (id: string) => {
        if (/\/(guide|recipes)\//.test(id)) return 3;
        const isLast = /\/(strategies\/|performance\b|api\/)/.test(id) && !/\/api\/errors/.test(id);
        return isLast ? 0.3 : 2;
      },
    },
  },
  _render: (source, env, md) => {
    const html = md.render(source, env);
    const { search: isSearched, keywords = [] } = (env.frontmatter ?? {}) as Frontmatter;
    if (isSearched === false) return '';
    // Several times, so that a page about a subject comes before one that mentions it often.
    const words = `${keywords.join(', ')}. `.repeat(keywords.length === 0 ? 0 : 8);
    return html.replace(/<\/h1>/, `</h1>\n<p>${words}</p>`);
  },
};
