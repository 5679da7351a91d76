import type { LoadTuning, MsmCheck, MsmTuning, NumberForm } from '../../sdk/api/index.js';
import type { Random } from '../support/random.js';

/** How the sums of a case are asked for. */
export interface DrawnMsmOptions {
  readonly pointsForm: NumberForm;
  readonly scalarsForm: NumberForm;
  readonly loadTuning: LoadTuning;
  readonly tuning: MsmTuning;
  readonly check: MsmCheck;
  /** Whether the bits of the largest scalar are given. */
  readonly givesBitSize: boolean;
}

const pick = <T>(random: Random, values: readonly T[]): T => values[random.integer(values.length)]!;

/** One of the values once in `every` times, else nothing. */
const seldom = <T>(random: Random, every: number, values: readonly T[]): T | undefined =>
  random.integer(every) === 0 ? pick(random, values) : undefined;

const windows = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, i) => least + i);

/** Larger windows make more buckets than there are points. */
const WINDOWS = [...windows(4, 12), ...windows(4, 12), ...windows(13, 16)];

const present = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/**
 * @param kernelsAreDear whether each form of products would take a software adapter seconds to compile: the products
 * are then left to the planner.
 */
export function drawMsmOptions(random: Random, kernelsAreDear: boolean): DrawnMsmOptions {
  const form = (): NumberForm => seldom(random, 4, ['montgomery'] as const) ?? 'canonical';
  const precompute = seldom(random, 5, [2, 3, 4, 5, 8, 16, 32]);
  const accumulation = seldom(random, 3, ['limbs', 'bytes'] as const);
  return {
    pointsForm: form(),
    scalarsForm: form(),
    loadTuning: present({
      precompute,
      windowBits: seldom(random, 6, WINDOWS),
      reduction: precompute === undefined ? undefined : seldom(random, 2, ['merged', 'cross-window'] as const),
    }) as LoadTuning,
    tuning: present({
      windowBits: seldom(random, 4, WINDOWS),
      largeBucketFactor: seldom(random, 6, [1, 2, 10, 1000]),
      chunks: seldom(random, 6, [1, 2, 3, 8]),
      accumulation: kernelsAreDear ? undefined : accumulation,
      digits: seldom(random, 4, ['gpu', 'workers'] as const),
    }) as MsmTuning,
    check: pick(random, ['curve', 'curve', 'curve', 'random', 'recompute'] as const),
    givesBitSize: random.integer(4) === 0,
  };
}
