import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254, CURVES, pointBytes } from '../../../sdk/curves/index.js';
import { type ByteSource, memorySource } from '../../../sdk/files/byte-source.js';
import { fflonkVerificationKeyToJson } from '../../../sdk/files/snarkjs/fflonk-json.js';
import { FFLONK_POLYNOMIALS, readFflonkZkey } from '../../../sdk/files/snarkjs/fflonk-zkey.js';
import { montgomeryReader } from '../../../sdk/files/snarkjs/zkey-header.js';
import { rootOfDomain } from '../../../sdk/polynomials/domain.js';
import { generator } from '../../../sdk/proofs/verified-points.js';
import { FFLONK_CIRCUITS, fflonkCircuit, MAKING_TIMEOUT } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { scalarsOf } from '../../support/plonk-reference.js';
import { failureOf, patched, withSection } from '../../support/section-bytes.js';
import {
  bytesRead,
  expectSatisfiedGates,
  itRefusesAlteredKeys,
  montgomery,
  SCALARS,
} from '../../support/universal-zkey-suite.js';
import { loadKernel } from '../../support/wasm.js';

const ROOTS = SCALARS + 64;
const POINTS = ROOTS + 128;

let zkey: Uint8Array;
beforeAll(async () => {
  zkey = (await fflonkCircuit('chain')).zkey;
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

const read = (bytes: Uint8Array) => readFflonkZkey(memorySource(bytes));
const all = (source: ByteSource) => source.read(0, source.size);
const withHeader = (change: (header: Uint8Array) => Uint8Array): Uint8Array => withSection(zkey, 2, change);
const r = bn254.fr.modulus;

describe.each(FFLONK_CIRCUITS)('the FFLONK key of %s', (name) => {
  it('has the verification key that snarkjs exports, member by member in its order', async () => {
    const circuit = await fflonkCircuit(name);
    const key = fflonkVerificationKeyToJson(await read(circuit.zkey));
    expect(JSON.stringify(key)).toBe(JSON.stringify(circuit.verificationKey));
  });

  it('has the commitment to C0 over its powers, and C0 of its polynomials', async () => {
    const { curve: id, facts, points, polynomials, C0, powers } = await read((await fflonkCircuit(name)).zkey);
    const curve = CURVES[id];
    const n = facts.domainSize;
    expect(powers).toMatchObject({ group: 'g1', count: 9 * n + 18 });
    const bases = montgomeryReader(curve)(await all(powers.bytes), 'powers');
    expect(bases.subarray(0, pointBytes(id, 'g1'))).toEqual(generator(id, 'g1'));
    const coefficients = scalarsOf(curve, await all(C0));
    const kernel = await loadKernel(id);
    const commitment = await kernel.combine({
      group: 'g1',
      points: bases.subarray(0, 8 * n * pointBytes(id, 'g1')),
      scalars: joinBytes(coefficients.map((value) => bigintToBytes(value, 32))),
    });
    expect(commitment).toEqual(points.C0);
    const order = ['Ql', 'Qr', 'Qo', 'Qm', 'Qc', 'S1', 'S2', 'S3'] as const;
    expect([...order].sort()).toEqual([...FFLONK_POLYNOMIALS].sort());
    for (const [j, polynomial] of order.entries()) {
      const own = scalarsOf(curve, await all(polynomials[polynomial]));
      expect(own).toEqual(coefficients.filter((_, i) => i % 8 === j));
    }
  });

  it('has gates that a witness satisfies', async () => {
    await expectSatisfiedGates(await fflonkCircuit(name), readFflonkZkey);
  });
});

it('the chain has additions and several public signals, and the smallest key has none', async () => {
  expect((await read(zkey)).facts).toEqual({
    variables: 25,
    publicSignals: 2,
    domainSize: 64,
    additions: 20,
    constraints: 43,
  });
  expect((await read((await fflonkCircuit('smallest')).zkey)).facts).toMatchObject({ publicSignals: 0, domainSize: 8 });
});

it('nothing of a key is read but its header and the table of its sections', async () => {
  expect(await bytesRead(zkey, readFflonkZkey)).toBeLessThan(1700);
});

describe('an FFLONK .zkey', () => {
  itRefusesAlteredKeys({
    zkey: () => zkey,
    read: readFflonkZkey,
    protocol: 'fflonk',
    otherProtocols: [
      [1, 'groth16'],
      [2, 'plonk'],
      [77, 'protocol 77'],
    ],
    wrongNumbers: [
      ['the largest domain of the field', 8, 2 ** 26, 'wr as a cube root'],
      ['another domain', 8, 128, 'wr as a cube root'],
      ['more gates than the domain has', 16, 63, 'at most 62 (domain), got 63'],
      ['another number of public signals', 4, 3, 'in section 15'],
    ],
    scalars: ['k1', 'k2', 'w3', 'w4', 'w8', 'wr'],
    sections: 17,
    points: ['X_2', 'C0'].map((name, i) => [name, POINTS + 128 * i]),
    tables: 12 + 17 * 12 + 1700,
  });

  it('may have infinity as C0, but not as X_2', async () => {
    const infinite = (at: number, size: number) => withHeader((header) => patched(header, at, new Uint8Array(size)));
    expect((await read(infinite(POINTS + 128, 64))).points.C0).toEqual(new Uint8Array(64));
    expect(await failureOf(() => read(infinite(POINTS, 128)))).toMatchObject({
      code: 'INVALID_POINT',
      message: 'expected X_2 as a finite point, got infinity',
    });
  });

  it.each([
    [0, 'w3 as a primitive cube root', [0n, 1n, 2n]],
    [1, 'w4 as a primitive fourth root', [0n, 1n, r - 1n, rootOfDomain('bn254', 8)]],
    [2, 'w8 as a primitive eighth root', [0n, 1n, r - 1n, rootOfDomain('bn254', 4), rootOfDomain('bn254', 16)]],
    [3, "wr as a cube root of the domain's", [0n, 1n, rootOfDomain('bn254', 64)]],
  ] as const)('whose root %i is not %s is refused', async (i, expected, values) => {
    for (const value of values) {
      const wrong = withHeader((header) => patched(header, ROOTS + 32 * i, montgomery(value)));
      expect(await failureOf(() => read(wrong))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(expected),
        hint: expect.stringContaining('BN254'),
      });
    }
  });

  it('may have other primitive roots', async () => {
    const { roots } = await read(zkey);
    const { w3, w4, w8, wr } = roots;
    const others = [w3 ** 2n, r - w4, w8 ** 3n, w3 * wr].map((root) => root % r);
    const other = await read(withHeader((header) => patched(header, ROOTS, joinBytes(others.map(montgomery)))));
    expect(Object.values(other.roots)).toEqual(others);
  });
});
