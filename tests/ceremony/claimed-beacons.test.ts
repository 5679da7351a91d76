import { beforeAll, describe, expect, it } from 'vitest';
import { withSection } from '../support/section-bytes.js';
import { ceremonyInPlace, powersInPlace } from './ceremony-in-place.js';
import { firstKey } from './first-key.js';

const { beacon, verifyContributions } = ceremonyInPlace();
const { addBeaconToPowersOfTau, newPowersOfTau, verifyPowersOfTau } = powersInPlace();
const GIVEN = { hash: '0x0102', iterations: 10 };
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());

/** A file whose history ends with such a beacon, with another number of iterations: before a tag, a length and 2 bytes. */
const claiming = (file: Uint8Array, section: number, iterations: number): Uint8Array =>
  withSection(file, section, (body) => body.with(body.length - 5, iterations));

let first: Uint8Array;
let origin: { r1cs: string; ptau: string };
let key: Uint8Array;
let powers: Uint8Array;
beforeAll(async () => {
  ({ zkey: first, ...origin } = await firstKey('bn254'));
  key = await bytesOf((await beacon(first, GIVEN)).zkey);
  powers = await bytesOf(
    (await addBeaconToPowersOfTau((await newPowersOfTau({ curve: 'bn254', power: 2 })).ptau!, GIVEN)).ptau,
  );
});

interface Asked {
  readonly maxBeaconIterations?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

describe.each<[string, (iterations: number, options?: Asked) => Promise<{ isValid: boolean; fault?: string }>]>([
  ['a key beside its first', (n, options) => verifyContributions(claiming(key, 10, n), { first, ...options })],
  ['a key by its circuit', (n, options) => verifyContributions(claiming(key, 10, n), { ...origin, ...options })],
  ['powers of tau', (n, options) => verifyPowersOfTau(claiming(powers, 7, n), options)],
])('the beacon of %s', (_, verify) => {
  it('is repeated where it claims as many iterations as it had', async () => {
    expect((await verify(10)).isValid).toBe(true);
    expect((await verify(11)).fault).toMatch(/^contribution 1 has .* than its beacon$/);
  });

  it.each([27, 40, 63, 64, 255])('is refused at once where it claims 2^%i iterations', async (iterations) => {
    const told: number[] = [];
    await expect(verify(iterations, { onProgress: (done) => void told.push(done) })).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: `expected beacons of at most 2^26 iterations, got 2^${iterations} in contribution 1`,
      hint: expect.stringContaining('maxBeaconIterations'),
    });
    expect(told).toEqual([]);
  });

  it('has the limit that the caller gives', async () => {
    await expect(verify(11, { maxBeaconIterations: 10 })).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    expect((await verify(10, { maxBeaconIterations: 10 })).isValid).toBe(true);
    for (const maxBeaconIterations of [9, 64, 10.5]) {
      await expect(verify(10, { maxBeaconIterations })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('tells how far it is, and is aborted in between', async () => {
    const told: number[] = [];
    const controller = new AbortController();
    const onProgress = (done: number): void => {
      told.push(done);
      if (told.length === 3) controller.abort();
    };
    const call = verify(40, { maxBeaconIterations: 63, signal: controller.signal, onProgress });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(told).toHaveLength(3);
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
    expect(told.at(-1)).toBeLessThan(0.01);
  });
});
