import * as snarkjs from 'snarkjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { type CurveId, pointBytes } from '../../sdk/curves/index.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { Random } from '../support/random.js';
import { type Section, sectionFile, sectionsOf } from '../support/section-bytes.js';
import { ceremonyInPlace } from './ceremony-in-place.js';
import { firstKey } from './first-key.js';

const { contribute, beacon, verifyContributions } = ceremonyInPlace();
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());

/** Whether a verification holds; a file that cannot be read is refused, too. */
async function accepts(verify: () => Promise<boolean>): Promise<boolean> {
  try {
    return await verify();
  } catch {
    return false;
  }
}

describe.each(['bn254', 'bls12-381'] as const)('a changed key over %s', (curve: CurveId) => {
  let first: Uint8Array;
  let last: Uint8Array;
  let ptau: string;
  beforeAll(async () => {
    ({ zkey: first, ptau } = await firstKey(curve));
    const one = await contribute(first, { name: 'Ada' });
    last = await bytesOf((await beacon(one.zkey!, { hash: '0a0b', iterations: 10 })).zkey);
  });

  /** Our report; what is refused for its form must be so by a typed error. */
  const report = async (zkey: Uint8Array): Promise<boolean> => {
    try {
      return (await verifyContributions(zkey, { first, threads: 1 })).isValid;
    } catch (error) {
      expect(error).toBeInstanceOf(PippinError);
      expect((error as PippinError).code).toMatch(/^(MALFORMED_FILE|INVALID_POINT|UNSUPPORTED_FORMAT|CURVE_MISMATCH)$/);
      return false;
    }
  };
  const quiet = { info: () => {}, debug: () => {}, error: () => {}, warn: () => {} };

  it('is never accepted where snarkjs refuses it', async () => {
    expect(await report(last)).toBe(true);
    const random = new Random(17);
    const sections = sectionsOf(last);
    // The second curve has the same sections and runs the same code.
    const changes = EVERY_COMBINATION ? 1000 : curve === 'bn254' ? 40 : 20;
    const accepted: string[] = [];
    for (let i = 0; i < changes; i++) {
      const [id, body] = sections[i % sections.length]!;
      const at = Number(random.below(BigInt(body.length)));
      const bit = 1 << Number(random.below(8n));
      const changed = sections.map(([other, bytes]): Section => {
        if (other !== id) return [other, bytes];
        const copy = bytes.slice();
        copy[at]! ^= bit;
        return [other, copy];
      });
      const zkey = sectionFile('zkey', 1, changed);
      // Bytes that say nothing, such as of a name, may change.
      if (!(await report(zkey))) continue;
      accepted.push(`section ${id}, byte ${at}`);
      const log = console.log;
      console.log = () => {};
      try {
        expect([id, at, await accepts(() => snarkjs.zKey.verifyFromInit(first, ptau, zkey, quiet))]).toEqual([
          id,
          at,
          true,
        ]);
      } finally {
        console.log = log;
      }
    }
    expect(accepted.length).toBeLessThan(changes / 10);
  });

  it('is refused with points of C and H that are exchanged, infinite, opposite or doubled', async () => {
    const size = pointBytes(curve, 'g1');
    for (const id of [8, 9]) {
      const body = sectionsOf(last).find(([number]) => number === id)![1];
      const finite = Array.from({ length: body.length / size }, (_, i) => i).filter((i) =>
        body.subarray(i * size, (i + 1) * size).some((byte) => byte !== 0),
      );
      const [a, b] = [finite[0]! * size, finite[1]! * size];
      const changes: ((bytes: Uint8Array) => void)[] = [
        (bytes) => {
          bytes.set(body.subarray(a, a + size), b);
          bytes.set(body.subarray(b, b + size), a);
        },
        (bytes) => bytes.fill(0, a, a + size),
        (bytes) => bytes.set(body.subarray(a, a + size), b),
        (bytes) => bytes.fill(0),
      ];
      for (const change of changes) {
        const sections = sectionsOf(last).map(([other, bytes]): Section => {
          if (other === id) change(bytes);
          return [other, bytes];
        });
        const { isValid, fault } = await verifyContributions(sectionFile('zkey', 1, sections), { first });
        expect([isValid, fault]).toEqual([false, expect.stringContaining(`section ${id}`)]);
      }
    }
  });

  it('is refused where its contributions are dropped, exchanged or made for another key', async () => {
    const other = await contribute(first);
    const histories = [first, await bytesOf(other.zkey)].map((key) => sectionsOf(key).find(([id]) => id === 10)![1]);
    for (const history of histories) {
      const sections = sectionsOf(last).map(([id, bytes]): Section => [id, id === 10 ? history : bytes]);
      expect((await verifyContributions(sectionFile('zkey', 1, sections), { first })).isValid).toBe(false);
    }
    // Valid on its own, but not the first key of anything.
    const { isValid, fault } = await verifyContributions(last, { first: other.zkey! });
    expect([isValid, fault]).toEqual([false, 'the first key has contributions itself']);
    expect((await verifyContributions(first, { first })).isValid).toBe(true);
  });

  it('is refused with the powers of tau if its first key has other points H', async () => {
    const size = pointBytes(curve, 'g1');
    // The same change in both keys, as a dishonest set-up makes it.
    const change = (key: Uint8Array): Uint8Array =>
      sectionFile(
        'zkey',
        1,
        sectionsOf(key).map(([id, bytes]): Section => {
          if (id === 9) bytes.copyWithin(0, size, 2 * size);
          return [id, bytes];
        }),
      );
    const [zkey, changed] = [change(last), change(first)];
    expect((await verifyContributions(zkey, { first: changed })).isValid).toBe(true);
    const { fault } = await verifyContributions(zkey, { first: changed, ptau });
    expect(fault).toBe('the points H of the first key do not come from the powers of tau');
    expect(await verifyContributions(last, { first, ptau })).not.toHaveProperty('fault');
  });

  it('is contributed to by nobody where it contradicts itself', async () => {
    const random = new Random(23);
    for (let i = 0; i < (EVERY_COMBINATION ? 200 : 8); i++) {
      const length = Number(random.below(BigInt(last.length)));
      await expect(contribute(last.slice(0, length))).rejects.toMatchObject({
        code: expect.stringMatching(/^(MALFORMED_FILE|INVALID_POINT)$/),
      });
    }
  });
});
