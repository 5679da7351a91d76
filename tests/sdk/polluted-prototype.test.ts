import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, Groth16Key, Groth16Proof, Groth16VerificationKey, KzgSrs, Prover } from '../../sdk/api/index.js';
import { ethereumWords, toArkworks, toGnark } from '../../sdk/encodings/index.js';
import { exportVerificationKey } from '../../sdk/hosts/node/node-files.js';
import {
  circuitFile,
  MAKING_TIMEOUT,
  snarkjsProof,
  snarkjsWitness,
  type TestCircuit,
  testCircuit,
} from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { optionNames } from '../support/option-names.js';
import { polluted } from '../support/polluted.js';

/** Any script of a page can put members on `Object.prototype`. Engine and workers are in this realm here, as with `threads: 0` in a page. */

let circuit: TestCircuit;
let made: { proof: Groth16Proof; publicSignals: string[] };
let unfinished: Groth16VerificationKey;
let witness: Uint8Array;
let wrongWitness: Uint8Array;
let prover: Prover;
let key: Groth16Key;
let bases: Bases;
let srs: KzgSrs;
let powers: string;
const points = new Uint8Array(64);
points[0] = 1;
points[32] = 2;
const scalars = new Uint8Array(32).fill(1);
beforeAll(async () => {
  circuit = await testCircuit('chain');
  made = await snarkjsProof(circuit);
  witness = await snarkjsWitness(circuit);
  wrongWitness = witness.slice();
  wrongWitness[wrongWitness.length - 32]! ^= 1;
  unfinished = { ...circuit.verificationKey, vk_delta_2: circuit.verificationKey.vk_gamma_2 };
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  key = await prover.groth16.loadKey(circuit.zkey);
  bases = await prover.loadBases({ curve: 'bn254', points });
  powers = await circuitFile('pot5.ptau');
  srs = await prover.kzg.loadSrs(powers);
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await endSnarkjs();
});

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** What calls without options do, as values that can be compared. */
async function outcome(): Promise<unknown> {
  const { groth16 } = prover;
  const { verificationKey } = circuit;
  const { proof, publicSignals } = made;
  const proved = await groth16.prove(key, witness);
  return {
    holds: await groth16.verify(verificationKey, publicSignals, proof),
    wrong: await groth16.verify(verificationKey, [String(BigInt(publicSignals[0]!) + 1n)], proof),
    unfinished: await codeOf(groth16.verify(unfinished, publicSignals, proof)),
    proved: await groth16.verify(verificationKey, proved.publicSignals, proved.proof),
    full: (await groth16.fullProve(key, circuit.inputs, circuit.wasm)).publicSignals,
    rejected: await codeOf(groth16.prove(key, wrongWitness)),
    loaded: await codeOf(groth16.loadKey(circuit.zkey).then((own) => own.dispose())),
    sum: (await prover.msm(bases, scalars)).bytes,
    sums: (await prover.msmBatch(bases, scalars, { batchSize: 1 })).points.map(({ bytes }) => bytes),
    more: await prover.loadBases({ curve: 'bn254', points }).then(({ count, curve, group }) => [count, curve, group]),
    ...(await kzgOutcome()),
    encoded: [toArkworks(proof, publicSignals), toGnark(proof, publicSignals), ethereumWords(proof)],
    exported: await exportVerificationKey(circuit.zkey),
  };
}

async function kzgOutcome(): Promise<object> {
  const { kzg } = prover;
  const { commitment } = await kzg.commit(srs, scalars);
  const opened = await kzg.openBatch(srs, [scalars], 3n, { challenge: 5n });
  const { value, proof } = await kzg.open(srs, scalars, 3n);
  return {
    committed: commitment.bytes,
    opened: [opened.values, opened.proof.bytes, value, proof.bytes],
    opening: await kzg.verify(srs, { commitment, point: 3n, value, proof }),
    wrongOpening: await kzg.verify(srs, { commitment, point: 3n, value: value + 1n, proof }),
    powers: await kzg.loadSrs(powers).then(({ curve, size }) => [curve, size]),
  };
}

const NAMES = optionNames();
/** What switches a check off or on, or is of another type. A signal that is none would be refused by the platform's own listeners. */
const VALUES = [true, false, 1, 'x'];
const of = (name: string, value: unknown): unknown => (name === 'signal' ? new AbortController().signal : value);

describe('a member of Object.prototype', () => {
  it.each(VALUES)('counts as no option of any call: all are %j', async (value) => {
    const expected = await outcome();
    expect(expected).toMatchObject({
      holds: true,
      wrong: false,
      unfinished: 'KEY_UNFINISHED',
      rejected: 'PROOF_INVALID',
    });
    const all = Object.fromEntries(NAMES.map((name) => [name, of(name, value)]));
    expect(await polluted(all, outcome)).toEqual(expected);
  });

  it('counts as no option of createProver and verify, by the name of each option', async () => {
    expect(NAMES).toEqual(
      expect.arrayContaining(['allowUnfinished', 'verify', 'sha256', 'check', 'threads', 'circuits']),
    );
    for (const name of NAMES) {
      for (const value of VALUES) {
        const found = await polluted({ [name]: of(name, value) }, async () => {
          const own = await inPlaceProver({ backend: 'wasm', threads: 1 });
          const { proof, publicSignals } = made;
          const unfinishedCode = await codeOf(own.groth16.verify(unfinished, publicSignals, proof));
          await own.dispose();
          return [unfinishedCode, own.capabilities];
        });
        expect(found, `${name} = ${String(value)}`).toEqual(['KEY_UNFINISHED', prover.capabilities]);
      }
    }
  });

  it('takes the place of no member of a verification key, a proof or public signals', async () => {
    const { verificationKey } = circuit;
    for (const [what, json] of Object.entries({ verificationKey, proof: made.proof })) {
      for (const [name, value] of Object.entries(json)) {
        const { [name]: _, ...rest } = json as unknown as Record<string, unknown>;
        const call = async (): Promise<unknown> =>
          prover.groth16
            .verify(
              (what === 'proof' ? verificationKey : rest) as Groth16VerificationKey,
              made.publicSignals,
              (what === 'proof' ? rest : made.proof) as Groth16Proof,
            )
            .catch((error: { code: string }) => error.code);
        const expected = await call();
        expect(await polluted({ [name]: value }, call), `${what}.${name}`).toEqual(expected);
        expect(await polluted({ [name]: 'other' }, call), `${what}.${name}`).toEqual(expected);
      }
    }
  });

  it('is no hash of a file, which a pinned key is compared with', async () => {
    const sha256 = '0'.repeat(64);
    const load = (): Promise<unknown> => codeOf(prover.groth16.loadKey(circuit.zkey, { sha256 }));
    expect(await load()).toBe('KEY_MISMATCH');
    expect(await polluted({ hash: sha256 }, load)).toBe('KEY_MISMATCH');
  });
});

describe('null', () => {
  it.each([
    ['a pinned hash', () => prover.groth16.loadKey(circuit.zkey, { sha256: null as never }), 'INVALID_ARGUMENT'],
    ['a pinned circuit', () => prover.groth16.loadCircuit(circuit.wasm, { sha256: null as never }), 'INVALID_ARGUMENT'],
    [
      'a pinned verification key',
      () => prover.groth16.loadKey(circuit.zkey, { verificationKey: null as never }),
      'MALFORMED_FILE',
    ],
    [
      'allowUnfinished',
      () =>
        prover.groth16.verify(circuit.verificationKey, made.publicSignals, made.proof, {
          allowUnfinished: null as never,
        }),
      'INVALID_ARGUMENT',
    ],
    ['verify', () => prover.groth16.prove(key, witness, { verify: null as never }), 'INVALID_ARGUMENT'],
    ['constantWork', () => prover.msm(bases, scalars, { constantWork: null as never }), 'INVALID_ARGUMENT'],
    [
      'checkSubgroup',
      () => prover.loadBases({ curve: 'bn254', points, checkSubgroup: null as never }),
      'INVALID_ARGUMENT',
    ],
    [
      'strictInputs',
      () => prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, { strictInputs: null as never }),
      'INVALID_ARGUMENT',
    ],
  ] as const)('is not taken for %s that is left out', async (_, call, code) => {
    expect(await codeOf(call())).toBe(code);
  });
});
