import { beginEdwardsMap, finishEdwardsMap } from '../curve/edwards-map';
import { the } from '../field/field';
import { isInfinity, loadChecked, POINT } from './prepare';

/**
 * Checks `count` affine points and writes those that have an Edwards form to `target` in prepared form, and their
 * indices (u32) to `indices`. Batch inversion (Montgomery's trick) takes one inversion for all points. Returns the
 * number of points written, or -1 - i when point i is not on the curve.
 *
 * The number of exceptional points goes to `exceptional` (u32), followed by the index of each, and their affine
 * boundary bytes go to `exceptionalPoints`. `scratch` has room for 4 elements for each point and one more.
 */
export function prepareEdwards<F, A, E>(
  source: usize,
  count: i32,
  encoding: i32,
  b: usize,
  target: usize,
  indices: usize,
  exceptional: usize,
  exceptionalPoints: usize,
  scratch: usize,
): i32 {
  const f = the<F>();
  const n = f.size;
  const bytes: usize = 2 * f.packedSize;
  let kept: i32 = 0;
  let set: u32 = 0;
  // One record for each point: x_m, y_m, denominator, and the product of the denominators before it.
  const product = scratch;
  f.setOne(product);
  const records = scratch + n;
  for (let i: i32 = 0; i < count; i++) {
    const at = source + <usize>i * bytes;
    if (isInfinity(at, bytes)) continue;
    if (!loadChecked<F, A>(at, encoding, b)) return -1 - i;
    const record = records + <usize>kept * 4 * n;
    if (!beginEdwardsMap<F, E>(record, record + n, record + 2 * n, POINT)) {
      const to = exceptionalPoints + <usize>set * bytes;
      f.storeCanonical(to, POINT);
      f.storeCanonical(to + f.packedSize, POINT + n);
      set++;
      store<u32>(exceptional + (<usize>set << 2), i);
      continue;
    }
    f.copy(record + 3 * n, product);
    f.mul(product, product, record + 2 * n);
    store<u32>(indices + (<usize>kept << 2), i);
    kept++;
  }
  store<u32>(exceptional, set);
  f.invert(POINT, product);
  for (let i: i32 = kept - 1; i >= 0; i--) {
    const record = records + <usize>i * 4 * n;
    f.mul(record + 3 * n, record + 3 * n, POINT);
    f.mul(POINT, POINT, record + 2 * n);
    finishEdwardsMap<F, E>(target + <usize>i * 3 * f.packedSize, record, record + n, record + 3 * n);
  }
  return kept;
}
