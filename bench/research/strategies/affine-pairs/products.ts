import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { packedWords } from '../../../../sdk/curves/limbs.js';

/** Threads whose products lie interleaved, so that they are read and written together. */
const LANES = 64;

/**
 * WGSL that keeps the running products of a thread in the binding `products`: `store_product(t, k, a)`, where a fits
 * its words, and `load_product(t, k)`.
 */
export function productStore(curve: CurveId): string {
  const words = packedWords(CURVES[curve].fq.bits);
  const place = (w: number): string => `products[at + ${w * LANES}u]`;
  const each = Array.from({ length: words }, (_, w) => w);
  return `fn place_of_product(t: u32, k: u32) -> u32 {
  return (t / ${LANES}u * PAIRS + k) * ${words * LANES}u + t % ${LANES}u;
}

fn store_product(t: u32, k: u32, a: Field) {
  let at = place_of_product(t, k);
  let words = field_pack(a);
${each.map((w) => `  ${place(w)} = words[${w}];`).join('\n')}
}

fn load_product(t: u32, k: u32) -> Field {
  let at = place_of_product(t, k);
  return field_unpack(array<u32, ${words}>(${each.map(place).join(', ')}));
}
`;
}

/** Words of the products of so many threads. */
export function productWords(curve: CurveId, threads: number, pairs: number): number {
  return Math.ceil(threads / LANES) * LANES * pairs * packedWords(CURVES[curve].fq.bits);
}
