/**
 * WGSL without its line comments, its indentation and its empty lines, for every page downloads it.
 *
 * @param {string} text WGSL without block comments, the only others that there are
 */
export function compactWgsl(text) {
  if (text.includes('/*')) throw new Error('expected WGSL with line comments alone, got a block comment');
  return text
    .split('\n')
    .map((line) => line.replace(/\/\/.*/, '').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * Makes a .wgsl file a module whose default export is its compact text.
 *
 * @type {import('rolldown').Plugin}
 */
export const wgslAsText = {
  name: 'wgsl-as-text',
  transform: {
    filter: { id: /\.wgsl$/ },
    handler: (code) => ({
      code: `export default ${JSON.stringify(compactWgsl(code))};`,
      map: null,
      moduleType: 'js',
    }),
  },
};
