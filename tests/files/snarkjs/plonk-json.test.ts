import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlonkProof, PlonkVerificationKey } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { record } from '../../../sdk/base/records.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { plainCopy } from '../../../sdk/files/plain-copy.js';
import {
  PLONK_COMMITMENTS,
  PLONK_EVALUATIONS,
  parsePlonkProof,
  parsePlonkVerificationKey,
  plonkProofToJson,
} from '../../../sdk/files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import { encodeAffine } from '../../../sdk/proofs/verified-points.js';
import { MAKING_TIMEOUT, PLONK_CIRCUITS, plonkCircuit, snarkjsPlonkProof } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjsOver } from '../../support/example.js';
import { mutated, mutations } from '../../support/mutations.js';
import { failureOf } from '../../support/section-bytes.js';

const p = bn254.fq.modulus;
const r = bn254.fr.modulus;

let key: PlonkVerificationKey;
let proof: PlonkProof;
const proofs: [PlonkVerificationKey, PlonkProof][] = [];
beforeAll(async () => {
  for (const name of PLONK_CIRCUITS) {
    const circuit = await plonkCircuit(name);
    proofs.push([circuit.verificationKey, (await snarkjsPlonkProof(circuit)).proof]);
  }
  [key, proof] = proofs[0]!;
  for (const curve of ['bn254', 'bls12-381'] as const) await endSnarkjsOver(curve);
}, MAKING_TIMEOUT);

it('a proof is written as snarkjs writes it, member by member in its order', () => {
  for (const [verificationKey, made] of proofs) {
    const { curve } = parsePlonkVerificationKey(verificationKey);
    const { commitments, evaluations } = parsePlonkProof(made, curve);
    const points = record(PLONK_COMMITMENTS, (name) => encodeAffine(curve, 'g1', commitments[name])!);
    expect(JSON.stringify(plonkProofToJson(curve, { commitments: points, evaluations }))).toBe(JSON.stringify(made));
  }
});

describe('parsePlonkProof', () => {
  it('takes a proof without names, and numbers as bigint', () => {
    const { protocol: _, curve: __, ...bare } = proof;
    const numbers = { ...bare, eval_a: BigInt(bare.eval_a), A: bare.A.map(BigInt) };
    expect(parsePlonkProof(numbers, 'bn254')).toEqual(parsePlonkProof(proof, 'bn254'));
  });

  it('leaves the size of an evaluation to the verifier', () => {
    const above = { ...proof, eval_zw: String(r) };
    expect(parsePlonkProof(above, 'bn254').evaluations.eval_zw).toBe(r);
  });

  it.each([...PLONK_COMMITMENTS, ...PLONK_EVALUATIONS])('refuses a proof with a bad %s by its name', async (name) => {
    for (const bad of [undefined, null, '-1', -1n, 'x', 1.5, [], ['1'], ['1', '2', '2'], ['1', '2', '1', '1'], {}]) {
      expect(await failureOf(() => parsePlonkProof({ ...proof, [name]: bad }, 'bn254'))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(name),
      });
    }
  });

  it('refuses coordinates that are not below p, other protocols, other curves, and what is no object', async () => {
    const codeOf = async (json: unknown) => (await failureOf(() => parsePlonkProof(json, 'bn254'))).code;
    expect(await codeOf({ ...proof, Wxi: [String(p), '1', '1'] })).toBe('INVALID_POINT');
    expect(await codeOf({ ...proof, protocol: 'groth16' })).toBe('UNSUPPORTED_FORMAT');
    expect(await codeOf({ ...proof, curve: 'bls12381' })).toBe('CURVE_MISMATCH');
    for (const json of [undefined, null, 'x', 7, [proof]]) expect(await codeOf(json)).toBe('MALFORMED_FILE');
  });
});

describe('parsePlonkVerificationKey', () => {
  it('takes a key without names and w, with numbers as text', () => {
    const { protocol: _, curve: __, w: ___, ...bare } = key;
    const text = { ...bare, power: String(key.power), nPublic: String(key.nPublic) };
    expect(parsePlonkVerificationKey(text)).toEqual(parsePlonkVerificationKey(key));
    expect(parsePlonkVerificationKey({ ...key, curve: 'BN254' })).toEqual(parsePlonkVerificationKey(key));
  });

  it.each([...PLONK_POLYNOMIALS, 'X_2', 'k1', 'k2', 'power', 'nPublic'])(
    'refuses a key with a bad %s by its name',
    async (name) => {
      for (const bad of [undefined, null, '-1', -1, 'x', 1.5, [], ['1'], {}]) {
        expect(await failureOf(() => parsePlonkVerificationKey({ ...key, [name]: bad }))).toMatchObject({
          code: 'MALFORMED_FILE',
          message: expect.stringContaining(name),
        });
      }
    },
  );

  it.each([
    ['power', 0],
    ['power', 29],
    ['power', 2 ** 40],
    ['nPublic', 65],
    ['k1', 0],
    ['k1', 1],
    ['k2', 2],
    ['w', 1],
    ['w', null],
    ['power', 7],
  ])('refuses a key whose %s is %s', async (name, value) => {
    expect((await failureOf(() => parsePlonkVerificationKey({ ...key, [name]: value }))).code).toBe('MALFORMED_FILE');
  });

  it('refuses scalars not below r, coordinates not below p, other protocols and curves', async () => {
    const codeOf = async (part: object) => (await failureOf(() => parsePlonkVerificationKey({ ...key, ...part }))).code;
    for (const name of ['k1', 'k2', 'w']) expect(await codeOf({ [name]: String(r) })).toBe('INVALID_SCALAR');
    expect(await codeOf({ Qm: ['1', String(p), '1'] })).toBe('INVALID_POINT');
    expect(await codeOf({ protocol: 'fflonk' })).toBe('UNSUPPORTED_FORMAT');
    for (const curve of ['mnt4753', 5, null]) expect(await codeOf({ curve })).toBe('CURVE_MISMATCH');
  });
});

describe.each([
  ['verification key', () => key, parsePlonkVerificationKey],
  ['proof', () => proof, (json: unknown) => parsePlonkProof(json, 'bn254')],
] as const)('a mutated %s', (name, document, parse) => {
  it('is read or refused by a typed error once it was copied', () => {
    fc.assert(
      fc.property(mutations, (changes) => {
        try {
          parse(plainCopy(mutated(document(), changes), { code: 'MALFORMED_FILE', whole: name, single: 'JSON' }));
        } catch (error) {
          expect(error).toBeInstanceOf(PippinError);
          expect((error as PippinError).code).not.toBe('INTERNAL');
          expect((error as PippinError).message).toMatch(/^expected .*, got /s);
        }
      }),
      { seed: 1, numRuns: EVERY_COMBINATION ? 4000 : 300 },
    );
  });
});
