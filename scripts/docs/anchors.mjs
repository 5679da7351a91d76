import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Links of built pages to places that no page has. VitePress checks pages alone, not the headings that links name.
 *
 * @param {string} folder of the built pages
 * @param {string} base the folder of the server where they will lie
 * @returns {string[]} a line for each
 */
export function deadAnchors(folder, base) {
  const pages = new Map();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.html')) pages.set(`/${name.replaceAll('\\', '/')}`, readFileSync(join(folder, name), 'utf8'));
  }
  const places = new Map([...pages].map(([page, html]) => [page, new Set(idsOf(html))]));
  return [...pages].flatMap(([page, html]) =>
    [...new Set(anchorsOf(html))].flatMap((href) => {
      const target = new URL(href, `http://docs${base}${page.slice(1)}`);
      const path = target.pathname.replace(base, '/');
      const file = path.endsWith('/') ? `${path}index.html` : path;
      const found = places.get(file)?.has(decodeURIComponent(target.hash.slice(1)));
      return found ? [] : [`${page} links to ${href}, and there is no such place`];
    }),
  );
}

/** @param {string} html */
function idsOf(html) {
  return [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
}

/** Links to places of the site itself. @param {string} html */
function anchorsOf(html) {
  return [...html.matchAll(/ href="([^":]*#[^"]+)"/g)].map(([, href]) => href.replaceAll('&amp;', '&'));
}
