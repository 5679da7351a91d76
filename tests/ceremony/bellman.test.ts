import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES, type CurveId, pointBytes } from '../../sdk/curves/index.js';
import { firstOf } from '../support/combinations.js';
import { endSnarkjsOver } from '../support/example.js';
import { sectionsOf, withSection } from '../support/section-bytes.js';
import { bellmanInPlace, ceremonyInPlace } from './ceremony-in-place.js';
import { firstKey } from './first-key.js';

const { exportBellman, contributeBellman, importBellman } = bellmanInPlace();
const { beacon, contribute, verifyContributions } = ceremonyInPlace();
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());
const memory = (data?: Uint8Array): snarkjs.MemoryFile => ({ type: 'mem', ...(data && { data }) });
const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);

const TRIED = ['bn254', 'bls12-381'] as const;

describe.each(TRIED)("bellman's parameters over %s, by snarkjs and by Pippin", (curve) => {
  /** For what is the same for all curves: headers, histories and lengths. */
  const isInFull = firstOf<CurveId>(TRIED).includes(curve);
  let theirs: snarkjs.SnarkjsCurve;
  let files: Awaited<ReturnType<typeof firstKey>>;
  /** A key with two contributions, of which one is a beacon. */
  let key: Uint8Array;
  beforeAll(async () => {
    theirs = await snarkjs.curves.getCurveFromName(CURVES[curve].snarkjs!.name);
    files = await firstKey(curve);
    const one = await contribute(files.zkey, { name: 'Ada' });
    key = await bytesOf((await beacon(one.zkey!, { hash: '0a0b', iterations: 10, name: 'Beacon' })).zkey);
  });
  afterAll(() => endSnarkjsOver(curve));

  /** The parameters of a key, which both export alike. */
  const paramsOf = async (zkey: Uint8Array): Promise<Uint8Array> => {
    const made = memory();
    await snarkjs.zKey.exportBellman(zkey, made);
    const params = await bytesOf((await exportBellman(zkey)).params);
    expect(same(params, made.data!)).toBe(true);
    return params;
  };

  /** The key with the contributions of parameters, which both import alike. */
  const importOf = async (zkey: Uint8Array, params: Uint8Array, name?: string) => {
    const made = memory();
    expect(await snarkjs.zKey.importBellman(zkey, memory(params), made, name)).toBe(true);
    const ours = await importBellman(zkey, params, name === undefined ? {} : { name });
    const imported = await bytesOf(ours.zkey);
    expect(same(imported, made.data!)).toBe(true);
    return { imported, hashes: ours.hashes };
  };

  it('are contributed to by both in turn, and the key is valid', async () => {
    const { zkey: first, ptau, r1cs } = files;
    const params = await paramsOf(key);
    const ours = await contributeBellman(params, { curve, entropy: 'some text' });
    const response = memory();
    await snarkjs.zKey.bellmanContribute(theirs, memory(await bytesOf(ours.params)), response, 'more text');
    const { imported, hashes } = await importOf(key, response.data!.slice(), 'Both');
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toBe(ours.hash);
    const last = await bytesOf((await contribute(imported, { name: 'Grace' })).zkey);
    const report = await verifyContributions(last, { first, ptau });
    expect(report.fault).toBeUndefined();
    expect(report.contributions.map(({ name }) => name)).toEqual(['Ada', 'Beacon', 'Both', 'Both', 'Grace']);
    expect(await verifyContributions(last, { r1cs, ptau })).toMatchObject({ isValid: true });
    expect(await snarkjs.zKey.verifyFromInit(first, ptau, last)).toBe(true);
    // The key goes through the parameters once more, as it is but for the order of its sections.
    const again = await importOf(last, await paramsOf(last));
    const sorted = (zkey: Uint8Array) => sectionsOf(zkey).sort(([a], [b]) => a - b);
    expect(sorted(again.imported)).toEqual(sorted(last));
    // Its points H are checked, too, where they are no longer the first key's divided by delta one by one.
    const size = pointBytes(curve, 'g1');
    const h = withSection(last, 9, (bytes) => {
      bytes.copyWithin(0, size, 2 * size);
      return bytes;
    });
    expect(await verifyContributions(h, { first })).toMatchObject({
      isValid: false,
      fault: expect.stringContaining('section 9'),
    });
    expect(await verifyContributions(h, { r1cs, ptau })).toMatchObject({ isValid: false });
  });

  it.runIf(isInFull)('are refused where they belong to another key, or contradict themselves', async () => {
    const params = await bytesOf((await exportBellman(key)).params);
    const ofFirst = await bytesOf((await exportBellman(files.zkey)).params);
    const other = await bytesOf((await contribute(files.zkey)).zkey);
    await expect(importBellman(key, ofFirst)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(importBellman(other, params)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const [g1, g2] = [pointBytes(curve, 'g1'), pointBytes(curve, 'g2')];
    const ic = 3 * g1 + 3 * g2;
    const changed = (at: number, bits: number): Uint8Array => {
      const copy = params.slice();
      copy[at]! ^= bits;
      return copy;
    };
    for (const [bytes, code] of [
      [params.subarray(0, params.length - 1), 'MALFORMED_FILE'],
      [params.subarray(0, 100), 'MALFORMED_FILE'],
      [changed(ic, 0x10), 'MALFORMED_FILE'],
      [changed(2 * g1 + 2 * g2 + 40, 1), 'INVALID_POINT'],
    ] as const) {
      await expect(contributeBellman(bytes, { curve })).rejects.toMatchObject({ code });
      await expect(importBellman(key, bytes)).rejects.toMatchObject({ code });
    }
    // A point of H off the curve.
    const count = new DataView(params.buffer).getUint32(ic);
    const offCurve = changed(ic + 4 + count * g1 + 4 + 20, 1);
    await expect(contributeBellman(offCurve, { curve })).rejects.toMatchObject({ code: 'INVALID_POINT' });
    await expect(importBellman(key, offCurve)).rejects.toMatchObject({ code: 'INVALID_POINT' });
  });

  it('may have infinite points with the bit of bellman', async () => {
    const params = await bytesOf((await exportBellman(files.zkey)).params);
    const [g1, g2] = [pointBytes(curve, 'g1'), pointBytes(curve, 'g2')];
    const ic = 3 * g1 + 3 * g2;
    const view = new DataView(params.buffer);
    const h = ic + 4 + view.getUint32(ic) * g1;
    const l = h + 4 + view.getUint32(h) * g1;
    params.fill(0, l + 4, l + 4 + g1);
    params[l + 4] = 0x40;
    await importOf(files.zkey, params);
    const { params: contributed } = await contributeBellman(params, { curve });
    const bytes = await bytesOf(contributed);
    expect(bytes.subarray(l + 4, l + 4 + g1).every((byte) => byte === 0)).toBe(true);
  });
});
