import { expect, it } from 'vitest';
import { withPlainQuotes } from '../../scripts/lib/plain-quotes.mjs';

it.each([
  ['new URL(`./kernel.js`,import.meta.url)', 'new URL("./kernel.js",import.meta.url)'],
  ['{type:`module`}', '{type:"module"}'],
  ['import(`./chunk.js`)', 'import("./chunk.js")'],
])('what bundlers look for has plain quotes: %s', (minified, expected) => {
  expect(withPlainQuotes(minified)).toBe(expected);
});

it.each(['let a=`x`', `new URL(\`./\${name}.js\`,base)`, 'a(`type:`)'])('other strings stay: %s', (minified) => {
  expect(withPlainQuotes(minified)).toBe(minified);
});
