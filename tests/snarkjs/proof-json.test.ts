import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Proof, Groth16VerificationKey } from '../../sdk/api.js';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/field/point-bytes.js';
import {
  g2PointToJson,
  parseProof,
  parsePublicSignals,
  parseVerificationKey,
  pointToJson,
  proofToJson,
} from '../../sdk/snarkjs/proof-json.js';
import { MAKING_TIMEOUT, testCircuit } from '../support/circuits.js';
import { failureOf } from '../support/section-bytes.js';

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

describe('points as JSON', () => {
  it('goes forth and back', () => {
    const coordinate = fc.bigInt(1n, p - 1n);
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 8, maxLength: 8 }), (v) => {
        const [a, b, c] = [
          encodePoint('bn254', 'g1', [v[0]!, v[1]!]),
          encodePoint('bn254', 'g2', [
            [v[2]!, v[3]!],
            [v[4]!, v[5]!],
          ]),
          encodePoint('bn254', 'g1', [v[6]!, v[7]!]),
        ];
        const json = JSON.parse(JSON.stringify(proofToJson('bn254', a, b, c)));
        expect(parseProof(json)).toEqual({
          a: { x: v[0], y: v[1] },
          b: { x: [v[2], v[3]], y: [v[4], v[5]] },
          c: { x: v[6], y: v[7] },
        });
      }),
    );
  });

  it('writes infinity as snarkjs does, and reads any point with z = 0 as infinity', () => {
    const [g1, g2] = [pointToJson('bn254', new Uint8Array(64)), g2PointToJson('bn254', new Uint8Array(128))];
    expect(g1).toEqual(['0', '1', '0']);
    expect(g2).toEqual([
      ['0', '0'],
      ['1', '0'],
      ['0', '0'],
    ]);
    expect(parseProof({ ...proof, pi_a: g1, pi_b: g2, pi_c: ['9', '9', '0'] })).toEqual({
      a: undefined,
      b: undefined,
      c: undefined,
    });
  });
});

describe('parseProof', () => {
  it.each([
    ['no object', null],
    ['text', '{}'],
    ['an array', [proof]],
    ['without pi_a', { ...proof, pi_a: undefined }],
    ['without pi_b', { ...proof, pi_b: undefined }],
    ['without pi_c', { ...proof, pi_c: undefined }],
    ['with a coordinate missing', { ...proof, pi_a: ['1', '2'] }],
    ['with a coordinate too many', { ...proof, pi_a: ['1', '2', '1', '1'] }],
    [
      'with a pair missing',
      {
        ...proof,
        pi_b: [
          ['3', '4'],
          ['5', '6'],
        ],
      },
    ],
    ['with half a pair', { ...proof, pi_b: [['3'], ['5', '6'], ['1', '0']] }],
    ['with G1 for G2', { ...proof, pi_b: proof.pi_a }],
    ['with a z of 2', { ...proof, pi_a: ['1', '2', '2'] }],
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
    ['with an empty number', { ...proof, pi_a: ['', '2', '1'] }],
    ['with spaces', { ...proof, pi_a: [' 1', '2', '1'] }],
    ['with a fraction', { ...proof, pi_a: [1.5, '2', '1'] }],
    ['with a number beyond exactness', { ...proof, pi_a: [2 ** 53, '2', '1'] }],
    ['with digits without end', { ...proof, pi_a: ['1'.repeat(1_000_000), '2', '1'] }],
    ['with null', { ...proof, pi_a: [null, '2', '1'] }],
  ])('refuses one %s', async (_, json) => {
    const { code, message } = await failureOf(() => parseProof(json));
    expect(code).toBe('MALFORMED_FILE');
    expect(message).toMatch(/^expected .*, got /);
    expect(message.length).toBeLessThan(150);
  });

  it('names the coordinate that is not below p', async () => {
    expect(parseProof({ ...proof, pi_a: [String(p - 1n), '2', '1'] }).a).toEqual({ x: p - 1n, y: 2n });
    const { code, message } = await failureOf(() =>
      parseProof({
        ...proof,
        pi_b: [
          ['3', '4'],
          ['5', String(p)],
          ['1', '0'],
        ],
      }),
    );
    expect(code).toBe('INVALID_POINT');
    expect(message).toContain('pi_b[1][1]');
  });

  it('refuses other protocols and curves', async () => {
    expect((await failureOf(() => parseProof({ ...proof, protocol: 'plonk' }))).code).toBe('UNSUPPORTED_FORMAT');
    expect((await failureOf(() => parseProof({ ...proof, curve: 'bls12381' }))).code).toBe('CURVE_MISMATCH');
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
    expect((await failureOf(() => parseVerificationKey({ ...key, curve: 'bls12381' }))).code).toBe('CURVE_MISMATCH');
  });
});

describe('parsePublicSignals', () => {
  it('reads decimal strings and exact numbers below r', () => {
    expect(parsePublicSignals([])).toEqual([]);
    expect(parsePublicSignals(['0', 7, 8n, String(r - 1n)])).toEqual([0n, 7n, 8n, r - 1n]);
  });

  it('names the one that is none', async () => {
    for (const [json, code, expected] of [
      [{}, 'MALFORMED_FILE', 'public signals as an array'],
      [['1', '-1'], 'MALFORMED_FILE', 'public signal 1'],
      [[true], 'MALFORMED_FILE', 'public signal 0'],
      [['1', '2', String(r)], 'INVALID_SCALAR', 'public signal 2'],
    ] as const) {
      const failure = await failureOf(() => parsePublicSignals(json));
      expect(failure.code).toBe(code);
      expect(failure.message).toContain(expected);
    }
  });
});
