/** The most characters that search engines and previews show of a description. */
const MOST = 160;

/** Fewer say too little. */
const LEAST = 50;

/**
 * What a page says of itself to search engines and previews: the sentences that it opens with, as many as are shown.
 *
 * @param source the page's Markdown
 * @param otherwise what follows where a page opens with too few words
 */
export function descriptionOf(source: string, otherwise: string): string {
  const body = source.replace(/^---\n.*?\n---\n/s, '').replace(/^(`{3,})[^\n]*\n.*?\n\1$/gms, '');
  let text = '';
  for (const paragraph of [
    ...body
      .split(/\n{2,}/)
      .filter(isProse)
      .map(plain),
    otherwise,
  ]) {
    if (text.length >= LEAST) break;
    text = text === '' ? paragraph : `${text} ${paragraph}`;
  }
  if (text.length <= MOST) return text;
  const sentences = text.slice(0, MOST).replace(/(?<=[.!?])\s[^.!?]*$/, '');
  if (sentences.length < MOST && sentences.length >= LEAST) return sentences;
  return `${text.slice(0, MOST - 1).replace(/[\s,;:]+\S*$/, '')}…`;
}

/** Not a heading, list, table, picture, quotation, code or HTML. */
function isProse(block: string): boolean {
  return /^[^\s#|<>!*\d-]|^\*\*|^\d+(?!\.)/.test(block.replace(/^\n+/, ''));
}

/** A paragraph without its Markdown. */
function plain(paragraph: string): string {
  return (
    paragraph
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]*>|[`*]/g, '')
      // VitePress writes a description between quotation marks as it is.
      .replace(/"([^"]*)"/g, '“$1”')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
