import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FirstPowersOptions } from '../../../sdk/ceremony/powers/api.js';
import { CURVES } from '../../../sdk/curves/index.js';
import { sectionFile, sectionsOf } from '../../support/section-bytes.js';
import { powersInPlace } from '../ceremony-in-place.js';

const { newPowersOfTau, contributeToPowersOfTau, addBeaconToPowersOfTau, verifyPowersOfTau, preparePowersOfTau } =
  powersInPlace();
const folder = mkdtempSync(join(tmpdir(), 'pippin-powers-'));
const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());
const BEACON = { hash: '0x0102', iterations: 10 };
let first: Uint8Array;
let one: Uint8Array;
beforeAll(async () => {
  first = await bytesOf((await newPowersOfTau({ curve: 'bn254', power: 3 })).ptau);
  one = await bytesOf((await addBeaconToPowersOfTau(first, BEACON)).ptau);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('new powers of tau', () => {
  it('go to a path or a stream, the same bytes as to a Blob', async () => {
    const path = join(folder, 'a.ptau');
    const parts: Uint8Array[] = [];
    const stream = new WritableStream<Uint8Array>({ write: (part) => void parts.push(part.slice()) });
    expect(await addBeaconToPowersOfTau(first, { ...BEACON, to: path })).not.toHaveProperty('ptau');
    await addBeaconToPowersOfTau(first, { ...BEACON, to: stream });
    for (const found of [readFileSync(path), Buffer.concat(parts)]) expect(found.equals(one)).toBe(true);
    const prepared = join(folder, 'b.ptau');
    await preparePowersOfTau(path, { to: prepared });
    expect(readFileSync(prepared).equals(await bytesOf((await preparePowersOfTau(one)).ptau))).toBe(true);
  });

  it('replace a file only when they are complete', async () => {
    const path = join(folder, 'c.ptau');
    await newPowersOfTau({ curve: 'bls12-381', power: 2, to: path });
    await contributeToPowersOfTau(path, { to: path });
    const before = readFileSync(path);
    const aborted = { hash: 'ff', iterations: 40, signal: AbortSignal.timeout(20), to: path };
    await expect(addBeaconToPowersOfTau(path, aborted)).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('are the same with any number of threads, and tell their progress', async () => {
    for (const threads of [1, 3]) {
      const told: number[] = [];
      const options = { ...BEACON, threads, onProgress: (fraction: number) => void told.push(fraction) };
      expect(await bytesOf((await addBeaconToPowersOfTau(first, options)).ptau)).toEqual(one);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      expect(told.at(-1)).toBe(1);
    }
    const [a, b] = [await contributeToPowersOfTau(first), await contributeToPowersOfTau(first)];
    expect(a.hash).not.toBe(b.hash);
  });

  it.each(['contribute', 'verify', 'prepare', 'new'] as const)('stop when they are aborted: %s', async (action) => {
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    };
    const calls = {
      contribute: () => contributeToPowersOfTau(one, options),
      verify: () => verifyPowersOfTau(one, options),
      prepare: () => preparePowersOfTau(one, options),
      new: () => newPowersOfTau({ curve: 'bn254', power: 3, ...options }),
    };
    await expect(calls[action]()).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('calls for powers of tau', () => {
  it.each([
    [{ curve: 'bn254' }],
    [{ power: 3 }],
    [{ curve: 'bn254', power: 0 }],
    [{ curve: 'bn254', power: 29 }],
    [{ curve: 'bls12-377', power: 3 }],
    [{ curve: 'bn254', power: 3, name: 'Ada' }],
  ])('refuse the options %j', async (options) => {
    const call = newPowersOfTau(options as unknown as FirstPowersOptions);
    await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('refuse other beacons and files', async () => {
    for (const wrong of [
      { hash: '', iterations: 10 },
      { hash: '00', iterations: 9 },
      { hash: '0', iterations: 10 },
    ]) {
      await expect(addBeaconToPowersOfTau(first, wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    for (const file of [new Uint8Array(9), one.subarray(0, one.length - 1), one.subarray(0, 500)]) {
      await expect(verifyPowersOfTau(file)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
      await expect(contributeToPowersOfTau(file)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
    const version = one.slice();
    version[4] = 2;
    await expect(preparePowersOfTau(version)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    // The last four bytes of the header: powers that no ceremony has, and less than the file's.
    for (const power of [Uint8Array.of(29), Uint8Array.of(3, 1), Uint8Array.of(3, 0, 0, 128), Uint8Array.of(2)]) {
      const other = changed(1, (section) => section.set(power, section.length - 4));
      await expect(verifyPowersOfTau(other)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
    const curve = one.slice();
    curve[12 + 12 + 4]! ^= 2;
    await expect(preparePowersOfTau(curve)).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
  });

  /** A file with other bytes in a section. */
  const changed = (id: number, change: (section: Uint8Array) => void): Uint8Array => {
    const sections = sectionsOf(one);
    const section = sections.find(([number]) => number === id)![1];
    change(section);
    return sectionFile('ptau', 1, sections);
  };

  it('refuse points that are infinite, off the curve or too large, by section and number', async () => {
    const infinite = changed(4, (section) => section.fill(0, 3 * 64, 4 * 64));
    const off = changed(5, (section) => {
      section[2 * 64]! ^= 1;
    });
    const large = changed(3, (section) => section.fill(255, 128, 160));
    for (const [file, id] of [
      [infinite, 4],
      [off, 5],
      [large, 3],
    ] as const) {
      const error = { code: 'INVALID_POINT', message: expect.stringContaining(`section ${id}`) };
      await expect(contributeToPowersOfTau(file)).rejects.toMatchObject(error);
      await expect(preparePowersOfTau(file)).rejects.toMatchObject(error);
      await expect(verifyPowersOfTau(file)).rejects.toMatchObject({ code: 'INVALID_POINT' });
    }
  });

  it('refuse to contribute to a truncated file, which verifies without its hash', async () => {
    const { coordinateBytes } = CURVES.bn254;
    const sections = sectionsOf(one).map(([id, bytes]): [number, Uint8Array] => {
      const kept = { 2: 7 * 64, 3: 4 * 128, 4: 4 * 64, 5: 4 * 64 }[id];
      return [id, kept === undefined ? bytes : bytes.slice(0, kept)];
    });
    sections.find(([id]) => id === 1)![1][4 + coordinateBytes] = 2;
    const truncated = sectionFile('ptau', 1, sections);
    await expect(contributeToPowersOfTau(truncated)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    expect(await verifyPowersOfTau(truncated)).toMatchObject({ isValid: true, power: 2 });
  });
});
