import type { Precompute } from '../../api/index.js';
import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { OptionReader } from '../../base/option-reader.js';
import { ownMembers } from '../../base/records.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import type { LoadedTuning, Tuning } from '../../bases/multiples.js';

/** The most multiples that bases can have. With windows of 8 bits or more there are no more windows than that. */
const MAX_MULTIPLES = 32;

/** Buckets hardly ever have 1000 times the mean number of bases without being all that matters. */
const MAX_BUCKET_FACTOR = 1000;

/** More chunks would cost more than any of them could save. */
const MAX_CHUNKS = 1024;

/** The fields of `MsmTuning` that the options of a call name. `INVALID_ARGUMENT` for others than they may have. */
export function callTuning(options: OptionReader): Tuning {
  const tuning = tuningIn(options);
  const precompute = tuning.read('precompute') ?? undefined;
  if (precompute === undefined) return msmTuning(tuning);
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected the tuning of an MSM without precompute, got ${describeValue(precompute)}`,
    { hint: 'give it to loadBases or loadKey: multiples are made for what is loaded' },
  );
}

/** The tuning of bases that are loaded. `INVALID_ARGUMENT` for fields that contradict each other. */
export function basesTuning(options: OptionReader): LoadedTuning {
  const tuning = tuningIn(options);
  const beside = precomputeIn(options);
  const precompute = precomputeIn(tuning) ?? beside ?? 1;
  if (beside !== undefined && beside !== precompute) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected the same precompute in tuning and beside it, got ${precompute} and ${beside}`,
    );
  }
  const loaded = ownMembers({ ...msmTuning(tuning), precompute });
  if (loaded.reduction === 'cross-window' && precompute === 1) {
    throw tuning.wrong('precompute', `auto or an integer from 2 to ${MAX_MULTIPLES} with reduction cross-window`, 1);
  }
  return loaded;
}

/**
 * The tuning of a key that is loaded. `INVALID_ARGUMENT` also for digits by the workers, which do not see all scalars
 * of a proof.
 */
export function keyTuning(options: OptionReader): LoadedTuning {
  const loaded = basesTuning(options);
  if (loaded.digits !== 'workers') return loaded;
  throw options.wrong('digits', 'gpu for a key, since the GPU keeps scalars of a proof', loaded.digits);
}

function tuningIn(options: OptionReader): OptionReader {
  return new OptionReader(options.read('tuning') ?? undefined, 'tuning');
}

/** How many multiples bases are to have; undefined if it is left out. */
function precomputeIn(options: OptionReader): Precompute | undefined {
  if (options.read('precompute') === 'auto') return 'auto';
  return options.integer('precompute', 1, MAX_MULTIPLES);
}

/** Only the fields that are given, so that a call can override the fields of loading. */
function msmTuning(tuning: OptionReader): Tuning {
  const fields: Tuning = {
    windowBits: tuning.integer('windowBits', MIN_WINDOW_BITS, MAX_WINDOW_BITS),
    largeBucketFactor: tuning.number('largeBucketFactor', 1, MAX_BUCKET_FACTOR, 'times the mean'),
    chunks: tuning.integer('chunks', 1, MAX_CHUNKS),
    reduction: tuning.word('reduction', ['merged', 'cross-window']),
    accumulation: tuning.word('accumulation', ['limbs', 'unrolled', 'karatsuba', 'words', 'bytes']),
    digits: tuning.word('digits', ['gpu', 'workers']),
  };
  tuning.expectNoOthers();
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
