import fc from 'fast-check';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254, CURVES, pointBytes } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/curves/modular.js';
import { type ByteSource, memorySource } from '../../../sdk/files/byte-source.js';
import { plonkVerificationKeyToJson } from '../../../sdk/files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS, readPlonkZkey, SELECTORS } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import { montgomeryReader, readProtocol } from '../../../sdk/files/snarkjs/zkey-header.js';
import { rootOfDomain } from '../../../sdk/polynomials/domain.js';
import { generator } from '../../../sdk/proofs/verified-points.js';
import { MAKING_TIMEOUT, PLONK_KEYS, plonkCircuit, snarkjsWitness, testCircuit } from '../../support/circuits.js';
import { endSnarkjsOver } from '../../support/example.js';
import { scalarsOf, valueAt, wiresOf } from '../../support/plonk-reference.js';
import { failureOf, patched, sectionFile, sectionsOf, u32, withSection } from '../../support/section-bytes.js';
import { loadKernel } from '../../support/wasm.js';

/** Where the header section has its numbers: behind two moduli of 4 + 32 bytes. */
const FACTS = 72;
const SCALARS = FACTS + 20;
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
const montgomery = (value: bigint): Uint8Array => bigintToBytes((value << 256n) % bn254.fr.modulus, 32);

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
    const circuit = await plonkCircuit(name);
    const key = await read(circuit.zkey);
    const { facts, polynomials } = key;
    const curve = CURVES[key.curve];
    const r = curve.fr.modulus;
    const witness = await snarkjs.wtns.exportJson(await snarkjsWitness(circuit));
    expect(facts.variables).toBe(witness.length);
    const [a, b, c] = await wiresOf(curve, key, witness);
    expect(a).toHaveLength(facts.constraints);
    const [qm, ql, qr, qo, qc] = await Promise.all(
      SELECTORS.map(async (selector) => scalarsOf(curve, await all(polynomials[selector]))),
    );
    const w = rootOfDomain(key.curve, facts.domainSize);
    let x = 1n;
    for (let i = 0; i < facts.constraints; i++) {
      const at = (coefficients: readonly bigint[] | undefined) => valueAt(coefficients!, x, r);
      const publicInput = i < facts.publicSignals ? -witness[i + 1]! : 0n;
      const gate = at(qm) * a[i]! * b[i]! + at(ql) * a[i]! + at(qr) * b[i]! + at(qo) * c[i]! + at(qc) + publicInput;
      expect(mod(gate, r)).toBe(0n);
      x = (x * w) % r;
    }
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
  let bytes = 0;
  const source = memorySource(zkey);
  await readPlonkZkey({
    size: source.size,
    read: (offset, length) => {
      bytes += length;
      return source.read(offset, length);
    },
  });
  expect(bytes).toBeLessThan(1500);
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
  it.each([
    [1, 'groth16'],
    [10, 'fflonk'],
    [77, 'protocol 77'],
  ])('of proof system %i is refused as %s', async (protocol, name) => {
    expect(await failureOf(() => read(withSection(zkey, 1, () => u32(protocol))))).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: `expected a plonk key, got ${name}`,
      hint: expect.stringContaining('plonk setup'),
    });
  });

  it.each([
    ['as many additions as signals', 12, 45, 'fewer additions than signals'],
    ['more public signals than variables', 4, 25, 'fewer public signals'],
    ['no domain', 8, 0, 'a domain of 2^k'],
    ['a domain that is no power of two', 8, 63, 'a domain of 2^k'],
    ['too small a domain', 8, 4, 'a domain of 2^k, k from 3 to 26'],
    ['a domain whose quadruple the field does not have', 8, 2 ** 27, 'a domain of 2^k, k from 3 to 26'],
    ['the largest domain of the field', 8, 2 ** 26, 'in section 13'],
    ['another domain', 8, 128, 'in section 13'],
    ['more gates than the domain has', 16, 65, 'at most 64 (domain), got 65'],
    ['fewer gates than public signals', 16, 1, 'at least 2 gates'],
    ['another number of gates', 16, 42, '42 gates in section 4'],
    ['another number of additions', 12, 19, '19 additions in section 3'],
    ['another number of public signals', 4, 3, 'in section 13'],
  ])('whose header tells %s is refused', async (_, offset, value, expected) => {
    expect(
      await failureOf(() => read(withHeader((header) => patched(header, FACTS + offset, u32(value))))),
    ).toMatchObject({ code: 'MALFORMED_FILE', message: expect.stringContaining(expected) });
  });

  it('whose cosets are not distinct is refused', async () => {
    const w = rootOfDomain('bn254', 64);
    for (const [k1, k2] of [
      [0n, 3n],
      [2n, 0n],
      [1n, 3n],
      [w, 3n],
      [2n, w],
      [2n, 2n],
      [2n, 2n * w],
    ] as const) {
      const scalars = joinBytes([montgomery(k1), montgomery(k2)]);
      expect(await failureOf(() => read(withHeader((header) => patched(header, SCALARS, scalars))))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining('different cosets'),
      });
    }
    const { k1, k2 } = await read(withHeader((h) => patched(h, SCALARS, joinBytes([montgomery(5n), montgomery(7n)]))));
    expect([k1, k2]).toEqual([5n, 7n]);
  });

  it('with a scalar that is not below r is refused', async () => {
    for (const [i, name] of ['k1', 'k2'].entries()) {
      const above = withHeader((header) => patched(header, SCALARS + 32 * i, bigintToBytes(bn254.fr.modulus, 32)));
      expect(await failureOf(() => read(above))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(`${name} below r`),
      });
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])(
    'without section %i, or with a byte too few or too many, is refused',
    async (id) => {
      const others = sectionsOf(zkey).filter(([other]) => other !== id);
      expect(await failureOf(() => read(sectionFile('zkey', 1, others)))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(`one section ${id}`),
      });
      const short = withSection(zkey, id, (body) => body.subarray(0, body.length - 1));
      expect((await failureOf(() => read(short))).code).toBe('MALFORMED_FILE');
      if (id === 1) return;
      const long = withSection(zkey, id, (body) => joinBytes([body, new Uint8Array(1)]));
      expect((await failureOf(() => read(long))).code).toBe('MALFORMED_FILE');
    },
  );

  it.each([...PLONK_POLYNOMIALS, 'X_2'].map((name, i) => [name, POINTS + 64 * i] as const))(
    'with a bad %s is refused',
    async (name, offset) => {
      const bad = { 'below p': bigintToBytes(bn254.fq.modulus, 32), 'on its curve': new Uint8Array(32).fill(1) };
      for (const [expected, bytes] of Object.entries(bad)) {
        expect(await failureOf(() => read(withHeader((header) => patched(header, offset, bytes))))).toMatchObject({
          code: 'INVALID_POINT',
          message: expect.stringMatching(new RegExp(`${name}.*${expected}|${expected}`)),
        });
      }
    },
  );

  it('may have infinity as a commitment, but not as X_2', async () => {
    const infinite = (i: number, size: number) =>
      withHeader((header) => patched(header, POINTS + 64 * i, new Uint8Array(size)));
    expect((await read(infinite(0, 64))).points.Qm).toEqual(new Uint8Array(64));
    expect(await failureOf(() => read(infinite(8, 128)))).toMatchObject({
      code: 'INVALID_POINT',
      message: 'expected X_2 as a finite point, got infinity',
    });
  });

  it('cut anywhere or with any byte changed is read or refused by a PippinError', async () => {
    const tables = 12 + 14 * 12 + 4 + POINTS + 640;
    await fc.assert(
      fc.asyncProperty(fc.nat(zkey.length - 1), fc.nat(tables), fc.nat(255), async (length, at, value) => {
        expect((await failureOf(() => read(zkey.subarray(0, length)))).code).toBe('MALFORMED_FILE');
        try {
          await read(zkey.with(at, value));
        } catch (error) {
          expect(error).toMatchObject({ name: 'PippinError', message: expect.stringMatching(/^expected .*got /s) });
        }
      }),
      { numRuns: 300 },
    );
  });
});
