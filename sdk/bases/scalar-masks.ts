import { bigintToBytes, bytesToBigint, joinBytes, newBytes } from '../base/bytes.js';
import { wipe, wipeAndFree } from '../base/free-memory.js';
import { CURVES, type CurveId } from '../curves/index.js';
import { randomBytes, randomScalar } from '../curves/random.js';
import type { BatchScalars } from '../executors/workers/kernel/kernel-instance.js';
import type { MaskScalarsArgs } from '../executors/workers/kernel/scalar-forms-kernel.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { eachBatchSlice } from '../executors/workers/pool/slices.js';

/** Canonical scalars to which masks are to be added. */
export interface MaskRequest {
  /** MSM after MSM. */
  readonly scalars: Uint8Array;
  /** The number of each MSM's first scalar, from which its mask is derived. */
  readonly first: number;
  /** From which the masks of all numbers follow. */
  readonly key: Uint8Array;
  /** For each MSM the factor of its masks, a scalar. */
  readonly factors: Uint8Array;
}

/** Adds masks to scalars on trusted executors. Work and memory access do not depend on the scalars. */
export type MaskScalars = (request: MaskRequest, signal: AbortSignal | undefined) => Promise<Uint8Array>;

/**
 * Secret, random numbers modulo the order r, one for each scalar of a vector, which mask it
 * (docs/strategies/constant-work.md).
 */
export class ScalarMasks {
  private readonly key = newMaskKey();

  constructor(
    readonly curve: CurveId,
    private readonly mask: MaskScalars,
  ) {}

  /** The masks of the numbers first..first+count themselves. */
  of(first: number, count: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return this.times([1n]).of(first, count, signal);
  }

  /**
   * The masks times new random factors, one for each of `batch` multiplications. No later multiplication takes them
   * again.
   */
  draw(batch = 1): DrawnMasks {
    return this.times(Array.from({ length: batch }, () => bytesToBigint(randomScalar(this.curve))));
  }

  private times(factors: readonly bigint[]): DrawnMasks {
    return new DrawnMasks(this.curve, this.key, factors, this.mask);
  }
}

/** Masks times factors, one for each multiplication. */
export class DrawnMasks {
  constructor(
    private readonly curve: CurveId,
    private readonly key: Uint8Array,
    readonly factors: readonly bigint[],
    private readonly mask: MaskScalars,
  ) {}

  /** The scalars of each MSM, of which the first has number `first`, plus their masks, in a new array. */
  async addTo(scalars: Uint8Array, first: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { curve, key } = this;
    const factors = joinBytes(this.factors.map((factor) => bigintToBytes(factor, CURVES[curve].scalarBytes)));
    try {
      return await this.mask({ scalars, first, key, factors }, signal);
    } finally {
      factors.fill(0);
    }
  }

  /** The masks of the numbers first..first+count, for each multiplication. */
  of(first: number, count: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const bytes = this.factors.length * count * CURVES[this.curve].scalarBytes;
    return this.addTo(new Uint8Array(bytes), first, signal);
  }
}

/** Bytes of the key of SipHash. */
const KEY_BYTES = 16;

/** A new secret key, from which masks of points or scalars follow by their numbers (SipHash-2-4). */
export function newMaskKey(): Uint8Array<ArrayBuffer> {
  return randomBytes(KEY_BYTES);
}

/** New masks for scalars of a curve, which the workers add. */
export function poolMasks(pool: KernelPool, curve: CurveId): ScalarMasks {
  return new ScalarMasks(curve, (request, signal) => maskScalars(pool, curve, request, signal));
}

/** Each scalar plus its mask, slice by slice, which the caller overwrites. */
export async function maskScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, first, ...masks }: MaskScalarsArgs,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { scalarBytes } = CURVES[curve];
  const batch = masks.factors.length / scalarBytes;
  const stride = scalars.length / batch;
  const masked = newBytes(scalars.length);
  const mask = async (slice: BatchScalars, from: number, to: number): Promise<void> => {
    const args = { ...masks, ...slice, first: first + from };
    const made = await pool.call(curve, 'maskScalars', args, { signal, urgent: true });
    const bytes = (to - from) * scalarBytes;
    for (let m = 0; m < batch; m++) {
      masked.set(made.subarray(m * bytes, (m + 1) * bytes), m * stride + from * scalarBytes);
    }
    wipeAndFree(made);
  };
  try {
    await eachBatchSlice(pool, { scalars, batch, scalarBytes }, mask, signal);
    return masked;
  } catch (error) {
    wipe(masked);
    throw error;
  }
}
