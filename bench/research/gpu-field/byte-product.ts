import { toLimbs } from '../../../sdk/curves/limbs.js';
import type { PerTurn } from './cios.js';
import { montgomeryMultiplier } from './column-products.js';
import type { FieldShape } from './field-shape.js';
import { repeat } from './wgsl.js';

/**
 * Products of numbers in words of 32 bits, in Montgomery form with R = 2^(32 words), by `dot4U8Packed`. It multiplies
 * the four bytes of a word by the four bytes of another word, each by the one in the same place, and adds the four
 * products. The product of two numbers is computed in columns, one for each byte. A word of the first operand
 * contributes to 4 words + 3 columns. For the k-th of them it is multiplied by window k of the second operand: a word
 * of that operand's bytes k, k - 1, k - 2 and k - 3, with byte k lowest.
 *
 * For each word, a column gets 4 products of 16 bits from every product in the sum and from the reduction: at most 4 *
 * 12 * 3 * 255^2 < 2^23.2 in all. So it fits 32 bits together with the column above it and the carry from below. The
 * result for a < A p and b < B p is below (A B p / R + 1) p. A sum of products must be below R^2 - R p, so that the
 * result is below R.
 */

/** WGSL that must precede all other code. */
export const BYTE_PRELUDE = `requires packed_4x8_integer_dot_product;
fn bytes_turned(x: u32) -> u32 {
  return (x << 24u) | ((x & 0xff00u) << 8u) | ((x >> 8u) & 0xff00u) | (x >> 24u);
}
`;

/** `field_mul(a, b)`: each turn takes one word of a. */
export function byteProduct(shape: FieldShape, perTurn: PerTurn): string {
  return `fn field_mul(a: Field, b: Field) -> Field {\n${body(shape, perTurn, [['a', 'b']])}\n}\n`;
}

/** `field_mul_pair(a, b, c, d)`: a b + c d with one reduction. */
export function bytePair(shape: FieldShape, perTurn: PerTurn): string {
  const pairs = [
    ['a', 'b'],
    ['c', 'd'],
  ] as const;
  return `fn field_mul_pair(a: Field, b: Field, c: Field, d: Field) -> Field {\n${body(shape, perTurn, pairs)}\n}\n`;
}

/**
 * `field_sqr(a)` for a < 2^(32 words - 1). Word w is multiplied by itself and by twice the words above it. These are
 * the words of 2 a above w, without the bit that is shifted into them from w.
 */
export function byteSquare(shape: FieldShape, perTurn: PerTurn): string {
  const { words } = shape;
  const twice = (w: number): string => (w === 0 ? 'a.v[0] << 1u' : `(a.v[${w}] << 1u) | (a.v[${w - 1}] >> 31u)`);
  const columns = repeat(8 * words - 1, (k) => {
    const terms = repeat(words, (w) => {
      const at = k - 4 * w;
      if (at < 4 * w || at >= 4 * words + 3) return '';
      return `dot4U8Packed(a.v[${w}], ${at < 4 * w + 8 ? `own${w}_${at - 4 * w}` : `b${at}`})`;
    }).filter((term) => term !== '');
    return `  var s${k} = ${terms.join(' + ') || '0u'};`;
  });
  const lines = [
    'fn field_sqr(a: Field) -> Field {',
    ...repeat(words, (w) => `  let w${w} = bytes_turned(${twice(w)});`),
    ...windows('b', words, (w) => `w${w}`).slice(8),
    ...repeat(words, (w) => {
      const own = `own${w}`;
      const next = w + 1 < words ? `bytes_turned(a.v[${w + 1}] << 1u)` : '0u';
      return `  let ${own}t0 = bytes_turned(a.v[${w}]);\n  let ${own}t1 = ${next};\n${repeat(
        8,
        (k) => `  let ${own}_${k} = ${window(k, w + 1 < words ? 2 : 1, (i) => `${own}t${i}`)};`,
      ).join('\n')}`;
    }),
    ...columns,
    reduction(shape, perTurn),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * The expression of window k of a number of `words` words; `turned(w)` is the expression of its word w with the bytes
 * reversed.
 */
function window(k: number, words: number, turned: (w: number) => string): string {
  const w = k >> 2;
  const shift = 24 - 8 * (k & 3);
  const parts = [
    ...(w < words ? [shift === 0 ? turned(w) : `(${turned(w)} >> ${shift}u)`] : []),
    ...(w > 0 && w <= words && shift > 0 ? [`(${turned(w - 1)} << ${32 - shift}u)`] : []),
  ];
  return parts.join(' | ') || '0u';
}

function windows(name: string, words: number, turned: (w: number) => string): string[] {
  return repeat(4 * words + 3, (k) => `  let ${name}${k} = ${window(k, words, turned)};`);
}

/** The value of window k of p. */
function windowOfP({ p, words }: FieldShape, k: number): number {
  const bytes = toLimbs(p, 4 * words, 8);
  return [0, 1, 2, 3].reduce((word, i) => word + (bytes[k - i] ?? 0) * 2 ** (8 * i), 0);
}

function body(shape: FieldShape, perTurn: PerTurn, pairs: readonly (readonly [string, string])[]): string {
  const { words } = shape;
  const count = 4 * words + 3;
  const turn = (word: (operand: string) => string): string[] => [
    ...pairs.map(([a], pair) => `y${pair} = ${word(a)};`),
    ...repeat(
      count,
      (k) => `s${k} = s${k}${pairs.map(([, b], pair) => ` + dot4U8Packed(y${pair}, ${b}${k})`).join('')};`,
    ),
    ...reduce(shape, (k) => (k < count ? `s${k}` : '0u')),
  ];
  return [
    ...pairs.flatMap(([, b]) => [
      ...repeat(words, (w) => `  let turned_${b}${w} = bytes_turned(${b}.v[${w}]);`),
      ...windows(b, words, (w) => `turned_${b}${w}`),
    ]),
    ...pairs.map((_, pair) => `  var y${pair} = 0u;`),
    ...repeat(count, (k) => `  var s${k} = 0u;`),
    ...loop(
      shape,
      perTurn,
      pairs.map(([a]) => [a, `${a}.v`]),
      (k) => turn(k),
    ),
    words32(shape),
  ].join('\n');
}

/**
 * A loop over the words of arrays, `perTurn` words in an iteration. `turn` gives the statements for one word; it is
 * given a function from an array's name to the expression of that array's word.
 */
function loop(
  { words }: FieldShape,
  perTurn: PerTurn,
  arrays: readonly (readonly [string, string])[],
  turn: (word: (name: string) => string) => string[],
): string[] {
  const start = ['  var q = 0u;', '  var low = 0u;', '  var high = 0u;'];
  const values = new Map(arrays);
  if (perTurn === 'unrolled') {
    return [...start, ...repeat(words, (w) => turn((name) => `${values.get(name)!}[${w}]`).join('\n')), ''];
  }
  return [
    ...start,
    ...arrays.map(([name, value]) => `  var of_${name} = ${value};`),
    `  for (var i = 0u; i < params.limbs; i += ${perTurn}u) {`,
    ...repeat(perTurn, (k) =>
      turn((name) => `of_${name}[i + ${k}u]`)
        .map((line) => `    ${line}`)
        .join('\n'),
    ),
    '  }',
  ];
}

/**
 * Adds the multiple of p that makes the lowest word 0, drops the four columns of that word and moves the others down.
 * `column(k)` is the expression of column k before that. If p = 1 mod 2^32, no products are needed for the lowest word:
 * 1 is carried from it unless it is 0.
 */
function reduce(shape: FieldShape, column: (k: number) => string): string[] {
  const { p, words } = shape;
  const count = 4 * words + 3;
  const product = (k: number): string => {
    const window = k < count ? windowOfP(shape, k) : 0;
    return window === 0 ? '' : ` + dot4U8Packed(q, ${window}u)`;
  };
  const sums = ['low = s0 + (s1 << 8u);', 'high = (low >> 16u) + s2 + (s3 << 8u);'];
  const isOne = (p & 0xffffffffn) === 1n;
  const quotient = isOne
    ? [...sums, 'q = 0u - ((low & 0xffffu) | (high << 16u));', 'high = (high >> 16u) + select(0u, 1u, q != 0u);']
    : [
        `q = (s0 + (s1 << 8u) + (s2 << 16u) + (s3 << 24u)) * ${montgomeryMultiplier(shape)}u;`,
        ...repeat(4, (k) => `s${k} = s${k}${product(k)};`),
        ...sums,
        'high >>= 16u;',
      ];
  return [
    ...quotient,
    ...repeat(count, (k) => {
      return `s${k} = ${column(k + 4)}${product(k + 4)}${k === 0 ? ' + high' : ''};`;
    }),
  ];
}

/** The reduction of a whole product, whose columns are s0, s1, ... */
function reduction(shape: FieldShape, perTurn: PerTurn): string {
  const { words } = shape;
  const count = 4 * words + 3;
  const total = 8 * words - 1;
  const upper = (i: number): string => (count + i < total ? `s${count + i}` : '0u');
  const arrays = repeat(4, (i) => `upper${i}`);
  return [
    ...repeat(
      4,
      (i) => `  let upper${i} = array<u32, ${words}>(${repeat(words, (w) => upper(4 * w + i)).join(', ')});`,
    ),
    ...loop(
      shape,
      perTurn,
      arrays.map((name) => [name, name]),
      (word) => reduce(shape, (k) => (k < count ? `s${k}` : word(`upper${k - count}`))),
    ),
    words32(shape),
  ].join('\n');
}

/** Carries the columns s0, s1, ... and returns them as words. */
function words32({ words }: FieldShape): string {
  const lines = ['  var r: Field;', '  high = 0u;'];
  for (let w = 0; w < words; w++) {
    const [a, b, c, d] = repeat(4, (i) => `s${4 * w + i}`);
    lines.push(
      `  low = ${w === 0 ? '' : '(high >> 16u) + '}${a} + (${b} << 8u);`,
      `  high = (low >> 16u) + ${c} + (${d} << 8u);`,
      `  r.v[${w}] = (low & 0xffffu) | (high << 16u);`,
    );
  }
  return [...lines, '  return r;'].join('\n');
}
