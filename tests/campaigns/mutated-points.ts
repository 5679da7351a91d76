import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { type Curve, type GroupId, pointBytes } from '../../sdk/curves/index.js';
import type { Random } from '../support/random.js';
import { flipped, spoiltPoint } from './mutated-bytes.js';

/** One or more of the points, up to two of them spoilt, and the last cut off now and then. */
export function mutatedPoints(curve: Curve, group: GroupId, bytes: Uint8Array, random: Random): Uint8Array {
  const size = pointBytes(curve.id, group);
  let changed: Uint8Array = bytes.slice(0, size * (1 + random.integer(bytes.length / size)));
  for (let i = random.integer(3); i > 0; i--) {
    const at = size * random.integer(changed.length / size);
    const coordinate = at + curve.coordinateBytes * random.integer(size / curve.coordinateBytes);
    if (random.integer(3) > 0) changed = spoiltPoint(changed, at, size, curve.coordinateBytes, random);
    else changed.set(bigintToBytes(nearModulus(curve.fq.modulus, random), curve.coordinateBytes), coordinate);
  }
  return random.integer(16) === 0 ? changed.slice(0, random.integer(changed.length + 1)) : changed;
}

/** `count` scalars, most of them right. */
export function mutatedScalars(curve: Curve, count: number, random: Random): Uint8Array {
  const { fr, scalarBytes } = curve;
  const values = Array.from({ length: count }, () => {
    const kind = random.integer(8);
    if (kind === 0) return nearModulus(fr.modulus, random);
    return kind === 1 ? random.below(fr.modulus) : random.below(1n << 20n);
  });
  const bytes = joinBytes(values.map((value) => bigintToBytes(value, scalarBytes)));
  if (random.integer(16) === 0) return flipped(bytes, random);
  return random.integer(32) === 0 ? bytes.slice(0, random.integer(bytes.length + 1)) : bytes;
}

/** p - 1, p, p + 1 or thereabouts. */
const nearModulus = (modulus: bigint, random: Random): bigint => modulus + BigInt(random.integer(3) - 1);
