import { bytesToBigint, joinBytes } from '../../sdk/base/bytes.js';
import type { Random } from '../support/random.js';
import { patched } from '../support/section-bytes.js';

export const pick = <T>(random: Random, values: readonly T[]): T => values[random.integer(values.length)]!;

/** With one to four bits flipped, next to each other or anywhere. */
export function flipped(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice();
  if (copy.length === 0) return copy;
  for (let i = random.integer(4); i >= 0; i--) {
    const at = random.integer(copy.length);
    copy[at] = copy[at]! ^ (1 << random.integer(8));
  }
  return copy;
}

/**
 * A point of `size` bytes at `at`, put off its curve, out of range, at infinity, or replaced by another point of the
 * bytes.
 */
export function spoiltPoint(
  bytes: Uint8Array,
  at: number,
  size: number,
  coordinate: number,
  random: Random,
): Uint8Array {
  const place = at + coordinate * random.integer(size / coordinate);
  const points = Math.floor(bytes.length / size);
  const other = size * random.integer(points);
  const half = size / 2;
  switch (random.integer(7)) {
    case 0:
      return patched(bytes, at, new Uint8Array(size));
    case 1:
      return patched(bytes, place, new Uint8Array(coordinate).fill(0xff));
    case 2:
      return patched(bytes, place, new Uint8Array(coordinate));
    case 3:
      // Another point, which need not be one where the bytes hold more than points.
      return patched(bytes, at, bytes.slice(other, other + size));
    case 4:
      return patched(bytes, at, joinBytes([bytes.subarray(at + half, at + size), bytes.subarray(at, at + half)]));
    case 5:
      return patched(
        bytes,
        place,
        patched(bytes.slice(place, place + coordinate), 0, new Uint8Array([random.integer(256)])),
      );
    default:
      return joinBytes([
        bytes.subarray(0, at),
        flipped(bytes.subarray(at, at + size), random),
        bytes.subarray(at + size),
      ]);
  }
}

/** The integers of `size` bytes each. */
export function integersIn(bytes: Uint8Array, size: number): bigint[] {
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => bytesToBigint(bytes, i * size, size));
}
