import type { MapRow, MsmTuning, Precompute } from '../api/index.js';

export type { Precompute } from '../api/index.js';

/**
 * What decides, beside their number, which multiples are made: the windows, if the caller names them, and how MSMs with
 * them are reduced.
 */
export type MultiplesTuning = Pick<Tuning, 'windowBits' | 'reduction'>;

/** The multiples that a caller wants. */
export interface WantedMultiples extends MultiplesTuning {
  readonly precompute: Precompute;
}

/**
 * Precomputed multiples of bases P: 2^(j rows windowBits) P for each j from 0, the bases themselves, to multiples - 1.
 * Digit w = j rows + g of a scalar, by window w, then takes multiple j and goes to row g of the buckets, so that there
 * are `rows` rows instead of a row for each window.
 */
export interface MultiplesPlan {
  /** Bits of a window: the c of Pippenger's method. */
  readonly windowBits: number;
  /** Rows of buckets: G = ceil(windows / multiples). */
  readonly rows: number;
  /** How many multiples there are of each base, the base among them: at least 2. */
  readonly multiples: number;
}

/** Multiples of bases, and what a multiplication costs with them, in any unit. */
export interface MultiplesCost {
  readonly plan: MultiplesPlan;
  readonly cost: number;
}

/** Which multiples are made. */
export interface MultiplesChoice {
  /** undefined for none. */
  readonly plan: MultiplesPlan | undefined;
  /** Whether there is memory for as many as the caller wants. */
  readonly fits: boolean;
}

/** The numbers of multiples among which `auto` chooses. More than 8 take memory and save hardly any time. */
export const AUTOMATIC_MULTIPLES: readonly number[] = [2, 4, 8];
/** Multiples pay if a multiplication takes at most this part of its time without any. */
const WORTHWHILE = 0.95;
/**
 * More multiples, which take more memory, are better if a multiplication takes at most this part of its time with
 * fewer.
 */
const CLEARLY_BETTER = 0.97;

/**
 * Chooses the multiples to make: as many as are wanted or, if they do not fit, as many as do; with `auto` the number
 * that pays.
 *
 * @param costOf the best plan with at most so many multiples of each base; undefined if none fits.
 */
export function chooseMultiples(
  precompute: Precompute,
  costOf: (multiples: number) => MultiplesCost | undefined,
): MultiplesChoice {
  if (precompute !== 'auto') {
    for (let multiples = precompute; multiples > 1; multiples--) {
      const plan = costOf(multiples)?.plan;
      if (plan === undefined) continue;
      return { plan: plan.multiples > 1 ? plan : undefined, fits: multiples === precompute };
    }
    return { plan: undefined, fits: precompute === 1 };
  }
  const alone = costOf(1);
  let best: MultiplesPlan | undefined;
  let bound = WORTHWHILE * (alone?.cost ?? 0);
  for (const multiples of AUTOMATIC_MULTIPLES) {
    const found = costOf(multiples);
    if (found === undefined || found.cost > bound) continue;
    best = found.plan;
    bound = CLEARLY_BETTER * found.cost;
  }
  return { plan: best, fits: true };
}

export type { Accumulation, DigitCutter, Reduction } from '../api/index.js';

/** `MsmTuning` inside: fields may be undefined. */
export type Tuning = { readonly [Field in keyof MsmTuning]?: MsmTuning[Field] | undefined };

/** What was measured to be best for MSMs of about so many points, and what they take. */
export type MeasuredMsm = Omit<MapRow, 'curve' | 'group' | 'points' | 'work'>;

/** `LoadTuning` inside. */
export interface LoadedTuning extends Tuning {
  readonly precompute: Precompute;
}
