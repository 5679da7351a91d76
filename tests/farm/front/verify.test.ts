import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProofVerifier } from '../../../farm/src/index.js';
import type { Prover } from '../../../sdk/api/index.js';
import type * as Sdk from '../../../sdk/node.js';
import { example } from '../../support/example.js';
import { expectProblem, openFront } from '../../support/front.js';
import { built } from '../../support/in-process-engine.js';

let prover: Prover;
let verifier: ProofVerifier;
let made: { publicSignals: string[]; proof: object };

beforeAll(async () => {
  const { createProver }: typeof Sdk = await import(/* @vite-ignore */ built('node.js'));
  prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
  const key = await prover.groth16.loadKey(example.zkeyPath);
  const { publicSignals, proof } = await prover.groth16.fullProve(key, example.inputs, example.wasmPath);
  made = { publicSignals, proof };
  verifier = { prover, verificationKeys: { note: key.verificationKey } };
});
afterAll(() => prover?.dispose());

async function openVerifying() {
  const { send } = await openFront({ bob: { circuits: ['other'] } }, { verifier });
  return (payload: object, owner = 'alice') => send({ method: 'POST', url: '/v1/verify', payload }, owner);
}

describe('POST /v1/verify', () => {
  it('tells that all proofs hold', async () => {
    const verify = await openVerifying();
    const { status, body } = await verify({ circuit: 'note', proofs: [made, made, made] });
    expect({ status, body }).toEqual({ status: 200, body: { valid: true, failed: [], errors: [] } });
  });

  it('names the proofs that do not hold, and why one is no proof at all', async () => {
    const verify = await openVerifying();
    const wrong = { ...made, publicSignals: ['1', ...made.publicSignals.slice(1)] };
    const none = { ...made, proof: { protocol: 'groth16' } };
    const { status, body } = await verify({ circuit: 'note', proofs: [made, wrong, none, made] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: false, failed: [1, 2], errors: [{ index: 2, code: 'MALFORMED_FILE' }] });
    expect(Object.keys(body.errors[0]).sort()).toEqual(['code', 'index', 'message']);
  });

  it('knows no circuit that the key may not use, and none without a verification key', async () => {
    const verify = await openVerifying();
    expectProblem(await verify({ circuit: 'note', proofs: [made] }, 'bob'), 404, 'NOT_FOUND');
    expectProblem(await verify({ circuit: 'other', proofs: [made] }, 'bob'), 404, 'NOT_FOUND');
    expectProblem(await verify({ circuit: 'constructor', proofs: [made] }), 404, 'NOT_FOUND');
  });

  it('refuses bodies of another form', async () => {
    const verify = await openVerifying();
    for (const payload of [
      {},
      { circuit: 'note' },
      { circuit: 'note', proofs: [] },
      { circuit: 'note', proofs: Array.from({ length: 4097 }, () => ({ publicSignals: [], proof: {} })) },
      { circuit: 'note', proofs: [made.proof] },
      { circuit: 'note', proofs: [{ ...made, publicSignals: [1, 2, 3] }] },
      { circuit: 'note', proofs: [{ ...made, more: 1 }] },
      { circuit: 'note', proofs: [made], more: 1 },
    ]) {
      expectProblem(await verify(payload), 400, 'INVALID_ARGUMENT');
    }
  });

  it('is there only with a verifier, whose keys are checked at the start', async () => {
    const { send } = await openFront();
    expectProblem(await send({ method: 'POST', url: '/v1/verify', payload: {} }), 404, 'NOT_FOUND');
    const { note } = verifier.verificationKeys;
    const withKey = (key: object) => openFront({}, { verifier: { prover, verificationKeys: { note: key as never } } });
    await expect(withKey({})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(withKey({ ...note, vk_alpha_1: ['1', '1', '1'] })).rejects.toMatchObject({ code: 'INVALID_POINT' });
  });
});
