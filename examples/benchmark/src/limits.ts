import { type Protocol, proofSystem } from './protocols.js';

/**
 * How far a run goes on a device: from the smallest circuit upwards, as long as the next one is likely to fit the visitor's patience and the
 * device's memory. Work grows in proportion to the number of constraints.
 */

/** The longest proof that is begun, and the longest making of a key, in milliseconds. */
export const LONGEST_PROOF = 30_000;
export const LONGEST_KEY = 150_000;

/** How many times over a key is in memory while it is made and loaded. */
const COPIES = 6;

/** The part of a device's memory that a page may hope for, and the gigabytes where a browser does not tell (Safari, Firefox). */
const SHARE = 1 / 4;
const ASSUMED_GIGABYTES = 4;

/** What a time at one size is likely to be at another. */
export function predicted(ms: number, fromLog: number, toLog: number): number {
  return ms * 2 ** (toLog - fromLog);
}

/** Why a circuit of 2^log constraints or gates is not tried; undefined if nothing speaks against it. */
export function sizeFault(
  protocol: Protocol,
  log: number,
  deviceGigabytes: number | undefined,
  lastKey: { readonly log: number; readonly ms: number } | undefined,
): string | undefined {
  const bytes = 2 ** log * proofSystem(protocol).keyBytes * COPIES;
  if (bytes > (deviceGigabytes ?? ASSUMED_GIGABYTES) * 2 ** 30 * SHARE) {
    return `needs about ${Math.round(bytes / 2 ** 20)} MB, which may be more than this device can spare`;
  }
  if (lastKey !== undefined) {
    const ms = predicted(lastKey.ms, lastKey.log, log);
    if (ms > LONGEST_KEY) return `making its test key would take about ${minutes(ms)} here`;
  }
  return undefined;
}

/**
 * Why a contestant does not prove the next size after its last result; undefined if it does. Later proofs tell it: what only a first one waits for,
 * such as kernels that are compiled, does not grow with the circuit.
 */
export function proofFault(
  log: number,
  last: { readonly log: number; readonly laterMs: number } | undefined,
): string | undefined {
  if (last === undefined) return undefined;
  const ms = predicted(last.laterMs, last.log, log);
  return ms > LONGEST_PROOF ? `a proof would take about ${minutes(ms)}` : undefined;
}

function minutes(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
