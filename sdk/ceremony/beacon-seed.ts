import { sha256 } from '@noble/hashes/sha2.js';
import { pause, throwIfAborted } from '../base/abort.js';
import type { BeaconParameters } from './contributions.js';

/** Iterations between two looks at the signal: some 20 ms. */
const STEP = 2 ** 14;

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
