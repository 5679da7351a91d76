import { fromLimbs, toLimbs } from '../../../sdk/curves/limbs.js';
import { onesBelow, randomWords } from './biased.js';
import type { FieldShape } from './field-shape.js';

/**
 * Packed points with random coordinates below p. They are not on the curve, but formulas cost the same. A quarter of
 * the coordinates is close to 0, to p, or to a number whose limbs are all ones (`onesBelow`). No two points have the
 * same first coordinate.
 */
export function packedPoints(
  { p, words, limbBits }: FieldShape,
  count: number,
  coordinates: number,
): Uint32Array<ArrayBuffer> {
  const word = randomWords();
  const packed = Uint32Array.from({ length: count * coordinates * words }, word);
  const topWord = Number(p >> BigInt(32 * (words - 1)));
  for (let at = words - 1; at < packed.length; at += words) packed[at]! %= topWord;
  const ones = onesBelow(p, limbBits);
  for (let at = 0; at < packed.length; at += words) {
    const near = BigInt(at / words + 1);
    const kind = word() % 12;
    if (kind < 3) packed.set(toLimbs([near, p - near, ones - near][kind]!, words, 32), at);
  }
  return packed;
}

/** The coordinates of point `index`. */
export function packedPoint({ words }: FieldShape, packed: Uint32Array, index: number, coordinates: number): bigint[] {
  return Array.from({ length: coordinates }, (_, k) => {
    const at = (index * coordinates + k) * words;
    return fromLimbs(packed.subarray(at, at + words), 32);
  });
}
