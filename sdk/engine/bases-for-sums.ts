import type { MsmSum } from '../bases/backend.js';
import type { CachedPoints } from '../bases/cached-points.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { MaskedSums } from '../bases/masked-sums.js';
import type { Tuning } from '../bases/multiples.js';
import type { Precomputation } from '../bases/precompute.js';
import { checkScalars } from '../bases/scalar-bits.js';
import { hostScalars } from '../bases/scalar-vector.js';
import { checkScalarsEvenly } from '../bases/scalars.js';
import { canonicalScalars } from '../executors/workers/pool/elementwise.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import type { Way } from '../recovery/attempt.js';
import type { Call } from './call.js';
import type { SumsRequest } from './engine-api.js';

/** What the names of the arrays in a record of bases begin with. */
export const RECORD_NAME = 'bases' as const;

/** Loaded bases, how their sums are computed, and what gives them multiples if the caller wants that. */
export class BasesForSums {
  constructor(
    private readonly pool: KernelPool,
    readonly bases: LoadedBases,
    /** Sums over them of constant work. */
    private readonly masked: MaskedSums,
    private readonly precomputation: Precomputation | undefined,
    private readonly source: LoadedSource,
    /** Replaces the points if the cache gave wrong ones. */
    private readonly cachedPoints: CachedPoints<typeof RECORD_NAME>,
    /** How sums over them are computed, where a call names nothing else. */
    private readonly tuning: Tuning,
  ) {}

  /** The results of as many multiplications as the request says. The scalars are brought to canonical form in place. */
  async multiplyBatch(call: Call, scalars: Uint8Array, request: SumsRequest): Promise<Uint8Array[]> {
    const { bases, masked, cachedPoints, precomputation, tuning } = this;
    const { batchSize, sharedBases, check = 'random', constantWork = false } = request;
    const scalarBits = await this.readScalars(call, scalars, request);
    const onProgress = call.meter('msm', 1);
    // A check of random weights is a sum over all bases, which would be one for each run of them.
    const how = check === 'random' && !sharedBases ? 'recompute' : check;
    const asked = { ...tuning, ...request.tuning, scalarBits, sharedBases, check: how };
    const options = { ...asked, signal: call.signal, onProgress, observer: call.observer() };
    const multiply = ({ by }: Way): Promise<MsmSum[]> => {
      const multiplying = { ...options, trustedOnly: by === 'workers' };
      return constantWork
        ? masked.multiplyBatch(scalars, batchSize, multiplying)
        : bases.multiplyBatch(hostScalars(scalars), batchSize, multiplying);
    };
    const sums = await cachedPoints.use(call, multiply);
    call.computedBy('msm', [...new Set(sums.flatMap(({ executors }) => executors))]);
    onProgress(1);
    precomputation?.begin();
    return sums.map(({ point }) => point);
  }

  release(): void {
    this.precomputation?.release();
    this.bases.release();
    void this.source.close();
  }

  /**
   * Checks the scalars of a request, brings them to canonical form in place, and gives the number of bits of the largest; undefined where the work
   * must not depend on it.
   */
  private async readScalars(
    { signal }: Call,
    scalars: Uint8Array,
    { batchSize, sharedBases, bitSize, scalarsForm, constantWork }: SumsRequest,
  ): Promise<number | undefined> {
    const { curve, count } = this.bases.outline;
    const expected = sharedBases ? batchSize * count : count;
    if (scalarsForm === 'montgomery') {
      checkScalarsEvenly(curve, scalars, expected);
      await canonicalScalars(this.pool, curve, scalars, signal);
    }
    if (!constantWork) return checkScalars(curve, scalars, expected, bitSize);
    checkScalarsEvenly(curve, scalars, expected, bitSize);
    return undefined;
  }
}
