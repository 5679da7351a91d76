import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { CURVES, pointBytes } from '../../../sdk/curves/index.js';
import { type ByteSource, memorySource } from '../../../sdk/files/byte-source.js';
import { plonkVerificationKeyToJson } from '../../../sdk/files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS, readPlonkZkey } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import { montgomeryReader, readProtocol } from '../../../sdk/files/snarkjs/zkey-header.js';
import { generator } from '../../../sdk/proofs/verified-points.js';
import { MAKING_TIMEOUT, PLONK_KEYS, plonkCircuit, testCircuit } from '../../support/circuits.js';
import { endSnarkjsOver } from '../../support/example.js';
import { scalarsOf } from '../../support/plonk-reference.js';
import { failureOf, patched, u32, withSection } from '../../support/section-bytes.js';
import { bytesRead, expectSatisfiedGates, itRefusesAlteredKeys, SCALARS } from '../../support/universal-zkey-suite.js';
import { loadKernel } from '../../support/wasm.js';

const POINTS = SCALARS + 64;

let zkey: Uint8Array;
beforeAll(async () => {
  zkey = (await plonkCircuit('chain')).zkey;
}, MAKING_TIMEOUT);
afterAll(async () => {
  for (const curve of ['bn254', 'bls12-381'] as const) await endSnarkjsOver(curve);
});

const read = (bytes: Uint8Array) => readPlonkZkey(memorySource(bytes));
const all = (source: ByteSource) => source.read(0, source.size);
const withHeader = (change: (header: Uint8Array) => Uint8Array): Uint8Array => withSection(zkey, 2, change);

describe.each(PLONK_KEYS)('the PLONK key of %s', (name) => {
  it('has the verification key that snarkjs exports, member by member in its order', async () => {
    const circuit = await plonkCircuit(name);
    const key = plonkVerificationKeyToJson(await read(circuit.zkey));
    expect(JSON.stringify(key)).toBe(JSON.stringify(circuit.verificationKey));
  });

  it('has commitments to its coefficients over its powers', async () => {
    const { curve: id, facts, points, polynomials, powers } = await read((await plonkCircuit(name)).zkey);
    const curve = CURVES[id];
    expect(powers).toMatchObject({ group: 'g1', count: facts.domainSize + 6 });
    const bases = montgomeryReader(curve)(await all(powers.bytes), 'powers');
    expect(bases.subarray(0, pointBytes(id, 'g1'))).toEqual(generator(id, 'g1'));
    const kernel = await loadKernel(id);
    for (const polynomial of PLONK_POLYNOMIALS) {
      const coefficients = scalarsOf(curve, await all(polynomials[polynomial]));
      expect(coefficients).toHaveLength(facts.domainSize);
      const commitment = await kernel.combine({
        group: 'g1',
        points: bases.subarray(0, facts.domainSize * pointBytes(id, 'g1')),
        scalars: joinBytes(coefficients.map((value) => bigintToBytes(value, 32))),
      });
      expect(commitment).toEqual(points[polynomial]);
    }
  });

  it('has gates that a witness satisfies', async () => {
    await expectSatisfiedGates(await plonkCircuit(name), readPlonkZkey);
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
  expect((await read((await plonkCircuit('smallest')).zkey)).facts).toMatchObject({ publicSignals: 0, domainSize: 8 });
});

it('nothing of a key is read but its header and the table of its sections', async () => {
  expect(await bytesRead(zkey, readPlonkZkey)).toBeLessThan(1500);
});

it('the protocol of a key is found', async () => {
  expect(await readProtocol(memorySource(zkey))).toBe('plonk');
  expect(await readProtocol(memorySource((await testCircuit('chain')).zkey))).toBe('groth16');
  expect(await readProtocol(memorySource(withSection(zkey, 1, () => u32(10))))).toBe('fflonk');
  const unknown = memorySource(withSection(zkey, 1, () => u32(77)));
  expect(await failureOf(() => readProtocol(unknown))).toMatchObject({
    code: 'UNSUPPORTED_FORMAT',
    message: 'expected a key of groth16, plonk, fflonk, got protocol 77',
  });
  expect((await failureOf(() => readProtocol(memorySource(patched(zkey, 4, u32(2)))))).code).toBe('UNSUPPORTED_FORMAT');
  expect((await failureOf(() => readProtocol(memorySource(new Uint8Array(3))))).code).toBe('MALFORMED_FILE');
});

describe('a PLONK .zkey', () => {
  itRefusesAlteredKeys({
    zkey: () => zkey,
    read: readPlonkZkey,
    protocol: 'plonk',
    otherProtocols: [
      [1, 'groth16'],
      [10, 'fflonk'],
      [77, 'protocol 77'],
    ],
    wrongNumbers: [
      ['the largest domain of the field', 8, 2 ** 26, 'in section 13'],
      ['another domain', 8, 128, 'in section 13'],
      ['more gates than the domain has', 16, 65, 'at most 64 (domain), got 65'],
      ['another number of public signals', 4, 3, 'in section 13'],
    ],
    scalars: ['k1', 'k2'],
    sections: 14,
    points: [...PLONK_POLYNOMIALS, 'X_2'].map((name, i) => [name, POINTS + 64 * i]),
    tables: 12 + 14 * 12 + 4 + POINTS + 640,
  });

  it('may have infinity as a commitment, but not as X_2', async () => {
    const infinite = (i: number, size: number) =>
      withHeader((header) => patched(header, POINTS + 64 * i, new Uint8Array(size)));
    expect((await read(infinite(0, 64))).points.Qm).toEqual(new Uint8Array(64));
    expect(await failureOf(() => read(infinite(8, 128)))).toMatchObject({
      code: 'INVALID_POINT',
      message: 'expected X_2 as a finite point, got infinity',
    });
  });
});
