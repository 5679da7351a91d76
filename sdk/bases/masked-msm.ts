import type { MsmCheck } from '../api/index.js';
import { untilAborted } from '../base/abort.js';
import { bigintToBytes, joinBytes } from '../base/bytes.js';
import { wipe } from '../base/free-memory.js';
import { ownMembers } from '../base/records.js';
import { CURVES } from '../curves/index.js';
import type { ComputedMsm, MultiplyOptions } from './backend.js';
import type { LoadedBases } from './loaded-bases.js';
import type { ArithmeticFor } from './point-arithmetic.js';
import type { BasesOutline } from './prepared.js';
import type { DrawnMasks, ScalarMasks } from './scalar-masks.js';
import { hostScalars } from './scalar-vector.js';

/** MSMs of the masks themselves, over runs of the bases. */
interface MaskResults {
  readonly points: readonly Uint8Array[];
  /** Whether the workers computed them, alone or to compare them. */
  readonly isTrusted: boolean;
}

/**
 * How the MSMs of masks are computed: by default as others; on the workers alone; or compared with the workers'
 * results.
 */
type Trust = 'usual' | 'workers' | 'compared';

/** A vector of bases, and how its masks are numbered. */
export interface MaskedBases {
  readonly bases: LoadedBases;
  readonly masks: ScalarMasks;
  /** The number of the mask that belongs to the first base. */
  readonly first: number;
  /** How the MSMs of masks are checked. */
  readonly check: MsmCheck | undefined;
}

/**
 * MSMs of masked scalars, so that the work is independent of the scalars: sum k_i P_i = sum (k_i + f t_i) P_i - f sum
 * t_i P_i, modulo r, where t_i is mask i and f a random factor for each MSM. The MSM of the masks is computed once for
 * the bases (docs/strategies/constant-work.md).
 */
export class MaskedMsm {
  /** By the number of runs into which the bases are cut. */
  private readonly known = new Map<number, Promise<MaskResults>>();
  /** The bases that they are of; others may take their place (`LoadedBases.renew`). */
  private outline: BasesOutline;

  constructor(
    private readonly masked: MaskedBases,
    private readonly arithmeticFor: ArithmeticFor,
  ) {
    this.outline = masked.bases.outline;
  }

  /** `batch` multiplications; see `LoadedBases.multiplyBatch`. `scalars` are canonical. */
  async multiplyBatch(scalars: Uint8Array, batch: number, options: MultiplyOptions): Promise<ComputedMsm[]> {
    const { bases, masks, first } = this.masked;
    const { sharedBases = true, signal } = options;
    // With bases of their own, multiplications take one run of masks after another.
    const drawn = masks.draw(sharedBases ? batch : 1);
    const masked = await drawn.addTo(scalars, first, signal);
    // Exceptional points need not have order r, by which masked scalars are reduced.
    const plain = hostScalars(scalars);
    try {
      const results = await bases.multiplyBatch(hostScalars(masked), batch, options, plain);
      return await this.unmask(results, drawn, options);
    } finally {
      wipe(masked);
    }
  }

  /**
   * The MSMs of the plain scalars, from the MSMs of the masked ones. Each MSM has its own run of bases, or all are over
   * the same bases. Needs the MSMs of the masks, which the first call computes.
   */
  async unmask(
    results: readonly ComputedMsm[],
    { factors }: DrawnMasks,
    options: MultiplyOptions,
  ): Promise<ComputedMsm[]> {
    const { curve, group } = this.masked.bases.outline;
    const { fr, scalarBytes } = CURVES[curve];
    const { sharedBases, check } = ownMembers(options);
    const runs = sharedBases === false ? results.length : 1;
    const compared = check === 'recompute' ? 'compared' : 'usual';
    const trust = results.every(areOfWorkers) ? 'workers' : compared;
    const { points } = await untilAborted(this.maskResults(runs, trust), options.signal);
    const arithmetic = this.arithmeticFor(curve, group, options.signal);
    return Promise.all(
      results.map(async (result, m) => {
        const both = [1n, fr.modulus - factors[m % factors.length]!].map((factor) =>
          bigintToBytes(factor, scalarBytes),
        );
        const point = await arithmetic.combine(joinBytes([result.point, points[m % runs]!]), joinBytes(both));
        return { ...result, point };
      }),
    );
  }

  /**
   * Computed without the signal of a call, because other calls may wait for them, too. After a failure the next call
   * tries again. What a GPU computed is not taken where the workers computed everything else: it may be wrong.
   */
  private async maskResults(runs: number, trust: Trust): Promise<MaskResults> {
    const { outline } = this.masked.bases;
    if (this.outline !== outline) {
      this.known.clear();
      this.outline = outline;
    }
    const known = await this.known.get(runs);
    if (known !== undefined && (known.isTrusted || trust === 'usual')) return known;
    const computing = this.computeMaskResults(runs, trust);
    this.known.set(runs, computing);
    computing.catch(() => {
      if (this.known.get(runs) === computing) this.known.delete(runs);
    });
    return computing;
  }

  private async computeMaskResults(runs: number, trust: Trust): Promise<MaskResults> {
    const { bases, masks, first, check } = this.masked;
    const { count, curve } = bases.outline;
    const scalars = await masks.of(first, count, undefined);
    // The share of exceptional points is not masked.
    const none = hostScalars(new Uint8Array(count * CURVES[curve].scalarBytes));
    const sharedBases = runs === 1;
    // The random linear combination is an MSM over all bases; here each run would need its own.
    const isCompared = trust === 'compared' || (check === 'random' && !sharedBases);
    const options = { sharedBases, check: isCompared ? 'recompute' : check, trustedOnly: trust === 'workers' } as const;
    try {
      const results = await bases.multiplyBatch(hostScalars(scalars), runs, options, none);
      return { points: results.map(({ point }) => point), isTrusted: isCompared || results.every(areOfWorkers) };
    } finally {
      wipe(scalars);
    }
  }
}

function areOfWorkers({ executors }: ComputedMsm): boolean {
  return executors.every((executor) => executor === 'wasm');
}
