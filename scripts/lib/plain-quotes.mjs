/**
 * What bundlers look for in a script: files by URL, chunks, and the kind of a worker. The minifier writes their strings
 * in backticks.
 */
const FOUND_BY_BUNDLERS = /(new URL\(|import\(|type:)`([^`"\\$]*)`/g;

/**
 * Gives the strings that bundlers look for plain quotes, because some bundlers and their plugins know no others. No
 * character moves, so source maps stay right.
 *
 * @param {string} code a minified script
 */
export function withPlainQuotes(code) {
  return code.replace(FOUND_BY_BUNDLERS, '$1"$2"');
}

/** @type {import('rolldown').Plugin} */
export const plainQuotes = {
  name: 'plain-quotes',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = withPlainQuotes(file.code);
  },
};
