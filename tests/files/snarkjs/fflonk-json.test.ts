import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FflonkProof, FflonkVerificationKey } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { record } from '../../../sdk/base/records.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { plainCopy } from '../../../sdk/files/plain-copy.js';
import {
  FFLONK_COMMITMENTS,
  FFLONK_EVALUATIONS,
  fflonkProofToJson,
  parseFflonkProof,
  parseFflonkVerificationKey,
} from '../../../sdk/files/snarkjs/fflonk-json.js';
import { encodeAffine } from '../../../sdk/proofs/verified-points.js';
import { FFLONK_CIRCUITS, fflonkCircuit, MAKING_TIMEOUT, snarkjsFflonkProof } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjs } from '../../support/example.js';
import { mutated, mutations } from '../../support/mutations.js';
import { failureOf } from '../../support/section-bytes.js';

const p = bn254.fq.modulus;
const r = bn254.fr.modulus;

let key: FflonkVerificationKey;
let proof: FflonkProof;
const proofs: FflonkProof[] = [];
beforeAll(async () => {
  for (const name of FFLONK_CIRCUITS) proofs.push((await snarkjsFflonkProof(await fflonkCircuit(name))).proof);
  key = (await fflonkCircuit('chain')).verificationKey;
  proof = proofs[FFLONK_CIRCUITS.indexOf('chain')]!;
  await endSnarkjs();
}, MAKING_TIMEOUT);

const withCommitment = (name: string, value: unknown) => ({
  ...proof,
  polynomials: { ...proof.polynomials, [name]: value },
});
const withEvaluation = (name: string, value: unknown) => ({
  ...proof,
  evaluations: { ...proof.evaluations, [name]: value },
});

it('a proof is written as snarkjs writes it, member by member in its order', () => {
  for (const made of proofs) {
    const { commitments, evaluations } = parseFflonkProof(made, 'bn254');
    const points = record(FFLONK_COMMITMENTS, (name) => encodeAffine('bn254', 'g1', commitments[name])!);
    const written = fflonkProofToJson('bn254', { commitments: points, evaluations }, BigInt(made.evaluations.inv));
    expect(JSON.stringify(written)).toBe(JSON.stringify(made));
  }
});

describe('parseFflonkProof', () => {
  it('takes a proof without names and inv, and numbers as bigint', () => {
    const { polynomials, evaluations } = proof;
    const { inv: _, ...others } = evaluations;
    const numbers = { polynomials, evaluations: { ...others, ql: BigInt(others.ql) } };
    expect(parseFflonkProof(numbers, 'bn254')).toEqual(parseFflonkProof(proof, 'bn254'));
    expect(parseFflonkProof(withEvaluation('t2w', String(r)), 'bn254').evaluations.t2w).toBe(r);
  });

  it.each([...FFLONK_COMMITMENTS, ...FFLONK_EVALUATIONS])('refuses a proof with a bad %s by its name', async (name) => {
    const change = name in proof.polynomials ? withCommitment : withEvaluation;
    for (const bad of [undefined, null, '-1', -1n, 'x', 1.5, [], ['1'], ['1', '2', '2'], ['1', '2', '1', '1'], {}]) {
      expect(await failureOf(() => parseFflonkProof(change(name, bad), 'bn254'))).toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining(name),
      });
    }
  });

  it('refuses a proof without its two parts, and what is no object', async () => {
    for (const bad of [undefined, null, [], 'x', {}]) {
      for (const part of ['polynomials', 'evaluations']) {
        const failure = await failureOf(() => parseFflonkProof({ ...proof, [part]: bad }, 'bn254'));
        expect(failure.code).toBe('MALFORMED_FILE');
      }
    }
    for (const json of [undefined, null, 'x', 7, [proof]]) {
      expect((await failureOf(() => parseFflonkProof(json, 'bn254'))).code).toBe('MALFORMED_FILE');
    }
  });

  it('refuses coordinates that are not below p, other protocols and other curves', async () => {
    const codeOf = async (json: unknown) => (await failureOf(() => parseFflonkProof(json, 'bn254'))).code;
    expect(await codeOf(withCommitment('W1', [String(p), '1', '1']))).toBe('INVALID_POINT');
    expect(await codeOf({ ...proof, protocol: 'plonk' })).toBe('UNSUPPORTED_FORMAT');
    expect(await codeOf({ ...proof, curve: 'bls12381' })).toBe('CURVE_MISMATCH');
  });
});

describe('parseFflonkVerificationKey', () => {
  it('takes a key without names and w, and other primitive roots', () => {
    const { protocol: _, curve: __, w: ___, ...bare } = key;
    expect(parseFflonkVerificationKey(bare)).toEqual(parseFflonkVerificationKey(key));
    const w3 = BigInt(key.w3) ** 2n % r;
    expect(parseFflonkVerificationKey({ ...key, w3: String(w3) }).roots.w3).toBe(w3);
  });

  it.each(['C0', 'X_2', 'k1', 'k2', 'w3', 'w4', 'w8', 'wr', 'power', 'nPublic'])(
    'refuses a key with a bad %s by its name',
    async (name) => {
      for (const bad of [undefined, null, '-1', -1, 'x', 1.5, [], ['1'], {}]) {
        expect(await failureOf(() => parseFflonkVerificationKey({ ...key, [name]: bad }))).toMatchObject({
          code: 'MALFORMED_FILE',
          message: expect.stringContaining(name),
        });
      }
    },
  );

  it.each([
    ['w', 1],
    ['w3', 1],
    ['w4', 1],
    ['w8', 1],
    ['wr', 1],
    ['k1', 1],
    ['power', 7],
    ['nPublic', 65],
  ])('refuses a key whose %s is %i', async (name, value) => {
    expect((await failureOf(() => parseFflonkVerificationKey({ ...key, [name]: value }))).code).toBe('MALFORMED_FILE');
  });

  it('refuses scalars not below r, coordinates not below p, other protocols and curves', async () => {
    const codeOf = async (part: object) =>
      (await failureOf(() => parseFflonkVerificationKey({ ...key, ...part }))).code;
    for (const name of ['k1', 'w', 'w3', 'wr']) expect(await codeOf({ [name]: String(r) })).toBe('INVALID_SCALAR');
    expect(await codeOf({ C0: ['1', String(p), '1'] })).toBe('INVALID_POINT');
    expect(await codeOf({ protocol: 'plonk' })).toBe('UNSUPPORTED_FORMAT');
    expect(await codeOf({ curve: 'mnt4753' })).toBe('CURVE_MISMATCH');
  });
});

describe.each([
  ['verification key', () => key, parseFflonkVerificationKey],
  ['proof', () => proof, (json: unknown) => parseFflonkProof(json, 'bn254')],
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
