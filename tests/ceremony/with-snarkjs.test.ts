import * as snarkjs from 'snarkjs';
import { describe, expect, it } from 'vitest';
import type { CurveId } from '../../sdk/curves/index.js';
import { ceremonyInPlace } from './ceremony-in-place.js';
import { firstKey } from './first-key.js';

const { contribute, beacon, verifyContributions } = ceremonyInPlace();
const BEACON = '0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20';
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());

describe.each(['bn254', 'bls12-381'] as const)(
  'a ceremony over %s, with snarkjs and with Pippin in turn',
  (curve: CurveId) => {
    it('verifies in both, and their beacons write the same bytes', async () => {
      const { ptau, zkey: first } = await firstKey(curve);
      const one = await contribute(first, { name: 'Ada', entropy: 'some text' });
      const two: snarkjs.MemoryFile = { type: 'mem' };
      const hashOfTwo = await snarkjs.zKey.contribute(await bytesOf(one.zkey), two, 'Grace', 'more text');
      const three = await contribute(new Blob([two.data as Uint8Array<ArrayBuffer>]), { entropy: Uint8Array.of(1) });
      const before = await bytesOf(three.zkey);
      const theirs: snarkjs.MemoryFile = { type: 'mem' };
      const hashOfTheirs = await snarkjs.zKey.beacon(before, theirs, 'Final', BEACON, 10);
      const ours = await beacon(before, { hash: BEACON, iterations: 10, name: 'Final' });
      const last = await bytesOf(ours.zkey);
      expect(Buffer.from(last).equals(theirs.data!)).toBe(true);
      expect(ours.hash).toBe(hex(hashOfTheirs));

      const report = await verifyContributions(last, { first, ptau });
      expect(report.fault).toBeUndefined();
      expect(report.contributions).toEqual([
        { name: 'Ada', hash: one.hash },
        { name: 'Grace', hash: hex(hashOfTwo) },
        { hash: three.hash },
        { name: 'Final', hash: ours.hash, beacon: { hash: BEACON, iterations: 10 } },
      ]);
      const lines: string[] = [];
      const logger = {
        info: (line: string) => lines.push(line),
        debug: () => {},
        error: (line: string) => lines.push(line),
      };
      expect(await snarkjs.zKey.verifyFromInit(first, ptau, last, logger)).toBe(true);
      const told = lines.join('').replace(/\s/g, '');
      for (const { hash } of report.contributions) expect(told).toContain(hash);
      expect(told).toContain(report.circuitHash);
    });
  },
);
