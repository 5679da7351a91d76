import type { Prover } from '../../sdk/api/index.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { type CircuitName, testCircuit } from '../support/circuits.js';
import { createProver } from '../support/prover.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { drawVerification, verifyBeside } from './verify-beside.js';
import { changeVerification } from './verify-mutations.js';
import type { Verification } from './verify-places.js';
import { SnarkjsVerifier } from './verify-snarkjs.js';

/** Circuits, with how many of them a key over each curve is drawn for. Those over BN254 are verified faster. */
const CIRCUITS = [
  'smallest',
  'chain',
  'matrix',
  'flags',
  'chain',
  'flags',
  'bls12381/chain',
] as const satisfies readonly (CircuitName | `${string}/chain`)[];

/** `verify` beside snarkjs. */
export const verify: Campaign = {
  about: 'verify accepts what snarkjs 0.7.6 accepts, but for the cases of docs/security.md, and nothing else.',
  tiers: ['wasm'],
  short: 100,
  full: 100_000,

  async open(): Promise<OpenCampaign> {
    const prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
    const valid = await proofsOf(prover);
    const peer = await SnarkjsVerifier.open();
    return {
      async run(random) {
        const asked = drawVerification(random, valid, changeVerification);
        return [asked.how, await verifyBeside(prover, peer, asked)];
      },
      async close() {
        peer.close();
        await prover.dispose();
      },
    };
  },
};

/** A proof that holds for each circuit. */
async function proofsOf(prover: Prover): Promise<Verification[]> {
  const made = new Map<string, Verification>();
  for (const name of new Set(CIRCUITS)) {
    const { zkey, wasm, inputs, verificationKey } = await testCircuit(name);
    const key = await prover.groth16.loadKey(zkey);
    const { proof, publicSignals } = await prover.groth16.fullProve(key, inputs, wasm);
    await key.dispose();
    const curve: CurveId = name === 'bls12381/chain' ? 'bls12-381' : 'bn254';
    made.set(name, {
      system: 'groth16',
      curve,
      key: { ...verificationKey },
      signals: [...publicSignals],
      proof: { ...proof },
    });
  }
  return CIRCUITS.map((name) => made.get(name)!);
}
