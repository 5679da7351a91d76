import fc from 'fast-check';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254, CURVES, pointBytes } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/curves/modular.js';
import { type ByteSource, memorySource } from '../../../sdk/files/byte-source.js';
import { fflonkVerificationKeyToJson } from '../../../sdk/files/snarkjs/fflonk-json.js';
import { FFLONK_POLYNOMIALS, readFflonkZkey } from '../../../sdk/files/snarkjs/fflonk-zkey.js';
import { montgomeryReader } from '../../../sdk/files/snarkjs/zkey-header.js';
import { rootOfDomain } from '../../../sdk/polynomials/domain.js';
import { generator } from '../../../sdk/proofs/verified-points.js';
import { FFLONK_CIRCUITS, fflonkCircuit, MAKING_TIMEOUT, snarkjsWitness } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { scalarsOf, valueAt, wiresOf } from '../../support/plonk-reference.js';
import { failureOf, patched, sectionFile, sectionsOf, u32, withSection } from '../../support/section-bytes.js';
import { loadKernel } from '../../support/wasm.js';

/** Where the header section has its numbers: behind two moduli of 4 + 32 bytes. */
const FACTS = 72;
const SCALARS = FACTS + 20;
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
const montgomery = (value: bigint): Uint8Array => bigintToBytes((value << 256n) % r, 32);

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
    const circuit = await fflonkCircuit(name);
    const key = await read(circuit.zkey);
    const { facts, polynomials } = key;
    const curve = CURVES[key.curve];
    const witness = await snarkjs.wtns.exportJson(await snarkjsWitness(circuit));
    expect(facts.variables).toBe(witness.length);
    const [a, b, c] = await wiresOf(curve, key, witness);
    expect(a).toHaveLength(facts.constraints);
    const [qm, ql, qr, qo, qc] = await Promise.all(
      (['Qm', 'Ql', 'Qr', 'Qo', 'Qc'] as const).map(async (selector) =>
        scalarsOf(curve, await all(polynomials[selector])),
      ),
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
  expect((await read((await fflonkCircuit('smallest')).zkey)).facts).toMatchObject({ publicSignals: 0, domainSize: 8 });
});

it('nothing of a key is read but its header and the table of its sections', async () => {
  let bytes = 0;
  const source = memorySource(zkey);
  await readFflonkZkey({
    size: source.size,
    read: (offset, length) => {
      bytes += length;
      return source.read(offset, length);
    },
  });
  expect(bytes).toBeLessThan(1700);
});

describe('an FFLONK .zkey', () => {
  it.each([
    [1, 'groth16'],
    [2, 'plonk'],
    [77, 'protocol 77'],
  ])('of proof system %i is refused as %s', async (protocol, name) => {
    expect(await failureOf(() => read(withSection(zkey, 1, () => u32(protocol))))).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: `expected a fflonk key, got ${name}`,
      hint: expect.stringContaining('fflonk setup'),
    });
  });

  it.each([
    ['as many additions as signals', 12, 45, 'fewer additions than signals'],
    ['more public signals than variables', 4, 25, 'fewer public signals'],
    ['no domain', 8, 0, 'a domain of 2^k'],
    ['a domain that is no power of two', 8, 63, 'a domain of 2^k'],
    ['too small a domain', 8, 4, 'a domain of 2^k, k from 3 to 26'],
    ['a domain whose quadruple the field does not have', 8, 2 ** 27, 'a domain of 2^k, k from 3 to 26'],
    ['the largest domain of the field', 8, 2 ** 26, 'wr as a cube root'],
    ['another domain', 8, 128, 'wr as a cube root'],
    ['more gates than the domain has', 16, 63, 'at most 62 (domain), got 63'],
    ['fewer gates than public signals', 16, 1, 'at least 2 gates'],
    ['another number of gates', 16, 42, '42 gates in section 4'],
    ['another number of additions', 12, 19, '19 additions in section 3'],
    ['another number of public signals', 4, 3, 'in section 15'],
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
    for (const [i, name] of ['k1', 'k2', 'w3', 'w4', 'w8', 'wr'].entries()) {
      const above = withHeader((header) => patched(header, SCALARS + 32 * i, bigintToBytes(bn254.fr.modulus, 32)));
      expect(await failureOf(() => read(above))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(`${name} below r`),
      });
    }
  });

  it.each(Array.from({ length: 17 }, (_, i) => i + 1))(
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

  it.each(['X_2', 'C0'].map((name, i) => [name, POINTS + 128 * i] as const))(
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

  it('cut anywhere or with any byte changed is read or refused by a PippinError', async () => {
    const tables = 12 + 17 * 12 + 1700;
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
