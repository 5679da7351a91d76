import { expect } from 'vitest';

/** As many samples as `expectRandom` needs. */
export const SAMPLES = 240;

/**
 * Part of the different values of a byte that so many samples must have at least. Uniform bytes have 0.61 of 256, give
 * or take 0.02.
 */
const VALUES = 0.45;

/**
 * Throws unless samples of equal length look as if they were drawn anew each time: no two are equal, and each byte
 * takes many values. A right generator fails once in a million times or less, if samples have 40 bits or more.
 *
 * @param samples little-endian integers.
 * @param bound all are below it. Default: any bytes.
 */
export function expectRandom(samples: readonly Uint8Array[], bound = 256n ** BigInt(samples[0]!.length)): void {
  expect(samples.length).toBeGreaterThanOrEqual(SAMPLES);
  expect(new Set(samples.map(hex)).size).toBe(samples.length);
  for (let at = 0; at < samples[0]!.length; at++) {
    // The highest byte of a number below the bound has few values, and those above it one.
    const possible = Math.min(256, Number((bound - 1n) >> BigInt(8 * at)) + 1);
    const values = new Set(samples.map((bytes) => bytes[at]!));
    expect(Math.max(...values), `byte ${at}`).toBeLessThan(possible);
    expect(values.size, `values of byte ${at}`).toBeGreaterThanOrEqual(Math.ceil(VALUES * possible));
  }
}

/** Draws as many samples as `expectRandom` needs. */
export async function draw(one: () => Uint8Array | Promise<Uint8Array>): Promise<Uint8Array[]> {
  const samples: Uint8Array[] = [];
  for (let i = 0; i < SAMPLES; i++) samples.push((await one()).slice());
  return samples;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
