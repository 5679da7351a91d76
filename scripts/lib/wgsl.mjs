import { foldRepeats } from './fold-repeats.mjs';

/** Characters that go on in the same word, or in the same operator, when no space parts them. */
const WORD = /[\w.@]/;
const OPERATOR = /[-+*/%=<>!&|^~]/;

/**
 * WGSL without its line comments and without the space that parts nothing, for every page with a GPU downloads it.
 * Names stay, because scripts that are put together at run time name them; shorter ones would take a fortieth from the
 * compressed text.
 *
 * @param {string} text WGSL without block comments, the only others that there are
 */
export function compactWgsl(text) {
  if (text.includes('/*')) throw new Error('expected WGSL with line comments alone, got a block comment');
  return text
    .replaceAll(/\/\/.*/g, '')
    .trim()
    .replaceAll(/(\S)\s+(?=(\S))/g, (_, before, after) => (mustPart(before, after) ? `${before} ` : before));
}

/**
 * Whether two tokens that end and begin so would become others side by side. @param {string} before @param {string}
 * after
 */
function mustPart(before, after) {
  return [WORD, OPERATOR].some((kind) => kind.test(before) && kind.test(after));
}

/** Generated code is unrolled. What loads it, `loadShader`, expands it again. */
const IS_GENERATED = /[\\/]generated[\\/]/;

/** What was folded, by the compact text: several bundles hold the same. @type {Map<string, string>} */
const folded = new Map();

/**
 * Makes a .wgsl file a module whose default export is its compact text, of generated code with its repeats folded.
 *
 * @type {import('rolldown').Plugin}
 */
export const wgslAsText = {
  name: 'wgsl-as-text',
  transform: {
    filter: { id: /\.wgsl$/ },
    handler: (code, id) => ({
      code: `export default ${JSON.stringify(shipped(code, id))};`,
      map: null,
      moduleType: 'js',
    }),
  },
};

/** @param {string} code @param {string} id */
function shipped(code, id) {
  const compact = compactWgsl(code);
  if (!IS_GENERATED.test(id)) return compact;
  const text = folded.get(compact) ?? foldRepeats(compact);
  folded.set(compact, text);
  return text;
}
