import { halvingOfAnyRow } from '../lib/collect-bits.js';
import { digitPair } from '../lib/digit-pair.js';
import { bringScalars, countingSort } from '../shipped.js';
import type { Strategy } from '../strategy.js';
import cut from './cut.wgsl';

const DIGITS = digitPair({ name: 'non-adjacent form', cut });

/** With windows of c bits, two thirds of 2^c buckets, where signed digits have half of 2^c. */
export const nonAdjacentForm: Strategy = {
  name: 'non-adjacent form',
  replaces: 'digits',
  source: "an experiment of Voronov's and Kolganov's entry to ZPrize 2022",
  shape: (plan) => ({ ...plan, bucketsPerRow: 2 ** plan.windowBits }),
  parts: () => ({ sort: countingSort(DIGITS, bringScalars), reduce: halvingOfAnyRow }),
};
