import * as snarkjs from 'snarkjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { pointBytes } from '../../../sdk/curves/index.js';
import { type Section, sectionFile, sectionsOf, withSection } from '../../support/section-bytes.js';
import { powersInPlace } from '../ceremony-in-place.js';

const {
  newPowersOfTau,
  contributeToPowersOfTau,
  addBeaconToPowersOfTau,
  preparePowersOfTau,
  truncatePowersOfTau,
  verifyPowersOfTau,
  convertPowersOfTau,
  powersOfTauToJson,
} = powersInPlace();
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());
const POWER = 3;

describe.each(['bn254', 'bls12-381'] as const)('prepared powers of tau over %s', (curve) => {
  let begun: Uint8Array;
  let plain: Uint8Array;
  let prepared: Uint8Array;
  let old: Uint8Array;
  beforeAll(async () => {
    begun = await bytesOf((await newPowersOfTau({ curve, power: POWER })).ptau);
    const one = await addBeaconToPowersOfTau(begun, { hash: '0a0b', iterations: 10, name: 'Beacon' });
    const two = await contributeToPowersOfTau(one.ptau!, { name: 'Ada' });
    const last = { hash: '0c'.repeat(40), iterations: 11 };
    const three = await addBeaconToPowersOfTau((await contributeToPowersOfTau(two.ptau!)).ptau!, last);
    plain = await bytesOf(three.ptau);
    prepared = await bytesOf((await preparePowersOfTau(plain)).ptau);
    old = asOld(prepared, POWER);
  });

  /** The file as an old snarkjs prepared it: without the largest domain of tau in G1. */
  function asOld(ptau: Uint8Array, power: number): Uint8Array {
    return withSection(ptau, 12, (body) => body.slice(0, (2 ** (power + 1) - 1) * pointBytes(curve, 'g1')));
  }

  it('are converted from the old form to the bytes that snarkjs writes', async () => {
    const made: snarkjs.MemoryFile = { type: 'mem' };
    await snarkjs.powersOfTau.convert(old, made);
    const told: number[] = [];
    const converted = await bytesOf(
      (await convertPowersOfTau(old, { onProgress: (done) => void told.push(done) })).ptau,
    );
    expect(Buffer.from(converted).equals(made.data!)).toBe(true);
    expect(Buffer.from(converted).equals(prepared)).toBe(true);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
  });

  it('are converted where nobody has contributed, and keep the power of their ceremony where they were truncated', async () => {
    const untouched = await bytesOf((await preparePowersOfTau(begun)).ptau);
    const { ptau } = await convertPowersOfTau(asOld(untouched, POWER));
    expect(Buffer.from(await bytesOf(ptau)).equals(untouched)).toBe(true);
    const truncated = asOld(await bytesOf((await truncatePowersOfTau(prepared, { power: 2 })).ptau), 2);
    const made: snarkjs.MemoryFile = { type: 'mem' };
    await snarkjs.powersOfTau.convert(truncated, made);
    const converted = await bytesOf((await convertPowersOfTau(truncated)).ptau);
    const [header, ...others] = sectionsOf(converted);
    expect(header).toEqual(sectionsOf(truncated)[0]);
    expect(others).toEqual(sectionsOf(new Uint8Array(made.data!)).slice(1));
    expect(await verifyPowersOfTau(converted)).toMatchObject({ isValid: true, power: 2, isPrepared: true });
  });

  it('are not converted where they are not of the old form', async () => {
    const shorter = withSection(old, 14, (body) => body.slice(0, -pointBytes(curve, 'g1')));
    const partly = sectionFile(
      'ptau',
      1,
      sectionsOf(old).filter(([id]: Section) => id !== 15),
    );
    for (const file of [plain, prepared, shorter, partly]) {
      await expect(convertPowersOfTau(file)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    }
    const damaged = withSection(old, 2, (body) => {
      body[5 * pointBytes(curve, 'g1')]! ^= 1;
      return body;
    });
    await expect(convertPowersOfTau(damaged)).rejects.toMatchObject({ code: 'INVALID_POINT' });
    await expect(convertPowersOfTau(old.subarray(0, -1))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    const signal = AbortSignal.abort();
    await expect(convertPowersOfTau(old, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('are the same object for JSON as snarkjs exports', async () => {
    const json = await powersOfTauToJson(prepared);
    const expected = await snarkjs.powersOfTau.exportJson(prepared);
    expect(json).toStrictEqual(expected);
    expect(JSON.stringify(json)).toBe(JSON.stringify(expected));
    const untouched = await bytesOf((await preparePowersOfTau(begun)).ptau);
    expect(await powersOfTauToJson(untouched)).toStrictEqual(await snarkjs.powersOfTau.exportJson(untouched));
  });

  it('are not exported where they are not prepared, and no longer than wanted', async () => {
    await expect(powersOfTauToJson(plain)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    await expect(powersOfTauToJson(old)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await expect(powersOfTauToJson(prepared, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await expect(powersOfTauToJson(prepared, { to: 'x' } as object)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
