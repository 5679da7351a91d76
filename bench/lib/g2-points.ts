import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { ALL_G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { type Curve, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import type { KnownPoints } from './points.js';

/** c0 + c1 u in F_p^2 = F_p[u] / (u^2 - nonResidue), both below p. */
type Number2 = readonly [c0: bigint, c1: bigint];
type Point = readonly [x: Number2, y: Number2];

/** factor * generator of G2 in boundary bytes, by the workers' kernel. */
export function g2Multiple(kernel: Kernel, { id, fr }: Curve, factor: bigint): Promise<Uint8Array> {
  const scalars = bigintToBytes(mod(factor, fr.modulus), SCALAR_BYTES);
  return kernel.combine({ group: 'g2', points: encodePoint(id, 'g2', ALL_G2_GENERATORS[id]!), scalars });
}

/**
 * `count` consecutive multiples of the generator of G2: from the points 0..m-1 the next m follow by adding m G to each,
 * all with one inversion (Montgomery's trick).
 */
export async function consecutiveG2Multiples(
  kernel: Kernel,
  curve: Curve,
  count: number,
  first: bigint,
): Promise<KnownPoints> {
  const { mul, sub, invert } = arithmetic(curve);
  const multiple = async (factor: bigint): Promise<Point> => {
    const { x, y } = decodePoint(curve.id, 'g2', await g2Multiple(kernel, curve, factor));
    return [x as Number2, y as Number2];
  };
  const points = [await multiple(first)];
  while (points.length < count) {
    const m = Math.min(points.length, count - points.length);
    const [stepX, stepY] = await multiple(BigInt(points.length));
    const prefix: Number2[] = [[1n, 0n]];
    for (let i = 0; i < m; i++) prefix.push(mul(prefix[i]!, sub(stepX, points[i]![0])));
    let inverted = invert(prefix[m]!);
    const sums = new Array<Point>(m);
    for (let i = m - 1; i >= 0; i--) {
      const [x, y] = points[i]!;
      const slope = mul(sub(stepY, y), mul(prefix[i]!, inverted));
      inverted = mul(inverted, sub(stepX, x));
      const sumX = sub(sub(mul(slope, slope), x), stepX);
      sums[i] = [sumX, sub(mul(slope, sub(x, sumX)), y)];
    }
    for (const sum of sums) points.push(sum);
  }
  return { bytes: joinBytes(points.map((point) => encodePoint(curve.id, 'g2', point))), first };
}

function arithmetic({ fq: { modulus: p }, g2 }: Curve) {
  const { nonResidue } = g2!;
  return {
    mul: (a: Number2, b: Number2): Number2 => [
      mod(a[0] * b[0] + nonResidue * a[1] * b[1], p),
      mod(a[0] * b[1] + a[1] * b[0], p),
    ],
    sub: (a: Number2, b: Number2): Number2 => [mod(a[0] - b[0], p), mod(a[1] - b[1], p)],
    /** The conjugate over the norm. */
    invert: ([c0, c1]: Number2): Number2 => {
      const norm = inverse(mod(c0 * c0 - nonResidue * c1 * c1, p), p);
      return [mod(c0 * norm, p), mod(-c1 * norm, p)];
    },
  };
}
