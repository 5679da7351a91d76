/**
 * What a page of the docs must have for search engines, previews and screen readers, told from its HTML alone: it costs
 * no visit in a browser, so every page is checked.
 */

/** Fewest and most characters, of what search engines show. */
const TITLE = { least: 10, most: 70 };
const DESCRIPTION = { least: 50, most: 160 };

/**
 * What a document lacks, its contents included.
 *
 * @param {string} html a built page
 * @returns {string[]} a line for each fault
 */
export function documentErrors(html) {
  const errors = [];
  const lang = /<html\b[^>]*\slang="([^"]*)"/.exec(html)?.[1];
  if (lang !== 'en') errors.push(`expected lang="en", got ${lang === undefined ? 'none' : `“${lang}”`}`);
  if (!/<meta\b[^>]*\sname="viewport"/.test(html)) errors.push('expected a viewport, got none');
  const description = /<meta\b[^>]*\sname="description"\s+content="([^"]*)"/.exec(html)?.[1] ?? '';
  errors.push(...headErrors(unescaped(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''), unescaped(description)));
  // Headings of the navigation stand before the contents.
  const contents = html.indexOf('id="VPContent"');
  if (contents < 0) return [...errors, 'expected contents (#VPContent), got none'];
  return [...errors, ...contentErrors(html.slice(contents).replace(/^.*?<main\b/s, '<main'))];
}

/**
 * Errors in a page's title and description, which search results and link previews show.
 *
 * @param {string} title
 * @param {string} description
 */
export function headErrors(title, description) {
  return [
    ...lengthErrors('title', title, TITLE.least, TITLE.most),
    ...lengthErrors('description', description, DESCRIPTION.least, DESCRIPTION.most),
  ];
}

/** @param {string} what @param {string} text @param {number} least @param {number} most */
function lengthErrors(what, text, least, most) {
  if (text.length >= least && text.length <= most) return [];
  return [`expected a ${what} of ${least} to ${most} characters, got ${text.length}: “${text}”`];
}

/**
 * What is wrong with a page's contents: its headings, pictures and links.
 *
 * @param {string} html
 */
export function contentErrors(html) {
  const errors = [];
  const headings = [...html.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gs)].map(([, level, text = '']) => ({
    level: Number(level),
    text: plain(text),
  }));
  const first = headings.filter(({ level }) => level === 1).length;
  if (first !== 1) errors.push(`expected one h1, got ${first}`);
  headings.forEach(({ level, text }, i) => {
    const before = headings[i - 1]?.level ?? 0;
    if (level > before + 1) errors.push(`h${level} “${text}” follows ${before === 0 ? 'nothing' : `h${before}`}`);
    if (text === '') errors.push(`expected text in h${level}, got none`);
  });
  for (const [image] of html.matchAll(/<img\b[^>]*>/g)) {
    if (!/\salt="/.test(image)) errors.push(`expected an alternative text, got none: ${image}`);
  }
  for (const [link, tag = '', inner = ''] of html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)) {
    const picture = /<img\b[^>]*\salt="([^"]+)"/.exec(inner)?.[1] ?? '';
    const isNamed = /\saria-label="[^"]+"/.test(tag) || plain(inner) !== '' || picture !== '';
    if (/\shref=/.test(tag) && !isNamed) errors.push(`expected a link with text, got ${link}`);
  }
  return errors;
}

/** @param {string} html */
function plain(html) {
  return unescaped(html.replace(/<[^>]*>/g, ''))
    .replace(/[\u200b\s]+/g, ' ')
    .trim();
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", ZeroWidthSpace: '\u200b', nbsp: ' ' };

/** @param {string} html */
function unescaped(html) {
  return html.replace(/&([#\w]+);/g, (whole, /** @type {keyof typeof ENTITIES} */ name) => ENTITIES[name] ?? whole);
}
