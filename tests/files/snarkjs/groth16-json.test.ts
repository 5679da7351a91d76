import { beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Proof, Groth16VerificationKey } from '../../../sdk/api/index.js';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import {
  curveOfVerificationKey,
  parseProof,
  parseVerificationKey,
  verificationKeyToJson,
} from '../../../sdk/files/snarkjs/groth16-json.js';
import { parsePublicSignals } from '../../../sdk/files/snarkjs/json-values.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';

const p = bn254.fq.modulus;
const r = bn254.fr.modulus;
const proof: Groth16Proof = {
  pi_a: ['1', '2', '1'],
  pi_b: [
    ['3', '4'],
    ['5', '6'],
    ['1', '0'],
  ],
  pi_c: ['7', '8', '1'],
  protocol: 'groth16',
  curve: 'bn128',
};
let key: Groth16VerificationKey;
beforeAll(async () => {
  key = (await testCircuit('chain')).verificationKey;
}, MAKING_TIMEOUT);

describe('points at infinity', () => {
  const a = (pi_a: readonly string[]) => parseProof({ ...proof, pi_a }, 'bn254').a;
  const b = (pi_b: readonly (readonly string[])[]) => parseProof({ ...proof, pi_b }, 'bn254').b;

  it('have z = 0, or two coordinates that are both 0', () => {
    for (const infinity of [
      ['0', '1', '0'],
      ['5', '6', '0'],
      ['0', '0'],
    ])
      expect(a(infinity)).toBeUndefined();
    for (const x of ['0', '5']) {
      for (const y of ['0', '6']) {
        const value = { x: BigInt(x), y: BigInt(y) };
        expect(a([x, y, '1'])).toEqual(value);
        if (x !== '0' || y !== '0') expect(a([x, y])).toEqual(value);
      }
    }
  });

  it('are so in G2, with each half of a coordinate', () => {
    const zero = ['0', '0'];
    expect(b([zero, zero])).toBeUndefined();
    expect(b([['1', '2'], ['3', '4'], zero])).toBeUndefined();
    for (const [x, y] of [
      [['5', '0'], zero],
      [['0', '5'], zero],
      [zero, ['5', '0']],
      [zero, ['0', '5']],
      [['5', '6'], zero],
      [zero, ['5', '6']],
    ] as const) {
      const value = { x: x.map(BigInt), y: y.map(BigInt) };
      expect(b([x, y])).toEqual(value);
      expect(b([x, y, ['1', '0']])).toEqual(value);
    }
    expect(b([zero, zero, ['1', '0']])).toEqual({ x: [0n, 0n], y: [0n, 0n] });
  });
});

describe('the points of IC', () => {
  it('are one at least, and as many as nPublic tells, if it does', async () => {
    const { nPublic: _, ...bare } = key;
    expect(parseVerificationKey(bare)).toEqual(parseVerificationKey(key));
    expect(parseVerificationKey({ ...bare, IC: key.IC.slice(0, 1) }).ic).toHaveLength(1);
    expect(parseVerificationKey({ ...bare, IC: key.IC.slice(0, 1), nPublic: 0 }).ic).toHaveLength(1);
    for (const other of [{ IC: [] }, { IC: [], nPublic: -1 }, { nPublic: key.nPublic + 1 }, { nPublic: 'x' }]) {
      expect((await failureOf(() => parseVerificationKey({ ...bare, ...other }))).code).toBe('MALFORMED_FILE');
    }
  });
});

describe('parseProof', () => {
  it.each([
    ['no object', null],
    ['text', '{}'],
    ['an array', [proof]],
    ['an array with the members of a proof', Object.assign([], proof)],
    ['without pi_a', { ...proof, pi_a: undefined }],
    ['without pi_b', { ...proof, pi_b: undefined }],
    ['without pi_c', { ...proof, pi_c: undefined }],
    ['with one coordinate', { ...proof, pi_a: ['1'] }],
    ['with a coordinate too many', { ...proof, pi_a: ['1', '2', '1', '1'] }],
    ['with one pair', { ...proof, pi_b: [['3', '4']] }],
    ['with half a pair', { ...proof, pi_b: [['3'], ['5', '6'], ['1', '0']] }],
    ['with G1 for G2', { ...proof, pi_b: proof.pi_a }],
    ['with a z of 2', { ...proof, pi_a: ['1', '2', '2'] }],
    [
      'with a z of 2 in G2',
      {
        ...proof,
        pi_b: [
          ['3', '4'],
          ['5', '6'],
          ['2', '0'],
        ],
      },
    ],
    [
      'with a z of 1 + u',
      {
        ...proof,
        pi_b: [
          ['3', '4'],
          ['5', '6'],
          ['1', '1'],
        ],
      },
    ],
    ['in hexadecimal', { ...proof, pi_a: ['0x1', '2', '1'] }],
    ['with a negative number', { ...proof, pi_a: ['-1', '2', '1'] }],
    ['with a negative bigint', { ...proof, pi_a: [-1n, '2', '1'] }],
    ['with a negative integer', { ...proof, pi_a: ['1', -2, '1'] }],
    ['with an empty number', { ...proof, pi_a: ['', '2', '1'] }],
    ['with spaces', { ...proof, pi_a: [' 1', '2', '1'] }],
    ['with a fraction', { ...proof, pi_a: [1.5, '2', '1'] }],
    ['with a number beyond exactness', { ...proof, pi_a: [2 ** 53, '2', '1'] }],
    ['with digits without end', { ...proof, pi_a: ['1'.repeat(1_000_000), '2', '1'] }],
    ['with null', { ...proof, pi_a: [null, '2', '1'] }],
  ])('refuses one %s', async (_, json) => {
    const { code, message } = await failureOf(() => parseProof(json, 'bn254'));
    expect(code).toBe('MALFORMED_FILE');
    expect(message).toMatch(/^expected .*, got /);
    expect(message.length).toBeLessThan(150);
  });

  it.each([
    ['null', null],
    ['text', '{}'],
    ['an array with the members of a proof', Object.assign([], proof)],
  ])('says so of what is no object: %s', async (_, json) => {
    for (const parse of [() => parseProof(json, 'bn254'), () => curveOfVerificationKey(json)]) {
      const { code, message, hint } = await failureOf(parse);
      expect(code).toBe('MALFORMED_FILE');
      expect(message).toMatch(/^expected a (proof|verification key) as a JSON object, got /);
      expect(hint).toContain('the parsed JSON');
    }
  });

  it('names the coordinate that is not below p', async () => {
    expect(parseProof({ ...proof, pi_a: [String(p - 1n), '2', '1'] }, 'bn254').a).toEqual({ x: p - 1n, y: 2n });
    const pi_b = proof.pi_b.with(1, ['5', String(p)]);
    const { code, message } = await failureOf(() => parseProof({ ...proof, pi_b }, 'bn254'));
    expect(code).toBe('INVALID_POINT');
    expect(message).toContain('pi_b[1][1]');
  });

  it('takes points of two coordinates for affine ones, zeros alone for infinity', () => {
    const affine = { pi_a: ['1', '2'], pi_b: proof.pi_b.slice(0, 2), pi_c: ['7', '8'] };
    expect(parseProof(affine, 'bn254')).toEqual(parseProof(proof, 'bn254'));
    const zero = ['0', '0'];
    expect(parseProof({ pi_a: zero, pi_b: [zero, zero], pi_c: ['0', '1'] }, 'bn254')).toEqual({
      a: undefined,
      b: undefined,
      c: { x: 0n, y: 1n },
    });
  });

  it('reads any point with z = 0 as infinity', () => {
    const pi_b = [
      ['0', '0'],
      ['1', '0'],
      ['0', '0'],
    ];
    expect(parseProof({ ...proof, pi_a: ['0', '1', '0'], pi_b, pi_c: ['9', '9', '0'] }, 'bn254')).toEqual({
      a: undefined,
      b: undefined,
      c: undefined,
    });
  });

  it.each(['bn128', 'bn254', 'BN254', 'altbn128', 'alt_bn128', 'ALT-BN128'])('takes the curve name %s', (curve) => {
    expect(parseProof({ ...proof, curve }, 'bn254')).toEqual(parseProof(proof, 'bn254'));
    expect(curveOfVerificationKey({ curve })).toBe('bn254');
  });

  it('refuses other protocols and curves', async () => {
    const plonk = { ...proof, protocol: 'plonk' };
    expect((await failureOf(() => parseProof(plonk, 'bn254'))).code).toBe('UNSUPPORTED_FORMAT');
    for (const curve of ['secp256k1', '', null, 128]) {
      expect((await failureOf(() => parseProof({ ...proof, curve }, 'bn254'))).code).toBe('CURVE_MISMATCH');
    }
    expect((await failureOf(() => parseProof(proof, 'bls12-377'))).code).toBe('CURVE_MISMATCH');
  });
});

describe('parseVerificationKey', () => {
  it('reads what snarkjs exports', () => {
    const parsed = parseVerificationKey(key);
    expect(parsed.ic.length).toBe(3);
    expect(parsed.alpha1).toEqual({ x: BigInt(key.vk_alpha_1[0]!), y: BigInt(key.vk_alpha_1[1]!) });
    expect(parsed.delta2!.x).toEqual(key.vk_delta_2[0]!.map(BigInt));
  });

  it.each(['vk_alpha_1', 'vk_beta_2', 'vk_gamma_2', 'vk_delta_2', 'IC'] as const)('wants %s', async (name) => {
    const { [name]: _, ...rest } = key;
    const { code, message } = await failureOf(() => parseVerificationKey(rest));
    expect(code).toBe('MALFORMED_FILE');
    expect(message).toContain(name);
  });

  it('wants one point more than public signals', async () => {
    for (const json of [
      { ...key, IC: [] },
      { ...key, IC: key.IC.slice(1) },
      { ...key, nPublic: 3 },
      { ...key, nPublic: 'x' },
    ]) {
      expect((await failureOf(() => parseVerificationKey(json))).code).toBe('MALFORMED_FILE');
    }
  });

  it('refuses other protocols and curves', async () => {
    expect((await failureOf(() => parseVerificationKey({ ...key, protocol: 'fflonk' }))).code).toBe(
      'UNSUPPORTED_FORMAT',
    );
    for (const curve of ['secp256k1', 'bls12377', '', null, 128]) {
      expect((await failureOf(() => parseVerificationKey({ ...key, curve }))).code).toBe('CURVE_MISMATCH');
    }
  });

  it('takes a key without the name of its curve for one over BN254', () => {
    const { curve: _, protocol: __, ...bare } = key;
    expect(parseVerificationKey(bare)).toEqual(parseVerificationKey(key));
    expect(parseVerificationKey(bare).curve).toBe('bn254');
  });
});

describe('parsePublicSignals', () => {
  const parse = (json: unknown): readonly bigint[] | undefined => parsePublicSignals(json, 'bn254');

  it('reads decimal and hexadecimal strings and exact numbers below r', () => {
    expect(parse([])).toEqual([]);
    expect(parse(['0', 7, 8n, String(r - 1n), '0x1F', `0x${(r - 1n).toString(16)}`])).toEqual([
      0n,
      7n,
      8n,
      r - 1n,
      31n,
      r - 1n,
    ]);
  });

  it('gives none at all when one is out of range, as no proof holds for them', () => {
    for (const value of [r, String(r), `0x${r.toString(16)}`, -1, -1n, '-1', '9'.repeat(1000)]) {
      expect(parse(['1', value])).toBeUndefined();
    }
  });

  it('names the one that is no integer', async () => {
    for (const value of [
      '',
      ' 1',
      '1e3',
      '0x',
      '-0x1',
      '0X1',
      '0b1',
      1.5,
      2 ** 53,
      true,
      null,
      ['1'],
      '9'.repeat(1001),
    ]) {
      const { code, message } = await failureOf(() => parse(['1', value]));
      expect(code).toBe('MALFORMED_FILE');
      expect(message).toContain('public signal 1');
    }
    expect((await failureOf(() => parse({}))).message).toContain('public signals as an array');
  });
});

describe('verificationKeyToJson', () => {
  let circuit: TestCircuit;
  beforeAll(async () => {
    circuit = await testCircuit('chain');
  }, MAKING_TIMEOUT);

  /** What the pairing of alpha and beta gives, taken from the key that snarkjs exports. */
  const alphaBeta = (): Uint8Array =>
    joinBytes(circuit.verificationKey.vk_alphabeta_12!.flat(2).map((value) => bigintToBytes(BigInt(value), 32)));

  it('writes what snarkjs exports, member by member in its order', async () => {
    const { curve, points } = await readZkey(memorySource(circuit.zkey));
    expect(JSON.stringify(verificationKeyToJson(curve, points, alphaBeta()))).toBe(
      JSON.stringify(circuit.verificationKey),
    );
  });

  it('writes the rest where the pairing value is not known', async () => {
    const { curve, points } = await readZkey(memorySource(circuit.zkey));
    const { vk_alphabeta_12, ...rest } = circuit.verificationKey;
    expect(vk_alphabeta_12).toBeDefined();
    expect(verificationKeyToJson(curve, points)).toStrictEqual(rest);
  });

  it('refuses a pairing value of another length, and a curve that snarkjs does not have', async () => {
    const { points } = await readZkey(memorySource(circuit.zkey));
    const short = alphaBeta().subarray(1);
    expect((await failureOf(() => verificationKeyToJson('bn254', points, short))).code).toBe('INTERNAL');
    expect((await failureOf(() => verificationKeyToJson('bls12-377', points))).code).toBe('CURVE_MISMATCH');
  });
});
