import { throwIfAborted } from '../../base/abort.js';
import { newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { canonicalScalars } from '../../executors/workers/pool/elementwise.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { memorySource } from '../../files/byte-source.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import type { CeremonyWork } from '../ceremony-work.js';
import { addPoints, partOfVector, sumPrepared } from '../ratio-check.js';

/** Points in memory at a time. */
const CHUNK_POINTS = 1 << 15;

/** Points of a .ptau, and their name in messages. */
export interface NamedPoints {
  readonly vector: KeyVector;
  readonly what: string;
}

/**
 * Commitments to polynomials: MSMs of their coefficients over the powers of tau, or of their values on a domain over
 * the Lagrange polynomials of the domain at tau. The points are read once, chunk by chunk.
 */
export class Commitments {
  private readonly sums: Uint8Array[][];

  /**
   * @param points in G1, at least as many as a polynomial has scalars.
   * @param polynomials the scalars of each, of equal number, in Montgomery form with R = 2^256.
   */
  constructor(
    private readonly work: CeremonyWork,
    private readonly curve: CurveId,
    private readonly given: NamedPoints,
    private readonly polynomials: readonly Uint8Array[],
  ) {
    this.sums = polynomials.map(() => []);
  }

  /**
   * The points as they are written, in order. `INVALID_POINT` for one that is infinite or not in the subgroup of prime
   * order.
   *
   * @param onProgress called with the number of points that are done since the last call.
   */
  async *points(onProgress: (points: number) => void): AsyncGenerator<Uint8Array> {
    const { curve } = this;
    const { vector } = this.given;
    for (let from = 0; from < vector.count; from += CHUNK_POINTS) {
      throwIfAborted(this.work.signal);
      const part = partOfVector(curve, vector, from, Math.min(CHUNK_POINTS, vector.count - from));
      const points = await part.bytes.read(0, part.bytes.size);
      await this.add({ ...part, bytes: memorySource(points) }, from);
      onProgress(part.count);
      yield points;
    }
  }

  /** The commitments, in the boundary form, when all points have been taken. */
  async sum(): Promise<Uint8Array[]> {
    return Promise.all(this.sums.map((points) => addPoints(this.work, this.curve, 'g1', points)));
  }

  /** Adds the terms of the points from number `from` on. */
  private async add({ group, count, bytes }: KeyVector, from: number): Promise<void> {
    const { work, curve, polynomials, sums } = this;
    const { what } = this.given;
    const { pool, signal } = work;
    const request = { curve, group, encoding: 'montgomery', count, firstIndex: from, points: bytes } as const;
    const prepared = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
    if (prepared.kept < count) {
      throw new PippinError('INVALID_POINT', `expected ${what} as finite points, got infinity among them`);
    }
    if (polynomials.length === 0 || from * SCALAR_BYTES >= polynomials[0]!.length) {
      freeMemory(prepared.points);
      return;
    }
    const scalars = newBytes(polynomials.length * count * SCALAR_BYTES);
    for (const [i, polynomial] of polynomials.entries()) {
      scalars.set(polynomial.subarray(from * SCALAR_BYTES, (from + count) * SCALAR_BYTES), i * count * SCALAR_BYTES);
    }
    await canonicalScalars(pool, curve, scalars, signal);
    const parts = await sumPrepared(work, prepared, scalars, polynomials.length);
    for (const [i, some] of parts.entries()) sums[i]!.push(...some);
    freeMemory(scalars);
  }
}
