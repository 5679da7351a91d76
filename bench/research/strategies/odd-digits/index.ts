import cut from '../../../../shaders/digits/cut.wgsl';
import { halvingOfOddRow } from '../lib/collect-bits.js';
import { digitPair } from '../lib/digit-pair.js';
import { bringScalars, countingSort } from '../shipped.js';
import type { Strategy } from '../strategy.js';
import count from './count.wgsl';
import layout from './layout.wgsl';
import scatter from './scatter.wgsl';

const DIGITS = digitPair({ name: 'odd digits', cut: `${cut}\n${layout}`, count, scatter });

/** 2^(c-2) buckets a row, and c copies of the bases: the points times 1, 2, 4, ..., 2^(c-1). */
export const oddDigits: Strategy = {
  name: 'odd digits',
  replaces: 'digits',
  source: 'odd mantissas of digits as floating numbers; Chen et al., TCHES 2024(2), also map scalars to fewer buckets',
  shape: (plan) => ({ ...plan, bucketsPerRow: plan.bucketsPerRow / 2 }),
  copies: ({ windowBits }) => ({ count: windowBits, doublings: 1 }),
  parts: () => ({ sort: countingSort(DIGITS, bringScalars), reduce: halvingOfOddRow }),
};
