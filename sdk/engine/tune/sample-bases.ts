import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import type { BasesToLoad } from '../../bases/backend.js';
import type { MultiplesPlan } from '../../bases/multiples.js';
import type { PointArithmetic } from '../../bases/point-arithmetic.js';
import { HeldMultiples } from '../../bases/precompute.js';
import type { PreparedBases } from '../../bases/prepared.js';
import { G2_GENERATORS } from '../../curves/g2-generators.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../curves/index.js';
import { encodePoint } from '../../curves/point-bytes.js';
import { computeMultiples } from '../../executors/workers/pool/multiples.js';
import type { KernelPool } from '../../executors/workers/pool/pool.js';
import { prepareBases } from '../../executors/workers/pool/prepare.js';
import { memorySource } from '../../files/byte-source.js';

/** Different points among the bases, which repeat them: so many that equal ones hardly ever meet in a bucket. */
const DISTINCT_POINTS = 256;

/** The most bytes that `getRandomValues` gives in a call. */
const RANDOM_BYTES = 65_536;

/** Bases to measure with: multiples of the generator, which repeat. */
export class SampleBases {
  private constructor(
    private readonly few: PreparedBases,
    private readonly pool: KernelPool,
    private readonly signal: AbortSignal,
  ) {}

  static async prepare(
    pool: KernelPool,
    arithmetic: PointArithmetic,
    curve: CurveId,
    group: GroupId,
    signal: AbortSignal,
  ): Promise<SampleBases> {
    const point = group === 'g1' ? CURVES[curve].g1.generator : G2_GENERATORS[curve]!;
    const generator = encodePoint(curve, group, point);
    const multiples = await Promise.all(
      Array.from({ length: DISTINCT_POINTS }, (_, i) =>
        arithmetic.combine(generator, bigintToBytes(BigInt(i + 1), CURVES[curve].scalarBytes)),
      ),
    );
    const points = memorySource(joinBytes(multiples));
    const count = points.size / pointBytes(curve, group);
    const few = await prepareBases(pool, { curve, group, encoding: 'canonical', count, points }, { signal });
    return new SampleBases(few, pool, signal);
  }

  /** `count` prepared points. */
  take(count: number): PreparedBases {
    const points = new Uint8Array(count * this.pointBytes);
    repeat(this.few.points, points);
    return { ...this.few, count, kept: count, indices: undefined, points };
  }

  /** `count` prepared points with their multiples for the GPU. */
  async takeWithMultiples(count: number, plan: MultiplesPlan): Promise<BasesToLoad> {
    const few = await computeMultiples(this.pool, this.few, this.few.points, plan, { signal: this.signal });
    if (few === undefined) throw new PippinError('INTERNAL', 'expected multiples of the generator, got none');
    const vectors = plan.multiples - 1;
    const points = new Uint8Array(vectors * count * this.pointBytes);
    for (let j = 0; j < vectors; j++) {
      const size = this.few.points.length;
      const ofAll = count * this.pointBytes;
      repeat(few.subarray(j * size, (j + 1) * size), points.subarray(j * ofAll, (j + 1) * ofAll));
    }
    return { ...this.take(count), multiples: new HeldMultiples('webgpu', plan, points) };
  }

  private get pointBytes(): number {
    return this.few.points.length / this.few.kept;
  }
}

/** Fills `target` with copies of `bytes`. */
function repeat(bytes: Uint8Array, target: Uint8Array): void {
  for (let at = 0; at < target.length; at += bytes.length) {
    target.set(bytes.subarray(0, Math.min(bytes.length, target.length - at)), at);
  }
}

/** `count` random scalars of the curve, below the largest power of two that the group's order exceeds. */
export function sampleScalars(curve: CurveId, count: number): Uint8Array {
  const { scalarBytes, fr } = CURVES[curve];
  const scalars = new Uint8Array(count * scalarBytes);
  for (let at = 0; at < scalars.length; at += RANDOM_BYTES) {
    crypto.getRandomValues(scalars.subarray(at, at + RANDOM_BYTES));
  }
  const highest = (fr.bits - 1) >> 3;
  const mask = (1 << ((fr.bits - 1) & 7)) - 1;
  for (let at = 0; at < scalars.length; at += scalarBytes) {
    scalars[at + highest]! &= mask;
    scalars.fill(0, at + highest + 1, at + scalarBytes);
  }
  return scalars;
}

/** One of so many sparse scalars is random. */
const SPARSE = 32;

/** `count` scalars as in a witness: a thirty-second random, the others 0 and 1 in equal parts. */
export function sparseScalars(curve: CurveId, count: number): Uint8Array {
  const { scalarBytes } = CURVES[curve];
  const scalars = sampleScalars(curve, count);
  for (let i = 0; i < count; i++) {
    if (i % SPARSE === 0) continue;
    scalars.fill(0, i * scalarBytes, (i + 1) * scalarBytes);
    scalars[i * scalarBytes] = i % 2;
  }
  return scalars;
}

/** `count` scalars at the edges of the field and of windows: 0, r - 1, r / 2, 2^k and their neighbours, in turns. */
export function edgeScalars(curve: CurveId, count: number): Uint8Array {
  const { scalarBytes, fr } = CURVES[curve];
  const { modulus: r, bits } = fr;
  const powers = Array.from({ length: bits - 1 }, (_, k) => 1n << BigInt(k));
  const edges = [
    0n,
    r - 1n,
    r - 2n,
    r >> 1n,
    (r >> 1n) + 1n,
    ...powers.flatMap((power) => [power, power - 1n, r - power]),
  ];
  return joinBytes(Array.from({ length: count }, (_, i) => bigintToBytes(edges[i % edges.length]!, scalarBytes)));
}
