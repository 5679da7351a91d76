import { packedWords, toLimbs, wgslLimbBits, wgslLimbs } from '../../../sdk/curves/limbs.js';

/** How an element of a field is cut in WGSL: into `count` limbs of `bits` bits, which `words` words take packed. */
export interface Limbs {
  readonly count: number;
  readonly bits: number;
  readonly words: number;
}

export function limbsOf(bits: number): Limbs {
  return { count: wgslLimbs(bits), bits: wgslLimbBits(bits), words: packedWords(bits) };
}

/** The limbs of a number, lowest first. */
export function cut(value: bigint, { count, bits }: Limbs): number[] {
  return toLimbs(value, count, bits);
}

/** R of the Montgomery form. */
export function montgomeryR({ count, bits }: Limbs): bigint {
  return 1n << BigInt(count * bits);
}

/** Whether a column of so many products for each limb fits 32 bits with what the one below it carries. */
export function columnFits({ count, bits }: Limbs, products: number): boolean {
  return products * count * (2 ** bits - 1) ** 2 + 2 ** (32 - bits) < 2 ** 32;
}

/** Limb-wise terms carried into a normalised result; what passes the highest limb stays in it. */
export function carried({ count, bits }: Limbs, term: (j: number) => string): string {
  const lines = ['var r: Field;', 'var c = 0u;'];
  for (let j = 0; j < count - 1; j++) {
    lines.push(`c += ${term(j)};`, `r.v[${j}] = c & LIMB_MASK;`, `c >>= ${bits}u;`);
  }
  lines.push(`r.v[${count - 1}] = c + ${term(count - 1)};`, 'return r;');
  return lines.map((line) => `  ${line}`).join('\n');
}

/**
 * a_j - b_j + d_j, with the limbs d of a multiple of p written so that no limb of the sum goes below 0 but the highest,
 * to which the carry is added modulo 2^32.
 */
export function difference(multiple: bigint, limbs: Limbs): (j: number) => string {
  const d = cut(multiple, limbs);
  for (let j = 0; j < limbs.count - 1; j++) {
    d[j]! += 2 ** limbs.bits;
    d[j + 1]! -= 1;
  }
  return (j) => `a.v[${j}] + ${d[j]! >>> 0}u - b.v[${j}]`;
}

/** `field_unpack` and `field_pack`: between limbs and the words of a buffer. */
export function packing(limbs: Limbs): string {
  const { count, words } = limbs;
  return `fn field_unpack(w: array<u32, ${words}>) -> Field {
  return Field(array<u32, ${count}>(
${unpackLimbs(limbs)}
  ));
}

// a < 2^${32 * words}.
fn field_pack(a: Field) -> array<u32, ${words}> {
  return array<u32, ${words}>(
${packWords(limbs)}
  );
}
`;
}

function unpackLimbs({ count, bits, words }: Limbs): string {
  return Array.from({ length: count }, (_, j) => {
    const bit = j * bits;
    const word = bit >> 5;
    const shift = bit & 31;
    if (word >= words) return '    0u,';
    const low = shift === 0 ? `w[${word}]` : `w[${word}] >> ${shift}u`;
    const spans = shift + bits > 32 && word + 1 < words;
    return `    (${spans ? `(${low}) | (w[${word + 1}] << ${32 - shift}u)` : low}) & LIMB_MASK,`;
  }).join('\n');
}

function packWords({ count, bits, words }: Limbs): string {
  return Array.from({ length: words }, (_, w) => {
    const terms: string[] = [];
    for (let j = 0; j < count; j++) {
      const shift = j * bits - 32 * w;
      if (shift <= -bits || shift >= 32) continue;
      terms.push(shift === 0 ? `a.v[${j}]` : shift > 0 ? `(a.v[${j}] << ${shift}u)` : `(a.v[${j}] >> ${-shift}u)`);
    }
    return `    ${terms.join(' | ')},`;
  }).join('\n');
}
