import { sha256 } from '@noble/hashes/sha2.js';
import { pause, throwIfAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import type { OptionReader } from '../base/option-reader.js';
import type { BeaconParameters } from './contributions.js';

/** The logarithms of a beacon's iterations, as in snarkjs. */
export const BEACON_ITERATIONS = { least: 10, most: 63 };
/** The default limit of a verification: about a minute of hashing. */
const VERIFIED_ITERATIONS = 26;
/** How many iterations take as long as the verification of a point. */
const ITERATIONS_OF_POINT = 16;

/** Iterations between two looks at the signal: some 20 ms. */
const STEP = 2 ** 14;

/** Contributions, of which some are beacons. */
type Beacons = readonly { readonly beacon: BeaconParameters | undefined }[];

/** Reads the option `maxBeaconIterations` of a verification. */
export function beaconLimitOf(reader: OptionReader): number {
  const { least, most } = BEACON_ITERATIONS;
  return reader.integer('maxBeaconIterations', least, most) ?? VERIFIED_ITERATIONS;
}

/** `UNSUPPORTED_FORMAT` for a beacon of more iterations: whoever wrote it could make a verification take for ever. */
export function expectBeaconsWithin(contributions: Beacons, most: number): void {
  const at = contributions.findIndex(({ beacon }) => beacon !== undefined && beacon.iterations > most);
  if (at < 0) return;
  throw new PippinError(
    'UNSUPPORTED_FORMAT',
    `expected beacons of at most 2^${most} iterations, got 2^${contributions[at]!.beacon!.iterations} in contribution ${at + 1}`,
    { hint: 'maxBeaconIterations allows more: 2^26 take about a minute, and each further power twice as long' },
  );
}

/** The part of a verification that beacons take, for progress, beside so many points. */
export function shareOfBeacons(contributions: Beacons, points: number): number {
  const all = contributions.reduce((sum, { beacon }) => sum + (beacon === undefined ? 0 : 2 ** beacon.iterations), 0);
  return all / (all + ITERATIONS_OF_POINT * points + 1);
}

/**
 * The seed of a beacon's secret: SHA-256 applied 2^iterations times to the beacon's hash.
 *
 * @param onProgress called with the fraction that is done.
 */
export async function beaconSeed(
  { hash, iterations }: BeaconParameters,
  signal: AbortSignal | undefined,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<Uint8Array> {
  const all = 2 ** iterations;
  let value: Uint8Array = hash;
  for (let done = 0; done < all; ) {
    const end = Math.min(all, done + STEP);
    for (; done < end; done++) value = sha256(value);
    onProgress(done / all);
    await pause(0, [signal]);
    throwIfAborted(signal);
  }
  return value;
}
