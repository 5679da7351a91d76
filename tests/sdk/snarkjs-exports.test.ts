import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import { solidityVerifier } from '../../sdk/encodings/groth16/solidity-verifier.js';
import type * as Alias from '../../sdk/snarkjs-node.js';
import { CIRCUIT_NAMES, circuitFile, MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { root } from '../support/root.js';
import { sectionFile, sectionsOf, u32, withSection } from '../support/section-bytes.js';
import { unfinished } from '../support/unfinished-key.js';

let alias: typeof Alias;
beforeAll(async () => {
  await testCircuit('chain');
  alias = await import(/* @vite-ignore */ built('snarkjs-node.js'));
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

/** A copy of the bytes, with 0xff over those from `at`. */
function withOnes(bytes: Uint8Array, at: number, count: number): Uint8Array {
  return bytes.slice().fill(0xff, at, at + count);
}

describe('wtns.exportJson', () => {
  it('reads a field without a curve', async () => {
    const prime = 2n ** 64n - 2n ** 32n + 1n;
    const word = (value: bigint): number[] => [...new Uint8Array(BigUint64Array.of(value).buffer)];
    const header = [...u32(8), ...word(prime), ...u32(3)];
    const values = [1n, 0n, prime - 1n];
    const file = (last: bigint): Uint8Array =>
      sectionFile('wtns', 2, [
        [1, Uint8Array.from(header)],
        [2, Uint8Array.from([...values.slice(0, 2), last].flatMap(word))],
      ]);
    expect(await alias.wtns.exportJson(file(prime - 1n))).toEqual(values);
    const error = await alias.wtns.exportJson(file(prime)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'INVALID_SCALAR', message: expect.stringContaining('witness value 2') });
    expect((error as Error).message).not.toContain(String(prime));
  });

  it('refuses a file that ends early, and what is none', async () => {
    const witness = await snarkjsWitness(await testCircuit('smallest'));
    const short = withSection(witness, 2, (values) => values.subarray(32));
    const malformed = { code: 'MALFORMED_FILE' };
    await expect(alias.wtns.exportJson(short)).rejects.toMatchObject(malformed);
    await expect(alias.wtns.exportJson(new Uint8Array(9))).rejects.toMatchObject(malformed);
    await expect(alias.wtns.exportJson({ type: 'mem' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('r1cs.exportJson', () => {
  it('refuses labels that are missing, and one that the header does not count', async () => {
    const { readFile } = await import('node:fs/promises');
    const file = new Uint8Array(await readFile(await circuitFile('smallest.r1cs')));
    const malformed = { code: 'MALFORMED_FILE', message: expect.stringContaining('labels') };
    const short = withSection(file, 3, (labels) => labels.subarray(8));
    await expect(alias.r1cs.exportJson(short)).rejects.toMatchObject(malformed);
    const high = withSection(file, 3, (labels) => withOnes(labels, 8, 4));
    await expect(alias.r1cs.exportJson(high)).rejects.toMatchObject(malformed);
  });
});

describe('zKey.exportJson', () => {
  it('refuses a packed key, and says how to unpack it', async () => {
    await expect(alias.zKey.exportJson(`${root}/examples/groth16-commitment/key/note.pzkey`)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      hint: expect.stringContaining('pippin unpack'),
    });
  });

  it.each(CIRCUIT_NAMES)('gives the same object as snarkjs for %s', async (name) => {
    const { zkey } = await testCircuit(name);
    expect(await alias.zKey.exportJson(zkey)).toStrictEqual(await snarkjs.zKey.exportJson(zkey));
  });

  it('refuses a coordinate above p, and coefficients of what the key does not have', async () => {
    const { zkey } = await testCircuit('smallest');
    const point = withSection(zkey, 5, (bytes) => withOnes(bytes, 64, 32));
    await expect(alias.zKey.exportJson(point)).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('A[1]'),
    });
    // The second row's matrix, signal and value.
    for (const [at, count] of [
      [0, 4],
      [8, 4],
      [12, 32],
    ] as const) {
      const row = withSection(zkey, 4, (bytes) => withOnes(bytes, 4 + 44 + at, count));
      await expect(alias.zKey.exportJson(row)).rejects.toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining('coefficient 1'),
      });
    }
  });
});

describe('zKey.exportSolidityVerifier', () => {
  /** The constants of a contract by their names. */
  const constantsOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/uint256 private constant (\w+) = (\d+);/g)].map(([, name, value]) => [name, value]),
    );

  it.each(CIRCUIT_NAMES)("has the moduli and the points of the key of %s, in EIP-197's order", async (name) => {
    const { zkey, verificationKey: key } = await testCircuit(name);
    const text = await alias.zKey.exportSolidityVerifier(zkey, { groth16: 'a template that is not read' });
    const g1 = (called: string, [x, y]: readonly string[]) => ({ [`${called}_X`]: x, [`${called}_Y`]: y });
    const g2 = (called: string, [x, y]: readonly (readonly string[])[]) => ({
      ...{ [`${called}_X_C1`]: x![1], [`${called}_X_C0`]: x![0] },
      ...{ [`${called}_Y_C1`]: y![1], [`${called}_Y_C0`]: y![0] },
    });
    expect(constantsOf(text)).toEqual({
      R: String(bn254.fr.modulus),
      P: String(bn254.fq.modulus),
      ...g1('ALPHA', key.vk_alpha_1),
      ...g2('BETA', key.vk_beta_2),
      ...g2('GAMMA', key.vk_gamma_2),
      ...g2('DELTA', key.vk_delta_2),
      ...Object.assign({}, ...key.IC.map((point, i) => g1(`IC${i}`, point))),
    });
  });

  it('has one term for each public signal, and no array of length 0', async () => {
    for (const name of CIRCUIT_NAMES) {
      const { zkey, verificationKey } = await testCircuit(name);
      const text = await alias.zKey.exportSolidityVerifier(zkey);
      expect(text).toMatch(/^\/\/ SPDX-License-Identifier: MIT OR Apache-2\.0\npragma solidity >=0\.7\.0 <0\.9\.0;\n/);
      expect(text).toContain('contract Groth16Verifier {');
      const terms = [...text.matchAll(/addTerm\(sum, IC(\d+)_X, IC(\d+)_Y, _pubSignals\[(\d+)\]\)/g)];
      const count = verificationKey.nPublic;
      expect(terms.map((term) => term.slice(1).map(Number))).toEqual(
        Array.from({ length: count }, (_, i) => [i + 1, i + 1, i]),
      );
      const signals = count === 0 ? '' : `,uint[${count}]calldata_pubSignals`;
      expect(text.replaceAll(/\s/g, '')).toContain(
        `functionverifyProof(uint[2]calldata_pA,uint[2][2]calldata_pB,uint[2]calldata_pC${signals})publicviewreturns(bool){`,
      );
      expect(text.includes('scalar >= R')).toBe(count > 0);
    }
  });

  it('writes infinity as the precompiles do', async () => {
    const { verificationKey } = await testCircuit('chain');
    const key = { ...verificationKey, IC: [['0', '1', '0'], ...verificationKey.IC.slice(1)] };
    expect(constantsOf(solidityVerifier('bn254', key))).toMatchObject({ IC0_X: '0', IC0_Y: '0' });
  });

  it('is there over BN254 alone, and for Groth16', async () => {
    const { zkey } = await testCircuit('bls12381/chain');
    await expect(alias.zKey.exportSolidityVerifier(zkey)).rejects.toMatchObject({
      code: 'CURVE_MISMATCH',
      message: 'expected BN254 for a Solidity verifier, got BLS12-381',
    });
    const plonk = sectionFile(
      'zkey',
      1,
      sectionsOf(zkey).map(([id, body]) => [id, id === 1 ? u32(2) : body]),
    );
    await expect(alias.zKey.exportSolidityVerifier(plonk)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: expect.stringContaining('got plonk'),
    });
  });

  it('tells a logger what snarkjs tells, and warns of a key for which anyone can forge proofs, or refuses it', async () => {
    const circuit = await testCircuit('chain');
    const lines = { pippin: [] as string[], snarkjs: [] as string[] };
    await alias.zKey.exportSolidityVerifier(circuit.zkey, {}, { info: (line: string) => lines.pippin.push(line) });
    const templates = { groth16: '' };
    await snarkjs.zKey.exportSolidityVerifier(circuit.zkey, templates, {
      info: (line: string) => lines.snarkjs.push(line),
    });
    expect(lines.pippin).toEqual(lines.snarkjs);
    const { zkey } = unfinished('bn254', circuit);
    const warn = vi.fn();
    await alias.zKey.exportSolidityVerifier(zkey, templates, { warn });
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^pippin-prover: anyone can forge proofs for this key/)]]);
    alias.configure({ allowUnfinished: false });
    await expect(alias.zKey.exportSolidityVerifier(zkey)).rejects.toMatchObject({ code: 'KEY_UNFINISHED' });
    alias.configure({ allowUnfinished: true });
  });
});
