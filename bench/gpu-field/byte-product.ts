import { toLimbs } from '../../sdk/field/limbs.js';
import { montgomeryMultiplier } from './column-products.js';
import type { FieldShape } from './field-shape.js';
import { repeat } from './wgsl.js';

/** What goes before all other WGSL. */
export const BYTE_DIRECTIVES = 'requires packed_4x8_integer_dot_product;\n';

/**
 * `field_mul(a, b)` of numbers in words of 32 bits: `dot4U8Packed` gives four products of bytes of a column at a time; Montgomery's
 * reduction takes a word at a time. A column of bytes gets at most 2 * 48 products of 16 bits and a carry of less than 2^17: it
 * stays below 2^23.
 */
export function byteProduct(shape: FieldShape): string {
  const { p, limbs: words } = shape;
  const bytes = toLimbs(p, 4 * words, 8);
  /** Bytes k, k - 1, k - 2 and k - 3 of p in a word, the first one lowest: what a word's bytes meet in column k. */
  const ofP = (k: number): string =>
    `${[0, 1, 2, 3].reduce((word, i) => word + (bytes[k - i] ?? 0) * 2 ** (8 * i), 0)}u`;
  /** The same of b; its words turned around are w0, w1, ... */
  const ofB = (k: number): string => {
    const word = k >> 2;
    const shift = 24 - 8 * (k & 3);
    const parts = [
      ...(word < words ? [`(w${word} >> ${shift}u)`] : []),
      ...(word > 0 && shift > 0 ? [`(w${word - 1} << ${32 - shift}u)`] : []),
    ];
    return parts.join(' | ');
  };
  const meets = (k: number): boolean => k >= 0 && k < 4 * words + 3;
  const column = (k: number): string => {
    const products = repeat(words, (w) => (meets(k - 4 * w) ? `dot4U8Packed(a.v[${w}], b${k - 4 * w})` : ''));
    const reduced = repeat(Math.min(words, k >> 2), (w) =>
      meets(k - 4 * w) ? `dot4U8Packed(q${w}, ${ofP(k - 4 * w)})` : '',
    );
    return [...products, ...reduced].filter((product) => product !== '').join(' + ') || '0u';
  };
  const lines: string[] = [];
  for (let w = 0; w < 2 * words; w++) {
    lines.push(...repeat(4, (i) => `  let t${4 * w + i} = ${column(4 * w + i)};`));
    const t = (i: number): string => `t${4 * w + i}`;
    if (w < words) {
      lines.push(
        `  let q${w} = (s + ${t(0)} + (${t(1)} << 8u) + (${t(2)} << 16u) + (${t(3)} << 24u)) * ${montgomeryMultiplier(shape)}u;`,
        ...repeat(4, (i) => `  s = ${i === 0 ? 's' : '(s >> 8u)'} + ${t(i)} + dot4U8Packed(q${w}, ${ofP(i)});`),
        '  s >>= 8u;',
      );
    } else {
      lines.push(
        `  s += ${t(0)};`,
        '  word = s & 255u;',
        ...[1, 2, 3].map((i) => `  s = (s >> 8u) + ${t(i)};\n  word |= (s & 255u) << ${8 * i}u;`),
        '  s >>= 8u;',
        `  r.v[${w - words}] = word;`,
      );
    }
  }
  return `fn bytes_turned(x: u32) -> u32 {
  return (x << 24u) | ((x & 0xff00u) << 8u) | ((x >> 8u) & 0xff00u) | (x >> 24u);
}
fn field_mul(a: Field, b: Field) -> Field {
  var r: Field;
  var s = 0u;
  var word = 0u;
${repeat(words, (w) => `  let w${w} = bytes_turned(b.v[${w}]);`).join('\n')}
${repeat(4 * words + 3, (k) => `  let b${k} = ${ofB(k)};`).join('\n')}
${lines.join('\n')}
  return r;
}
`;
}
