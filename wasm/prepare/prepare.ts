import { the } from '../field/field';
import { satisfiesEquation } from '../curve/weierstrass';
import { EXTENDED } from '../generated/scratch';

/** How coordinates are encoded: integers below p, or those times 2^(8 coordinateBytes). */
export const CANONICAL: i32 = 0;
const MONTGOMERY: i32 = 1;

/** The point that `loadCoordinates` loads, in kernel form. */
export const POINT: usize = memory.data(2 * EXTENDED);

/** Whether the bytes are all zero. */
export function isInfinity(source: usize, bytes: usize): bool {
  for (let i: usize = 0; i < bytes; i += 4) {
    if (load<u32>(source + i) != 0) return false;
  }
  return true;
}

/** Loads the coordinates of one point to POINT; false when one is not below p. */
export function loadCoordinates<F>(source: usize, encoding: i32): bool {
  const f = the<F>();
  const second = source + f.packedSize;
  if (!f.isBelowModulus(source) || !f.isBelowModulus(second)) return false;
  if (encoding == MONTGOMERY) {
    f.loadMontgomery(POINT, source);
    f.loadMontgomery(POINT + f.size, second);
  } else {
    f.loadCanonical(POINT, source);
    f.loadCanonical(POINT + f.size, second);
  }
  return true;
}

/** Loads one point to POINT and checks it; false when a coordinate is not below p or the point is off the curve. */
export function loadChecked<F, A>(source: usize, encoding: i32, b: usize): bool {
  return loadCoordinates<F>(source, encoding) && satisfiesEquation<F, A>(POINT, b);
}

/**
 * Checks `count` affine points and writes those that are not infinity to `target` in packed Montgomery form, and their
 * indices (u32) to `indices`. Returns the number of points written, or -1 - i when point i is not on the curve.
 */
export function prepareWeierstrass<F, A>(
  source: usize,
  count: i32,
  encoding: i32,
  b: usize,
  target: usize,
  indices: usize,
): i32 {
  const f = the<F>();
  const bytes: usize = 2 * f.packedSize;
  let kept: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const at = source + <usize>i * bytes;
    if (isInfinity(at, bytes)) continue;
    if (!loadChecked<F, A>(at, encoding, b)) return -1 - i;
    const to = target + <usize>kept * bytes;
    f.storePacked(to, POINT);
    f.storePacked(to + f.packedSize, POINT + f.size);
    store<u32>(indices + (<usize>kept << 2), i);
    kept++;
  }
  return kept;
}
