import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES, type CurveId, pointBytes } from '../../../sdk/curves/index.js';
import { firstOf } from '../../support/combinations.js';
import { endSnarkjsOver } from '../../support/example.js';
import { powersInPlace } from '../ceremony-in-place.js';

const powers = powersInPlace();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());
const memory = (data?: Uint8Array): snarkjs.MemoryFile => ({ type: 'mem', ...(data && { data }) });
const same = (one: Uint8Array, { data }: snarkjs.MemoryFile): boolean => Buffer.from(one).equals(data!);

const folder = mkdtempSync(join(tmpdir(), 'pippin-challenges-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TRIED = ['bn254', 'bls12-381'] as const;

describe.each(TRIED)('challenges over %s, by snarkjs and by Pippin', (curve) => {
  /** For what is the same for all curves: headers, histories and lengths. */
  const isInFull = firstOf<CurveId>(TRIED).includes(curve);
  let theirs: snarkjs.SnarkjsCurve;
  let first: Uint8Array;
  beforeAll(async () => {
    theirs = await snarkjs.curves.getCurveFromName(CURVES[curve].snarkjs!.name);
    first = await bytesOf((await powers.newPowersOfTau({ curve, power: 3 })).ptau);
  });
  afterAll(() => endSnarkjsOver(curve));

  /** The challenge of powers, which both export alike. */
  const challengeOf = async (ptau: Uint8Array): Promise<Uint8Array> => {
    const made = memory();
    const hash = await snarkjs.powersOfTau.exportChallenge(ptau, made);
    const ours = await powers.exportChallenge(ptau);
    const challenge = await bytesOf(ours.challenge);
    expect(same(challenge, made)).toBe(true);
    expect(ours.hash).toBe(hex(hash));
    return challenge;
  };

  /** The powers after a response, which both import alike, with points and without. */
  const importOf = async (ptau: Uint8Array, response: Uint8Array, name?: string, points = true) => {
    const made = memory();
    const challenge = await snarkjs.powersOfTau.importResponse(ptau, memory(response), made, name, points);
    const ours = await powers.importResponse(ptau, response, { points, ...(name !== undefined && { name }) });
    const imported = await bytesOf(ours.ptau);
    expect(same(imported, made)).toBe(true);
    expect(ours.nextChallenge).toBe(hex(challenge));
    return { imported, hash: ours.hash };
  };

  it('are answered by both in turn, and the powers are valid', async () => {
    const one = await challengeOf(first);
    const ours = await powers.respondToChallenge(one, { curve, entropy: 'some text' });
    const { imported, hash } = await importOf(first, await bytesOf(ours.response), 'Ada');
    expect(hash).toBe(ours.hash);
    const two = await challengeOf(imported);
    expect(hex(two.slice(0, 64))).toBe(ours.hash);
    const response = memory();
    await snarkjs.powersOfTau.challengeContribute(theirs, memory(two), response, 'more text');
    const second = await importOf(imported, response.data!.slice());
    const last = await powers.contributeToPowersOfTau(second.imported);
    const report = await powers.verifyPowersOfTau(last.ptau!);
    expect(report.fault).toBeUndefined();
    expect(report.contributions.map(({ hash, name }) => [hash, name])).toEqual([
      [ours.hash, 'Ada'],
      [second.hash, undefined],
      [last.hash, undefined],
    ]);
    expect(await snarkjs.powersOfTau.verify(await bytesOf(last.ptau))).toBe(true);
  });

  it.runIf(isInFull)('go on from a history without points', async () => {
    const { challenge } = await powers.exportChallenge(first);
    const one = await powers.respondToChallenge(challenge!, { curve });
    const response = await bytesOf(one.response);
    const { imported } = await importOf(first, response, 'Ada', false);
    const whole = await powers.importResponse(first, response);
    const next = await powers.exportChallenge(whole.ptau!);
    const two = await powers.respondToChallenge(next.challenge!, { curve });
    await importOf(imported, await bytesOf(two.response), undefined, false);
    const last = await importOf(imported, await bytesOf(two.response));
    expect(await powers.verifyPowersOfTau(last.imported)).toMatchObject({ isValid: true });
    await expect(powers.verifyPowersOfTau(imported)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
  });

  it.runIf(isInFull)('have responses that are refused where they do not fit', async () => {
    const { challenge } = await powers.exportChallenge(first);
    const response = await bytesOf((await powers.respondToChallenge(challenge!, { curve })).response);
    const changed = (at: number, bits: number): Uint8Array => {
      const copy = response.slice();
      copy[at]! ^= bits;
      return copy;
    };
    const keyAt = response.length - 6 * pointBytes(curve, 'g1') - 3 * pointBytes(curve, 'g2');
    for (const [bytes, code] of [
      [changed(0, 1), 'INVALID_ARGUMENT'],
      [response.subarray(1), 'MALFORMED_FILE'],
      [changed(64, 0x40), 'INVALID_POINT'],
      [changed(keyAt + 5, 1), 'INVALID_POINT'],
      [changed(keyAt, 0x80), 'INVALID_POINT'],
    ] as const) {
      await expect(powers.importResponse(first, bytes)).rejects.toMatchObject({ code });
    }
    // With the other root of an x it is a response, but the powers are not valid.
    const { ptau } = await powers.importResponse(first, changed(64, 0x80));
    expect(await powers.verifyPowersOfTau(ptau!)).toMatchObject({ isValid: false });
    const bytes = await bytesOf(challenge);
    await expect(powers.respondToChallenge(bytes.subarray(1), { curve })).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
    });
    bytes[64 + 40]! ^= 1;
    await expect(powers.respondToChallenge(bytes, { curve })).rejects.toMatchObject({ code: 'INVALID_POINT' });
    bytes.fill(0, 64, 64 + pointBytes(curve, 'g1'));
    bytes[64] = 0x40;
    await expect(powers.respondToChallenge(bytes, { curve })).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('infinity'),
    });
  });

  it.runIf(isInFull)('are not exported of points with another hash, and powers are truncated alike', async () => {
    const { ptau } = await powers.addBeaconToPowersOfTau(first, { hash: '0a0b', iterations: 10 });
    const prepared = await bytesOf((await powers.preparePowersOfTau(ptau!)).ptau);
    const path = join(folder, `${curve}_`);
    await snarkjs.powersOfTau.truncate(prepared, path);
    for (const power of [1, 2]) {
      const truncated = await bytesOf((await powers.truncatePowersOfTau(prepared, { power })).ptau);
      expect(Buffer.from(truncated).equals(readFileSync(`${path}0${power}.ptau`))).toBe(true);
      expect(await powers.verifyPowersOfTau(truncated)).toMatchObject({ isValid: true, power, isPrepared: true });
      const code = { code: 'MALFORMED_FILE', hint: expect.stringContaining('truncated') };
      await expect(powers.exportChallenge(truncated)).rejects.toMatchObject(code);
      const response = new Uint8Array(100);
      await expect(powers.importResponse(truncated, response)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    }
    for (const power of [3, 4]) {
      const call = powers.truncatePowersOfTau(prepared, { power });
      await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    const call = powers.truncatePowersOfTau(first, { power: 2 });
    await expect(call).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
  });
});
