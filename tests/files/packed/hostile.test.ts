import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { openPackedKey } from '../../../sdk/files/packed/packed-key.js';
import { fflonkCircuit, MAKING_TIMEOUT, testCircuit } from '../../support/circuits.js';
import { packed } from '../../support/packed-keys.js';
import { unpackingKernels } from '../../support/unpacking-kernels.js';

const KEYS = [
  { name: 'Groth16', zkey: async () => (await testCircuit('matrix')).zkey },
  { name: 'FFLONK', zkey: async () => (await fflonkCircuit('smallest')).zkey },
];
const START = 56;
const ROW = 36;

describe.each(KEYS)('a hostile packed key of $name', ({ zkey }) => {
  let bytes: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    bytes = await packed(await zkey());
  }, MAKING_TIMEOUT);

  const outcome = async (file: Uint8Array): Promise<unknown> => {
    try {
      const { zkey } = await openPackedKey(memorySource(file), unpackingKernels);
      await zkey.read(0, zkey.size);
      return 'read';
    } catch (error) {
      return error;
    }
  };
  /** With the hashes that the changed bytes have. */
  const signed = (file: Uint8Array): Uint8Array => {
    const view = new DataView(file.buffer, file.byteOffset);
    const end = view.getUint32(8, true);
    const hash = (from: number, to: number): Uint8Array =>
      createHash('sha256').update(file.subarray(from, to)).digest();
    let at = new DataView(bytes.buffer).getUint32(8, true);
    for (let row = START; row < at - 32 && row + ROW + 32 <= end; row += ROW) {
      const size = new DataView(bytes.buffer).getUint32(row + 28, true);
      if (size === 0) continue;
      file.set(hash(at, at + size), row + ROW);
      at += size;
      row += 32;
      if (at >= bytes.length) break;
    }
    if (end >= START + 32 && end <= file.length) file.set(hash(0, end - 32), end - 32);
    return file;
  };
  const expectTyped = (found: unknown): void => {
    if (found === 'read') return;
    expect(found).toBeInstanceOf(PippinError);
    expect(['MALFORMED_FILE', 'UNSUPPORTED_FORMAT', 'INVALID_POINT', 'CURVE_MISMATCH', 'INVALID_SCALAR']).toContain(
      (found as PippinError).code,
    );
  };

  it('is read whole with right hashes', async () => {
    expect(await outcome(signed(bytes.slice()))).toBe('read');
  });

  it('ends in a typed error for every changed number of the header', async () => {
    const end = new DataView(bytes.buffer).getUint32(8, true);
    for (let at = 0; at < end - 32; at += 4) {
      for (const value of [0, 1, 7, 2 ** 31, 2 ** 32 - 1]) {
        const file = bytes.slice();
        new DataView(file.buffer).setUint32(at, value, true);
        expectTyped(await outcome(signed(file)));
      }
    }
  });

  it('ends in a typed error at every place where it is cut off', async () => {
    for (let size = 0; size < bytes.length; size += 61) {
      expect(await outcome(bytes.subarray(0, size))).toMatchObject({ code: 'MALFORMED_FILE' });
    }
  });

  it('ends in a typed error, or is read, whatever byte of a section is another one', async () => {
    const codes = new Set<string>();
    const end = new DataView(bytes.buffer).getUint32(8, true);
    for (let at = end; at < bytes.length; at += 37) {
      const file = bytes.slice();
      file[at]! ^= 0xff;
      expect(await outcome(file)).toMatchObject({ code: 'MALFORMED_FILE' });
      const found = await outcome(signed(file));
      expectTyped(found);
      codes.add(found instanceof PippinError ? found.code : 'read');
    }
    expect(codes).toContain('INVALID_POINT');
    expect(codes).toContain('read');
  });
});
