import { afterAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../sdk/base/bytes.js';
import { type ByteSource, memorySource } from '../../../sdk/files/byte-source.js';
import { bytesOfExtents, mergeExtents, PartialFile } from '../../../sdk/files/partial-file.js';
import { readFflonkZkey } from '../../../sdk/files/snarkjs/fflonk-zkey.js';
import { readPlonkZkey } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import { usedParts } from '../../../sdk/files/snarkjs/used-parts.js';
import { FFLONK_CIRCUITS, fflonkCircuit, PLONK_KEYS, plonkCircuit, testCircuit } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { patched, sectionFile, sectionsOf, u32, withSection } from '../../support/section-bytes.js';

afterAll(endSnarkjs);

const KEYS = [
  ...PLONK_KEYS.map((name) => ['plonk', name] as const),
  ...FFLONK_CIRCUITS.map((name) => ['fflonk', name] as const),
];
const keyOf = async (protocol: 'plonk' | 'fflonk', name: (typeof PLONK_KEYS)[number]): Promise<Uint8Array> =>
  protocol === 'plonk'
    ? (await plonkCircuit(name)).zkey
    : (await fflonkCircuit(name as (typeof FFLONK_CIRCUITS)[number])).zkey;

/** The source, and the bytes that were read of it. */
function watched(source: ByteSource): { readonly source: ByteSource; readonly read: Set<number> } {
  const read = new Set<number>();
  const reading: ByteSource = {
    size: source.size,
    read(offset, length) {
      for (let i = offset; i < offset + length; i++) read.add(i);
      return source.read(offset, length);
    },
  };
  return { source: reading, read };
}

/** Reads everything of a key that a prover reads. */
async function readKey(protocol: 'plonk' | 'fflonk', source: ByteSource): Promise<void> {
  const key = await (protocol === 'plonk' ? readPlonkZkey : readFflonkZkey)(source);
  const used = [key.additions, ...key.maps, ...Object.values(key.polynomials), key.powers.bytes];
  for (const part of used) await part.read(0, part.size);
}

describe.each(KEYS)('the parts of a %s key that are used, for %s', (protocol, name) => {
  it('are exactly those that are read', async () => {
    const zkey = await keyOf(protocol, name);
    const parts = (await usedParts(memorySource(zkey)))!;
    const extents = mergeExtents(parts.extents);
    const contents = memorySource(joinBytes(extents.map(({ start, end }) => zkey.slice(start, end))));
    const { source, read } = watched(new PartialFile({ size: zkey.length, extents }, contents));
    expect(await parts.fit(source)).toBe(true);
    await readKey(protocol, source);
    expect(bytesOfExtents(extents)).toBe(read.size);
    expect(read.size / zkey.length).toBeLessThan(protocol === 'plonk' ? 0.4 : 0.5);
  });

  it('are found at the beginning and the end of the file', async () => {
    const zkey = await keyOf(protocol, name);
    const { source, read } = watched(memorySource(zkey));
    await usedParts(source);
    for (const i of read) expect(i < 28 || i >= zkey.length - 2048).toBe(true);
  });

  it('are not known of a file that is cut off, longer, or has another table of sections', async () => {
    const zkey = await keyOf(protocol, name);
    const sections = sectionsOf(zkey);
    for (const other of [
      zkey.slice(0, -1),
      zkey.slice(0, 100),
      new Uint8Array(),
      joinBytes([zkey, new Uint8Array(1)]),
      patched(zkey, 8, u32(sections.length + 1)),
      withSection(zkey, 5, (body) => joinBytes([body, u32(0)])),
      // Domains that are no power of two, and of 2^31 elements.
      ...[7, 2 ** 31].map((size) => withSection(zkey, 2, (body) => patched(body, factsAt(body) + 8, u32(size)))),
    ]) {
      expect(await usedParts(memorySource(other))).toBeUndefined();
    }
  });

  it('do not fit sections in another order', async () => {
    const sections = sectionsOf(await keyOf(protocol, name));
    const from = sections.findIndex(([id]) => id === 7);
    const swapped = sections.with(from, sections[from + 1]!).with(from + 1, sections[from]!);
    const file = memorySource(sectionFile('zkey', 1, swapped));
    expect(await (await usedParts(file))!.fit(file)).toBe(false);
  });
});

it('nothing is known of Groth16 keys, of other files, and of a source that fails', async () => {
  const { zkey, wasm } = await testCircuit('chain');
  expect(await usedParts(memorySource(zkey))).toBeUndefined();
  expect(await usedParts(memorySource(wasm))).toBeUndefined();
  const failing: ByteSource = { size: 1000, read: () => Promise.reject(new Error('gone')) };
  await expect(usedParts(failing)).rejects.toThrow('gone');
});

/** Where the numbers of a header begin: after p and r. */
function factsAt(header: Uint8Array): number {
  const sizeOfP = header[0]!;
  return 4 + sizeOfP + 4 + header[4 + sizeOfP]!;
}
