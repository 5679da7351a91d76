import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../sdk/curves/index.js';
import { circuitFile } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjsOver } from '../../support/example.js';
import { ceremonyInPlace, powersInPlace } from '../ceremony-in-place.js';

const { newPowersOfTau, contributeToPowersOfTau, addBeaconToPowersOfTau, verifyPowersOfTau, preparePowersOfTau } =
  powersInPlace();
const BEACON = '0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20';
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());
const written = (file: snarkjs.MemoryFile): Uint8Array => new Uint8Array(file.data!);
const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);

const folder = mkdtempSync(join(tmpdir(), 'pippin-powers-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['bn254', 'bls12-381'] as const)('powers of tau over %s, by snarkjs and by Pippin', (curve) => {
  let theirs: snarkjs.SnarkjsCurve;
  beforeAll(async () => {
    theirs = await snarkjs.curves.getCurveFromName(CURVES[curve].snarkjs!.name);
  });
  afterAll(() => endSnarkjsOver(curve));

  it.each([1, 2, 3, 5, 8])('begin with the same bytes, power %i', async (power) => {
    const file: snarkjs.MemoryFile = { type: 'mem' };
    const challenge = await snarkjs.powersOfTau.newAccumulator(theirs, power, file);
    const ours = await newPowersOfTau({ curve, power });
    expect(same(await bytesOf(ours.ptau), written(file))).toBe(true);
    expect(ours.challenge).toBe(hex(challenge));
  });

  const powers = curve === 'bn254' ? [1, 4, 8] : [2, 6];
  it.each(EVERY_COMBINATION ? powers : powers.slice(0, -1))(
    'have the same beacons and are prepared alike, power %i',
    async (power) => {
      const first = await bytesOf((await newPowersOfTau({ curve, power })).ptau);
      const made: snarkjs.MemoryFile = { type: 'mem' };
      const hash = await snarkjs.powersOfTau.beacon(first, made, 'Final', BEACON, 10);
      const ours = await addBeaconToPowersOfTau(first, { hash: BEACON, iterations: 10, name: 'Final' });
      const last = await bytesOf(ours.ptau);
      expect(same(last, written(made))).toBe(true);
      expect(ours.hash).toBe(hex(hash as Uint8Array));
      const prepared: snarkjs.MemoryFile = { type: 'mem' };
      await snarkjs.powersOfTau.preparePhase2(last, prepared);
      const file = await bytesOf((await preparePowersOfTau(last)).ptau);
      expect(same(file, written(prepared))).toBe(true);
      expect(await verifyPowersOfTau(file)).toMatchObject({ isValid: true, isPrepared: true, power, curve });
      expect(await snarkjs.powersOfTau.verify(file)).toBe(true);
    },
  );

  it('have contributions of both in turn', async () => {
    const { ptau } = await newPowersOfTau({ curve, power: 3 });
    expect(await verifyPowersOfTau(ptau!)).toMatchObject({ isValid: false, fault: 'it has no contribution' });
    const one = await contributeToPowersOfTau(ptau!, { name: 'Ada', entropy: 'some text' });
    const two: snarkjs.MemoryFile = { type: 'mem' };
    const hashOfTwo = await snarkjs.powersOfTau.contribute(await bytesOf(one.ptau), two, 'Grace', 'more text');
    const three = await contributeToPowersOfTau(written(two), { entropy: Uint8Array.of(1) });
    const four: snarkjs.MemoryFile = { type: 'mem' };
    await snarkjs.powersOfTau.beacon(await bytesOf(three.ptau), four, 'Beacon', BEACON, 11);
    const last = await contributeToPowersOfTau(written(four), { name: 'ä'.repeat(70) });
    const report = await verifyPowersOfTau(last.ptau!);
    expect(report.fault).toBeUndefined();
    const contributions = report.contributions.map(({ nextChallenge: _, ...facts }) => facts);
    expect(contributions).toMatchObject([
      { name: 'Ada', hash: one.hash },
      { name: 'Grace', hash: hex(hashOfTwo) },
      { hash: three.hash },
      { name: 'Beacon', beacon: { hash: BEACON, iterations: 11 } },
      { name: 'ä'.repeat(64), hash: last.hash },
    ]);
    expect(report.contributions.at(-1)!.nextChallenge).toBe(last.nextChallenge);
    const lines: string[] = [];
    const take = (line: string): void => void lines.push(line);
    const logger = { info: take, debug: () => {}, error: take, warn: () => {}, log: () => {} };
    expect(await snarkjs.powersOfTau.verify(await bytesOf(last.ptau), logger)).toBe(true);
    const told = lines.join('').replace(/\s/g, '');
    for (const { hash } of report.contributions) expect(told).toContain(hash);
  });

  // A set-up over the other curve takes seconds.
  const nobody = EVERY_COMBINATION || curve === 'bn254' ? ['nobody'] : [];
  it.each(nobody)('serve a set-up by snarkjs, with infinite points where %s has contributed', async () => {
    const { ptau } = await newPowersOfTau({ curve, power: 6 });
    const theirsPrepared: snarkjs.MemoryFile = { type: 'mem' };
    await snarkjs.powersOfTau.preparePhase2(await bytesOf(ptau), theirsPrepared);
    const untouched = await preparePowersOfTau(ptau!);
    expect(same(await bytesOf(untouched.ptau), written(theirsPrepared))).toBe(true);
    // What was prepared is contributed to as in snarkjs: without its sections for phase 2.
    const contributed = await contributeToPowersOfTau(untouched.ptau!);
    expect((await verifyPowersOfTau(contributed.ptau!)).isPrepared).toBe(false);
    const prepared = await bytesOf((await preparePowersOfTau(contributed.ptau!)).ptau);
    const circuits = curve === 'bn254' ? '' : `${CURVES[curve].snarkjs!.name}/`;
    const r1cs = await circuitFile(`${circuits}chain.r1cs`);
    const path = join(folder, `${curve}.ptau`);
    await writeFile(path, prepared);
    const zkey: snarkjs.MemoryFile = { type: 'mem' };
    await snarkjs.zKey.newZKey(r1cs, path, zkey);
    const first = written(zkey);
    const { contribute, verifyContributions } = ceremonyInPlace();
    const key = await contribute(first);
    expect(await verifyContributions(key.zkey!, { first, ptau: prepared })).toMatchObject({ isValid: true });
    expect(await snarkjs.zKey.verifyFromInit(first, path, await bytesOf(key.zkey))).toBe(true);
  });
});
