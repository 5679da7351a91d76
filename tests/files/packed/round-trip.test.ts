import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../sdk/base/bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { packZkey } from '../../../sdk/files/packed/pack.js';
import { openPackedKey } from '../../../sdk/files/packed/packed-key.js';
import {
  CIRCUIT_NAMES,
  chainOver,
  FFLONK_CIRCUITS,
  fflonkCircuit,
  MAKING_TIMEOUT,
  PLONK_KEYS,
  plonkCircuit,
  testCircuit,
} from '../../support/circuits.js';
import { expectSame } from '../../support/same.js';
import { unpackingKernels } from '../../support/unpacking-kernels.js';

const KEYS = [
  ...CIRCUIT_NAMES.map((name) => ({ name: `groth16 ${name}`, circuit: () => testCircuit(name) })),
  { name: 'groth16 bls12-381', circuit: () => chainOver('bls12-381') },
  ...PLONK_KEYS.map((name) => ({ name: `plonk ${name}`, circuit: () => plonkCircuit(name) })),
  ...FFLONK_CIRCUITS.map((name) => ({ name: `fflonk ${name}`, circuit: () => fflonkCircuit(name) })),
];
const FORMS = [{ isCompressed: true }, { isCompressed: false }];

describe.each(KEYS)('a packed key of $name', ({ circuit }) => {
  let zkey: Uint8Array;

  beforeAll(async () => {
    zkey = (await circuit()).zkey;
  }, MAKING_TIMEOUT);

  it.each(FORMS)('is the .zkey again, byte by byte ($isCompressed)', async ({ isCompressed }) => {
    const makeSha256 = async () => createHash('sha256');
    const parts = await packZkey(memorySource(zkey), { isCompressed, kernels: unpackingKernels, makeSha256 });
    const packed = joinBytes(parts);
    const { zkey: unpacked, header } = await openPackedKey(memorySource(packed), unpackingKernels);
    expectSame(unpacked.size, zkey.length);
    expectSame(Buffer.from(await unpacked.read(0, zkey.length)).equals(zkey), true);
    expect(Buffer.from(header.sha256).toString('hex')).toBe(createHash('sha256').update(zkey).digest('hex'));
  });
});
