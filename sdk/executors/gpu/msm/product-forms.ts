import type { FieldParameters, GroupId } from '../../../curves/index.js';
import { MAX_UNROLLED_WORDS, packedWords, toLimbs, wgslLimbBits, wgslLimbs } from '../../../curves/limbs.js';
import { inverse, mod } from '../../../curves/modular.js';
import type { Products } from '../runtime/device.js';

/** The elements of a generated field: limbs of 13 bits, or words of 32, which products by bytes take apart. */
export type FieldElements = Extract<Products, 'limbs' | 'bytes'>;

/** The generated field that a kind of products belongs to. */
export function elementsOf(products: Products): FieldElements {
  return products === 'words' || products === 'bytes' ? 'bytes' : 'limbs';
}

/**
 * The kinds of products with which bases of a group over a field of `bits` bits can be added. The extension's field and
 * wide ones have only what is generated: the other kinds are unrolled, and would be large code.
 */
export function productKinds(bits: number, group: GroupId): readonly Products[] {
  const isUnrollable = group === 'g1' && packedWords(bits) <= MAX_UNROLLED_WORDS;
  return isUnrollable ? ['limbs', 'unrolled', 'karatsuba', 'words', 'bytes'] : ['limbs', 'bytes'];
}

/**
 * The WGSL of a field with a kind of products, from the generated one, as generated or compacted: products that are
 * unrolled, by Karatsuba's method or by words are not downloaded, but made from it.
 */
export function withProducts(generated: string, field: FieldParameters, products: Products): string {
  if (products === 'unrolled') return unrollLimbs(generated, wgslLimbs(field.bits));
  if (products === 'karatsuba') return multiplyKaratsuba(unrollLimbs(generated, wgslLimbs(field.bits)), field);
  return products === 'words' ? multiplyWords(generated, field) : generated;
}

/** A product's loop over the limbs of its first operand, with some limbs a turn (scripts/generate/wgsl/field.ts). */
const LIMB_LOOP = /for ?\(var i ?= ?0u; ?i ?< ?params\.limbs; ?i ?\+= ?(\d+)u\) ?\{([^{}]*)\}/g;

/** Products without loops: all limbs have names or constant indices, so that a compiler may keep them in registers. */
function unrollLimbs(field: string, limbs: number): string {
  return field.replaceAll(LIMB_LOOP, (_, perTurn: string, body: string) => {
    const step = Number(perTurn);
    const turns = Array.from({ length: limbs / step }, (_, turn) =>
      body.replaceAll(/\[i(?: ?\+ ?(\d+)u)?\]/g, (_, offset = '0') => `[${step * turn + Number(offset)}]`),
    );
    return turns.join('');
  });
}

/** A product without loops. */
const PRODUCT = /fn field_mul\(a: ?Field, ?b: ?Field\) ?-> ?Field ?\{[^{}]*\}/;

/**
 * Montgomery's product by one level of Karatsuba's method, in place of the unrolled one: (L + 2^h H)(L' + 2^h H') from
 * L L', H H' and (L + H)(L' + H'). Columns of the latter may pass 2^32, but not what is left of them when the others
 * are subtracted: a column of the whole product, which has the bound of the generated field's.
 */
function multiplyKaratsuba(field: string, { modulus, bits }: FieldParameters): string {
  const limbs = wgslLimbs(bits);
  const limbBits = wgslLimbBits(bits);
  const mask = 2 ** limbBits - 1;
  const half = Math.ceil(limbs / 2);
  const p = toLimbs(modulus, limbs, limbBits);
  const negativeInverse = negativeInverseOf(modulus, limbBits);
  const lines: string[] = [];
  /** The columns of a product, as variables with the name `to` and the column's number. */
  const multiply = (to: string, factor: (of: string, i: number) => string, count: number): void => {
    const columns = Array.from({ length: 2 * limbs }, () => '0u');
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) columns[i + j] += ` + ${factor('a', i)} * ${factor('b', j)}`;
    }
    lines.push(...columns.map((column, k) => `let ${to}${k} = ${column};`));
  };
  const lower = (of: string, i: number): string => `${of}.v[${i}]`;
  const upper = (of: string, i: number): string => lower(of, half + i);
  const both = (of: string, i: number): string =>
    half + i < limbs ? `(${lower(of, i)} + ${upper(of, i)})` : lower(of, i);
  multiply('l', lower, half);
  multiply('h', upper, limbs - half);
  multiply('m', both, half);
  const column = (of: string, k: number): string => (k < 0 ? '0u' : `${of}${k}`);
  for (let k = 0; k < 2 * limbs; k++) {
    const [l, h, m] = ['l', 'h', 'm'].map((of) => column(of, k - half));
    lines.push(`var t${k} = l${k} + ${m} - ${l} - ${h} + ${column('h', k - 2 * half)};`);
  }
  for (let i = 0; i < limbs; i++) {
    lines.push(`q = (t${i} * ${negativeInverse}u) & ${mask}u;`);
    for (let j = 0; j < limbs; j++) lines.push(`t${i + j} += q * ${p[j]}u;`);
    lines.push(`t${i + 1} += t${i} >> ${limbBits}u;`);
  }
  for (let i = 0; i < limbs; i++) {
    lines.push(`c += t${limbs + i};`, `r.v[${i}] = c & ${mask}u;`, `c >>= ${limbBits}u;`);
  }
  const product = `fn field_mul(a: Field, b: Field) -> Field {
  var q = 0u;
  var c = 0u;
  var r: Field;
${lines.map((line) => `  ${line}`).join('\n')}
  return r;
}`;
  return field.replace(PRODUCT, () => product);
}

/** The Montgomery constant -1 / p modulo 2^bits. */
function negativeInverseOf(p: bigint, bits: number): bigint {
  const base = 1n << BigInt(bits);
  return mod(-inverse(p, base), base);
}

/** What only products by bytes need (scripts/generate/wgsl/byte-field.ts). */
const BYTE_FEATURE = /requires packed_4x8_integer_dot_product;/;

/** `word_step`: the low and the high word of t + a b + c, from products of halves of words. It never overflows. */
const WORD_STEP = `fn word_step(t: u32, a: u32, b: u32, c: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let upper = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  let high = (a >> 16u) * (b >> 16u) + (middle >> 16u) + (upper >> 16u);
  let sum = ((upper << 16u) | (low & 0xffffu)) + t;
  let all = sum + c;
  return vec2u(all, high + u32(sum < t) + u32(all < c));
}
`;

/** Montgomery's product by words of 32 bits (CIOS), in place of the one by bytes, for the same operands. */
function multiplyWords(field: string, { modulus, bits }: FieldParameters): string {
  const words = packedWords(bits);
  const p = toLimbs(modulus, words, 32);
  const negativeInverse = negativeInverseOf(modulus, 32);
  const steps: string[] = [];
  for (let i = 0; i < words; i++) {
    steps.push('x.y = 0u;');
    for (let j = 0; j < words; j++) steps.push(`x = word_step(s${j}, a.v[${i}], b.v[${j}], x.y);`, `s${j} = x.x;`);
    steps.push('top += x.y;', 'over = u32(top < x.y);');
    steps.push(`q = s0 * ${negativeInverse}u;`, `x = word_step(s0, q, ${p[0]}u, 0u);`);
    for (let j = 1; j < words; j++) steps.push(`x = word_step(s${j}, q, ${p[j]}u, x.y);`, `s${j - 1} = x.x;`);
    steps.push(`s${words - 1} = top + x.y;`, `top = over + u32(s${words - 1} < x.y);`);
  }
  const sums = Array.from({ length: words }, (_, j) => `s${j}`);
  const product = `${WORD_STEP}
fn field_mul(a: Field, b: Field) -> Field {
  var x: vec2u;
  var q = 0u;
  var top = 0u;
  var over = 0u;
${sums.map((sum) => `  var ${sum} = 0u;`).join('\n')}
${steps.map((step) => `  ${step}`).join('\n')}
  return Field(array<u32, ${words}>(${sums.join(', ')}));
}`;
  return field.replace(BYTE_FEATURE, '').replace(PRODUCT, () => product);
}
