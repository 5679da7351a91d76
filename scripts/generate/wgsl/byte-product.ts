import { MAX_UNROLLED_WORDS, toLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';

/**
 * Words up to which a kernel may hold the product's unrolled code twice: with 12, SwiftShader ends the process when it
 * compiles it.
 */
const MAX_WORDS_TWICE = 8;

/** The words of a number as the arguments of an array. */
export function wordList(value: bigint, words: number): string {
  return toLimbs(value, words, 32)
    .map((word) => `${word}u`)
    .join(', ');
}

export function each(count: number, text: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => text(i));
}

/**
 * Whether a column, which takes eight products of bytes a word and a carry of 16 bits, fits 32 bits with the one above
 * it, 2^8 times as much, and another such carry.
 */
export function columnsFit(words: number): boolean {
  const column = 8 * words * 255 ** 2 + 2 ** 16;
  return column + 2 ** 8 * column + 2 ** 16 < 2 ** 32;
}

/**
 * Montgomery's product by bytes: a turn a word of a, which adds its products by b to the columns, and then the multiple
 * of p that lets the four lowest columns go.
 */
export function productBody(p: bigint, words: number): string[] {
  const count = 4 * words + 3;
  const text = [
    ...each(words, (w) => `let turned${w} = bytes_turned(b.v[${w}]);`),
    ...each(count, (k) => `let b${k} = ${windowOfB(k, words)};`),
    ...each(count, (k) => `var s${k} = 0u;`),
    'var q = 0u;',
    'var low = 0u;',
    'var high = 0u;',
  ];
  if (words <= MAX_UNROLLED_WORDS) {
    for (let w = 0; w < words; w++) text.push(...turn(p, words, `a.v[${w}]`));
  } else {
    // params.limbs >> 8 is 0, but no compiler knows, so that the loop stays one.
    text.push('var words_a = a.v;', `for (var w = 0u; w < ${words}u + (params.limbs >> 8u); w++) {`);
    text.push(...['let word = words_a[w];', ...turn(p, words, 'word')].map((line) => `  ${line}`), '}');
  }
  text.push('var r: Field;', 'high = 0u;');
  for (let w = 0; w < words; w++) {
    text.push(`low = (high >> 16u) + s${4 * w} + (s${4 * w + 1} << 8u);`);
    text.push(`high = (low >> 16u) + s${4 * w + 2} + (s${4 * w + 3} << 8u);`);
    text.push(`r.v[${w}] = (low & 0xffffu) | (high << 16u);`);
  }
  return [...text, 'return r;'];
}

/** A turn: `word` names the word of a. */
function turn(p: bigint, words: number, word: string): string[] {
  const count = 4 * words + 3;
  const bytes = toLimbs(p, 4 * words, 8);
  const windowOfP = (k: number): number => [0, 1, 2, 3].reduce((sum, i) => sum + (bytes[k - i] ?? 0) * 2 ** (8 * i), 0);
  const reduced = (k: number): string => {
    const window = k < count ? windowOfP(k) : 0;
    return window === 0 ? '' : ` + dot4U8Packed(q, ${window}u)`;
  };
  const text = each(count, (k) => `s${k} += dot4U8Packed(${word}, b${k});`);
  const joined = ['low = s0 + (s1 << 8u);', 'high = (low >> 16u) + s2 + (s3 << 8u);'];
  if ((p & 0xffffffffn) === 1n) {
    // Then q only takes the four lowest columns away, and lets 1 more go up unless they are 0.
    text.push(...joined, 'q = 0u - ((low & 0xffffu) | (high << 16u));');
    text.push('high = (high >> 16u) + select(0u, 1u, q != 0u);');
  } else {
    const negativeInverse = mod(-inverse(p, 1n << 32n), 1n << 32n);
    text.push(`q = (s0 + (s1 << 8u) + (s2 << 16u) + (s3 << 24u)) * ${negativeInverse}u;`);
    text.push(...each(4, (k) => `s${k} = s${k}${reduced(k)};`), ...joined, 'high >>= 16u;');
  }
  text.push(`s0 = s4${reduced(4)} + high;`);
  for (let k = 1; k < count; k++) text.push(`s${k} = ${k + 4 < count ? `s${k + 4}` : '0u'}${reduced(k + 4)};`);
  return text;
}

/** Bytes k, k - 1, k - 2 and k - 3 of b, the first one lowest. */
function windowOfB(k: number, words: number): string {
  const w = k >> 2;
  const shift = 24 - 8 * (k & 3);
  if (shift === 0) return `turned${w}`;
  const parts = [
    ...(w < words ? [`(turned${w} >> ${shift}u)`] : []),
    ...(w > 0 ? [`(turned${w - 1} << ${32 - shift}u)`] : []),
  ];
  return parts.join(' | ');
}

/**
 * The product for what hardly ever runs, which stands in a kernel beside the other one: the same where its code is
 * small, as of few words or in a loop over words.
 */
export function rareProduct(p: bigint, words: number): string {
  // Mesa's llvmpipe ends all loops of a thread after 65 535 turns in total: a doubling of 24 words by halves takes 33 000.
  if (words <= MAX_WORDS_TWICE || words > MAX_UNROLLED_WORDS) {
    return `
// The product for what hardly ever runs.
fn field_mul_rare(a: Field, b: Field) -> Field {
  return field_mul(a, b);
}
`;
  }
  const halves = 2 * words;
  const negativeInverse = mod(-inverse(p, 1n << 16n), 1n << 16n);
  return `
// The product for what hardly ever runs: halves of words in loops, which are small code. Every sum of a product of halves, a half and a
// carry fits 32 bits.
fn field_mul_rare(a: Field, b: Field) -> Field {
  var factor = a.v;
  var other = b.v;
  var modulus = array<u32, ${words}>(${wordList(p, words)});
  var sum: array<u32, ${halves + 2}>;
  // params.limbs >> 8 is 0, but no compiler knows, so that the loops stay loops.
  let count = ${halves}u + (params.limbs >> 8u);
  for (var i = 0u; i < count; i++) {
    let half = (factor[i / 2u] >> (16u * (i % 2u))) & 0xffffu;
    var c = 0u;
    for (var j = 0u; j < count; j++) {
      c += sum[j] + half * ((other[j / 2u] >> (16u * (j % 2u))) & 0xffffu);
      sum[j] = c & 0xffffu;
      c >>= 16u;
    }
    c += sum[${halves}];
    sum[${halves}] = c & 0xffffu;
    sum[${halves + 1}] = c >> 16u;
    let q = (sum[0] * ${negativeInverse}u) & 0xffffu;
    c = (sum[0] + q * (modulus[0] & 0xffffu)) >> 16u;
    for (var j = 1u; j < count; j++) {
      c += sum[j] + q * ((modulus[j / 2u] >> (16u * (j % 2u))) & 0xffffu);
      sum[j - 1u] = c & 0xffffu;
      c >>= 16u;
    }
    c += sum[${halves}];
    sum[${halves - 1}] = c & 0xffffu;
    sum[${halves}] = sum[${halves + 1}] + (c >> 16u);
  }
  var r: Field;
  for (var w = 0u; w < ${words}u; w++) {
    r.v[w] = sum[2u * w] | (sum[2u * w + 1u] << 16u);
  }
  return r;
}
`;
}
