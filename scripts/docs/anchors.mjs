/**
 * Links of pages to pages that the site does not have, and to places that a page does not have. VitePress checks pages
 * alone, not the headings that links name.
 *
 * @param {ReadonlyMap<string, string>} pages HTML by path
 * @param {string} base the folder of the server where they will lie
 * @returns {string[]} a line for each
 */
export function deadAnchors(pages, base) {
  const places = new Map([...pages].map(([page, html]) => [page, new Set(idsOf(html))]));
  return [...pages].flatMap(([page, html]) =>
    [...new Set(linksOf(html))].flatMap((href) => {
      const target = new URL(href, `http://docs${base}${page.slice(1)}`);
      const path = target.pathname.replace(base, '/');
      const found = places.get(path.endsWith('/') ? `${path}index.html` : path);
      const isThere =
        found !== undefined && (target.hash === '' || found.has(decodeURIComponent(target.hash.slice(1))));
      return isThere ? [] : [`${page} links to ${href}, and there is no such place`];
    }),
  );
}

/** @param {string} html */
function idsOf(html) {
  return [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
}

/** Links to pages of the site itself. @param {string} html */
function linksOf(html) {
  return [...html.matchAll(/<a\b[^>]* href="([^":]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}
