import type { MapRow } from '../../api/index.js';
import { throwIfAborted } from '../../base/abort.js';
import { equalBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import type { BasesToLoad, CompleteMsmBackend, MultiplyOptions, ResidentBases } from '../../bases/backend.js';
import { hostScalars, type ScalarVector } from '../../bases/scalar-vector.js';
import { type SampleBases, sampleScalars } from './sample-bases.js';

/** What is measured, and with what. */
export interface Measurement {
  readonly backend: CompleteMsmBackend;
  /** The same with the check by random weights; undefined where results need none. */
  readonly checked?: CompleteMsmBackend | undefined;
  readonly bases: Pick<SampleBases, 'take'>;
  /** The plan that is taken without a map; undefined where plans are not to be chosen. */
  readonly usual?: ((points: number) => { readonly windowBits: number; readonly chunks: number }) | undefined;
  /** Whether the workers can decompose the scalars of the backend's MSMs. */
  readonly workersCutDigits?: boolean | undefined;
  /**
   * Bases with so many multiples of each; undefined if no plan has so many. Left out where MSMs with multiples are not
   * to be measured.
   */
  readonly withMultiples?: ((points: number, multiples: number) => Promise<BasesToLoad | undefined>) | undefined;
  /** Milliseconds of work before anything is timed, since an idle GPU has lowered its clock. */
  readonly warmUpMs: number;
  /** When to end, by `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** The part of a row that decides a plan. */
export type MapTuning = Pick<MapRow, 'windowBits' | 'chunks' | 'largeBucketFactor' | 'digits'>;

/**
 * The least number of timed runs of a plan; short ones run more often, for about so many milliseconds. The fastest
 * counts, since everything else only adds to it. A run before them, which makes buffers, is not timed.
 */
export const RUNS = 3;
const MOST_RUNS = 15;
const TIMED_MS = 30;

/** A choice whose first run takes so many times what the best one takes is not timed again. */
const HOPELESS = 1.25;

/** `RESULT_INVALID` unless two MSMs over the same points and scalars have the same result. */
export function expectSame(known: Uint8Array, result: Uint8Array): void {
  if (equalBytes(known, result)) return;
  throw new PippinError('RESULT_INVALID', 'expected the same sum from every plan and backend, got another one');
}

/** Times MSMs over the same bases with the same scalars, and compares their results. */
export class Stopwatch {
  private known: Uint8Array | undefined;

  constructor(
    private readonly backend: CompleteMsmBackend,
    private readonly resident: ResidentBases,
    private readonly scalars: ScalarVector,
    private readonly until: { readonly deadline: number; readonly signal: AbortSignal },
  ) {}

  /**
   * Milliseconds of the fastest run; of one run, if that takes so much longer than `fastest` that others would not be
   * faster.
   */
  async time(tuning: MapTuning & Pick<MultiplyOptions, 'check'>, fastest = Number.POSITIVE_INFINITY): Promise<number> {
    const { deadline, signal } = this.until;
    let best = Number.POSITIVE_INFINITY;
    const begin = performance.now();
    for (let run = 0; run <= MOST_RUNS; run++) {
      if (run > RUNS && performance.now() - begin > TIMED_MS) break;
      throwIfAborted(signal);
      const start = performance.now();
      const [result] = await this.backend.multiplyBatch(
        this.resident,
        this.scalars,
        1,
        ownMembers({ signal, ...tuning }),
      );
      if (run > 0) best = Math.min(best, performance.now() - start);
      this.known ??= result!.point;
      expectSame(this.known, result!.point);
      if (run > 0 && best > HOPELESS * fastest) break;
      // The first runs of a slow device are enough.
      if (run > 0 && performance.now() > deadline) break;
    }
    return best;
  }
}

/** What `work` makes of MSMs over so many sample bases, by default with random scalars, which are loaded meanwhile. */
export async function withStopwatch<T>(
  measurement: Measurement,
  curve: MapRow['curve'],
  points: number,
  work: (stopwatch: Stopwatch, withScalars: (scalars: Uint8Array) => Stopwatch) => Promise<T>,
  bases: BasesToLoad = measurement.bases.take(points),
): Promise<T> {
  const { backend, signal } = measurement;
  const resident = await backend.load(bases, undefined, ownMembers({ signal }));
  try {
    const timed = (scalars: Uint8Array) => new Stopwatch(backend, resident, hostScalars(scalars), measurement);
    return await work(timed(sampleScalars(curve, points)), timed);
  } finally {
    resident.release();
  }
}
