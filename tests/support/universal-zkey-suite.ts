import fc from 'fast-check';
import * as snarkjs from 'snarkjs';
import { expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bn254, CURVES } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { type ByteSource, memorySource } from '../../sdk/files/byte-source.js';
import { SELECTORS } from '../../sdk/files/snarkjs/plonk-zkey.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import type { UniversalZkey } from '../../sdk/proofs/universal/system.js';
import { snarkjsWitness, type TestCircuit } from './circuits.js';
import { scalarsOf, valueAt, wiresOf } from './plonk-reference.js';
import { failureOf, patched, sectionFile, sectionsOf, u32, withSection } from './section-bytes.js';

/** Offsets in the header section over BN254: numbers behind two moduli of 4 + 32 bytes, then scalars. */
export const FACTS = 72;
export const SCALARS = FACTS + 20;

/** A scalar of BN254 as a key has it. */
export const montgomery = (value: bigint): Uint8Array => bigintToBytes((value << 256n) % bn254.fr.modulus, 32);

const all = (source: ByteSource): Promise<Uint8Array> => source.read(0, source.size);

type Read = (source: ByteSource) => Promise<UniversalZkey>;

/** Expects that a circuit's witness satisfies all gates of its key. */
export async function expectSatisfiedGates(circuit: TestCircuit<object>, read: Read): Promise<void> {
  const key = await read(memorySource(circuit.zkey));
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
}

/** The bytes that are read of a key before its large sections are. */
export async function bytesRead(zkey: Uint8Array, read: Read): Promise<number> {
  let bytes = 0;
  const source = memorySource(zkey);
  await read({
    size: source.size,
    read: (offset, length) => {
      bytes += length;
      return source.read(offset, length);
    },
  });
  return bytes;
}

/** The key of the circuit `chain` over BN254, to be altered, and what its proof system's reader must refuse. */
export interface AlteredKey {
  /** There when the tests begin. */
  readonly zkey: () => Uint8Array;
  readonly read: Read;
  readonly protocol: 'plonk' | 'fflonk';
  readonly otherProtocols: readonly (readonly [protocol: number, name: string])[];
  /** Numbers of the header: what, their offset behind `FACTS`, a wrong value, and a part of the message. */
  readonly wrongNumbers: readonly (readonly [what: string, offset: number, value: number, expected: string])[];
  /** The names of the header's scalars, in their order. */
  readonly scalars: readonly string[];
  readonly sections: number;
  /** Points of the header with their offsets in it. */
  readonly points: readonly (readonly [name: string, offset: number])[];
  /** Bytes at the file's beginning, each of which is changed. */
  readonly tables: number;
}

/** The tests of hostile keys that both proof systems share. */
export function itRefusesAlteredKeys(key: AlteredKey): void {
  const { protocol, wrongNumbers, scalars, sections, points, tables } = key;
  const read = (bytes: Uint8Array) => key.read(memorySource(bytes));
  const withHeader = (change: (header: Uint8Array) => Uint8Array): Uint8Array => withSection(key.zkey(), 2, change);

  it.each(key.otherProtocols)('of proof system %i is refused as %s', async (number, name) => {
    expect(await failureOf(() => read(withSection(key.zkey(), 1, () => u32(number))))).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: `expected a ${protocol} key, got ${name}`,
      hint: expect.stringContaining(`${protocol} setup`),
    });
  });

  it.each([
    ['as many additions as signals', 12, 45, 'fewer additions than signals'],
    ['more public signals than variables', 4, 25, 'fewer public signals'],
    ['no domain', 8, 0, 'a domain of 2^k'],
    ['a domain that is no power of two', 8, 63, 'a domain of 2^k'],
    ['too small a domain', 8, 4, 'a domain of 2^k, k from 3 to 26'],
    ['a domain whose quadruple the field does not have', 8, 2 ** 27, 'a domain of 2^k, k from 3 to 26'],
    ['fewer gates than public signals', 16, 1, 'at least 2 gates'],
    ['another number of gates', 16, 42, '42 gates in section 4'],
    ['another number of additions', 12, 19, '19 additions in section 3'],
    ...wrongNumbers,
  ] as const)('whose header tells %s is refused', async (_, offset, value, expected) => {
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
      const cosets = joinBytes([montgomery(k1), montgomery(k2)]);
      expect(await failureOf(() => read(withHeader((header) => patched(header, SCALARS, cosets))))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining('different cosets'),
      });
    }
    const { k1, k2 } = await read(withHeader((h) => patched(h, SCALARS, joinBytes([montgomery(5n), montgomery(7n)]))));
    expect([k1, k2]).toEqual([5n, 7n]);
  });

  it('with a scalar that is not below r is refused', async () => {
    for (const [i, name] of scalars.entries()) {
      const above = withHeader((header) => patched(header, SCALARS + 32 * i, bigintToBytes(bn254.fr.modulus, 32)));
      expect(await failureOf(() => read(above))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(`${name} below r`),
      });
    }
  });

  it.each(Array.from({ length: sections }, (_, i) => i + 1))(
    'without section %i, or with a byte too few or too many, is refused',
    async (id) => {
      const zkey = key.zkey();
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

  it.each(points)('with a bad %s is refused', async (name, offset) => {
    const bad = { 'below p': bigintToBytes(bn254.fq.modulus, 32), 'on its curve': new Uint8Array(32).fill(1) };
    for (const [expected, bytes] of Object.entries(bad)) {
      expect(await failureOf(() => read(withHeader((header) => patched(header, offset, bytes))))).toMatchObject({
        code: 'INVALID_POINT',
        message: expect.stringMatching(new RegExp(`${name}.*${expected}|${expected}`)),
      });
    }
  });

  it('cut anywhere or with any byte changed is read or refused by a PippinError', async () => {
    const zkey = key.zkey();
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
}
