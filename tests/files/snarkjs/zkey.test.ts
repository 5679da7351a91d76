import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bls12377, bn254 } from '../../../sdk/curves/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { verificationKeyToJson } from '../../../sdk/files/snarkjs/groth16-json.js';
import { COEFFICIENT_BYTES, checkCoefficientSignals, readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { CIRCUIT_NAMES, MAKING_TIMEOUT, testCircuit } from '../../support/circuits.js';
import { failureOf, patched, sectionFile, sectionsOf, u32, withSection } from '../../support/section-bytes.js';

/** Where the header section has its numbers: behind two moduli of 4 + 32 bytes. */
const FACTS = 72;
const POINTS = FACTS + 12;
const HEADER_POINTS = {
  alpha1: [POINTS, 64],
  beta1: [POINTS + 64, 64],
  beta2: [POINTS + 128, 128],
  gamma2: [POINTS + 256, 128],
  delta1: [POINTS + 384, 64],
  delta2: [POINTS + 448, 128],
} as const;

let zkey: Uint8Array;
beforeAll(async () => {
  zkey = (await testCircuit('chain')).zkey;
}, MAKING_TIMEOUT);

const read = (bytes: Uint8Array) => readZkey(memorySource(bytes));
const withHeader = (change: (header: Uint8Array) => Uint8Array): Uint8Array => withSection(zkey, 2, change);

describe.each(CIRCUIT_NAMES)('the key of %s', (name) => {
  it('has the verification key that snarkjs exports', async () => {
    const { zkey, verificationKey } = await testCircuit(name);
    const { curve, points } = await read(zkey);
    expect(curve).toBe('bn254');
    const { vk_alphabeta_12: _, ...expected } = verificationKey;
    expect(verificationKeyToJson(curve, points)).toEqual(expected);
  });

  it('has vectors of the lengths that its header tells', async () => {
    const { zkey } = await testCircuit(name);
    const { facts, vectors, coefficients } = await read(zkey);
    const { variables, publicSignals, domainSize } = facts;
    expect(
      Object.fromEntries(Object.entries(vectors).map(([part, { group, count }]) => [part, [group, count]])),
    ).toEqual({
      A: ['g1', variables],
      B1: ['g1', variables],
      B2: ['g2', variables],
      C: ['g1', variables - publicSignals - 1],
      H: ['g1', domainSize],
    });
    for (const { group, count, bytes } of Object.values(vectors)) {
      expect(bytes.size).toBe(count * (group === 'g1' ? 64 : 128));
    }
    expect(coefficients.size % COEFFICIENT_BYTES).toBe(0);
    // The last rows tie the public signals into A with a coefficient of one, in the form 2^512 mod r.
    const rows = await coefficients.read(coefficients.size - COEFFICIENT_BYTES, COEFFICIENT_BYTES);
    expect([...new Uint32Array(rows.slice(0, 12).buffer)]).toEqual([0, expect.any(Number), publicSignals]);
    expect(rows.subarray(12)).toEqual(bigintToBytes((1n << 512n) % bn254.fr.modulus, 32));
  });
});

describe('a .zkey', () => {
  it.each([
    [2, 'plonk'],
    [10, 'fflonk'],
    [77, 'protocol 77'],
  ])('of proof system %i is refused as %s', async (protocol, name) => {
    const { code, message } = await failureOf(() => read(withSection(zkey, 1, () => u32(protocol))));
    expect(code).toBe('UNSUPPORTED_FORMAT');
    expect(message).toContain(`got ${name}`);
  });

  it('of another version is refused', async () => {
    expect((await failureOf(() => read(patched(zkey, 4, u32(2))))).code).toBe('UNSUPPORTED_FORMAT');
  });

  it('over another curve is refused by name', async () => {
    const bls12377Key = withHeader((header) =>
      joinBytes([u32(48), bigintToBytes(bls12377.fq.modulus, 48), u32(32), header.subarray(40)]),
    );
    expect(await failureOf(() => read(bls12377Key))).toMatchObject({
      code: 'CURVE_MISMATCH',
      message: expect.stringMatching(/^expected a key over BN254\b.*, got one over BLS12-377's base field$/),
    });
    const unknown = withHeader((header) => patched(header, 4, bigintToBytes((1n << 255n) - 19n, 32)));
    expect(await failureOf(() => read(unknown))).toMatchObject({
      code: 'CURVE_MISMATCH',
      message: expect.stringContaining('a field of 255 bits'),
    });
    const scalars = withHeader((header) => patched(header, 40, bigintToBytes(bn254.fq.modulus, 32)));
    expect((await failureOf(() => read(scalars))).code).toBe('CURVE_MISMATCH');
  });

  it('whose moduli are written in other sizes than its elements is refused', async () => {
    const wide = (header: Uint8Array, at: number): Uint8Array =>
      joinBytes([
        header.subarray(0, at),
        u32(40),
        header.subarray(at + 4, at + 36),
        new Uint8Array(8),
        header.subarray(at + 36),
      ]);
    for (const at of [0, 36]) {
      expect(await failureOf(() => read(withHeader((header) => wide(header, at))))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining('a modulus of 32 bytes'),
      });
    }
  });

  it.each([0, 129, 2 ** 32 - 1])('with a modulus of %i bytes is refused before it is read', async (size) => {
    const { code, message } = await failureOf(() => read(withHeader((header) => patched(header, 0, u32(size)))));
    expect(code).toBe('MALFORMED_FILE');
    expect(message).toContain(`got ${size} bytes`);
  });

  it.each([
    ['no more variables than public signals', 0, 2, 'fewer public signals'],
    ['another number of variables', 0, 26, '26 points in section 5'],
    ['another number of public signals', 4, 3, 'points in section 8'],
    ['no domain', 8, 0, 'a domain of 2^k'],
    ['a domain that is no power of two', 8, 33, 'a domain of 2^k'],
    ['a domain too large for the field', 8, 2 ** 29, 'a domain of 2^k, k up to 28'],
    ['another domain', 8, 64, '64 points in section 9 (H)'],
    ['the largest domain of the field', 8, 2 ** 28, '268435456 points in section 9 (H)'],
  ])('whose header tells %s is refused', async (_, offset, value, expected) => {
    const { code, message } = await failureOf(() =>
      read(withHeader((header) => patched(header, FACTS + offset, u32(value)))),
    );
    expect(code).toBe('MALFORMED_FILE');
    expect(message).toContain(expected);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'without section %i, or with a byte too few or too many, is refused',
    async (id) => {
      const sections = sectionsOf(zkey);
      const without = sectionFile(
        'zkey',
        1,
        sections.filter(([other]) => other !== id),
      );
      expect(await failureOf(() => read(without))).toMatchObject({
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

  it('whose coefficients are not as many as they say is refused', async () => {
    const wrong = withSection(zkey, 4, (body) => patched(body, 0, u32(2 ** 32 - 1)));
    expect(await failureOf(() => read(wrong))).toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('4294967295 coefficients'),
    });
  });

  it('may have no coefficients', async () => {
    expect((await read(withSection(zkey, 4, () => u32(0)))).coefficients.size).toBe(0);
  });

  it('whose coefficients are of signals that there are not is refused', async () => {
    const { coefficients, facts } = await read(zkey);
    const rows = await coefficients.read(0, coefficients.size);
    checkCoefficientSignals(rows, facts);
    checkCoefficientSignals(new Uint8Array(0), facts);
    const count = rows.length / COEFFICIENT_BYTES;
    for (const row of [0, 1, count - 1]) {
      const withSignal = (signal: number) => patched(rows, row * COEFFICIENT_BYTES + 8, u32(signal));
      checkCoefficientSignals(withSignal(facts.variables - 1), facts);
      for (const signal of [facts.variables, 2 ** 24, 2 ** 32 - 1]) {
        expect(await failureOf(() => checkCoefficientSignals(withSignal(signal), facts))).toMatchObject({
          code: 'MALFORMED_FILE',
          message: `expected coefficient ${row} of a signal below ${facts.variables}, got signal ${signal}`,
        });
      }
    }
  });

  it.each(Object.entries(HEADER_POINTS))('with a bad %s is refused', async (name, [offset, size]) => {
    const bad = {
      'below p': bigintToBytes(bn254.fq.modulus, 32),
      'on its curve': new Uint8Array(32).fill(1),
      'as a finite point, got infinity': new Uint8Array(size),
    };
    for (const [expected, bytes] of Object.entries(bad)) {
      const { code, message } = await failureOf(() => read(withHeader((header) => patched(header, offset, bytes))));
      expect(code).toBe('INVALID_POINT');
      expect(message).toContain(name);
      expect(message).toContain(expected);
    }
  });

  it('with a bad point for a public signal is refused', async () => {
    const off = withSection(zkey, 3, (body) => patched(body, 64, new Uint8Array(32).fill(2)));
    expect(await failureOf(() => read(off))).toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('IC[1]'),
    });
    const infinite = withSection(zkey, 3, (body) => patched(body, 64, new Uint8Array(64)));
    expect(verificationKeyToJson('bn254', (await read(infinite)).points).IC[1]).toEqual(['0', '1', '0']);
  });

  it('cut anywhere or with any byte changed is read or refused by a PippinError', async () => {
    const tables = 12 + sectionsOf(zkey).length * 12 + 4 + 800;
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
