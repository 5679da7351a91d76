import type { Prover } from '../../sdk/api/index.js';
import { fflonkCircuit, plonkCircuit, type TestCircuit } from '../support/circuits.js';
import { createProver } from '../support/prover.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { drawVerification, verifyBeside } from './verify-beside.js';
import type { Verification } from './verify-places.js';
import { SnarkjsVerifier } from './verify-snarkjs.js';
import { changeUniversal } from './verify-universal-mutations.js';

/** `verify` of PLONK and FFLONK beside snarkjs. */
export const verifyUniversal: Campaign = {
  about:
    'verify of PLONK and FFLONK accepts what snarkjs 0.7.6 accepts, but for the cases of docs/security.md, and nothing else.',
  tiers: ['wasm'],
  short: 25,
  full: 100_000,

  async open(): Promise<OpenCampaign> {
    const prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
    const [plonk, fflonk] = UNIVERSAL_SYSTEMS;
    const circuits: readonly (readonly [typeof plonk, Verification['curve'], TestCircuit<object>])[] = [
      [plonk, 'bn254', await plonkCircuit('smallest')],
      [plonk, 'bn254', await plonkCircuit('chain')],
      [plonk, 'bn254', await plonkCircuit('matrix')],
      [plonk, 'bls12-381', await plonkCircuit('bls12381/chain')],
      [fflonk, 'bn254', await fflonkCircuit('smallest')],
      [fflonk, 'bn254', await fflonkCircuit('chain')],
      [fflonk, 'bn254', await fflonkCircuit('chain')],
    ];
    const valid: Verification[] = [];
    for (const [system, curve, circuit] of circuits) valid.push(await proofOf(prover, system!, curve, circuit));
    const peer = await SnarkjsVerifier.open();
    return {
      async run(random) {
        const asked = drawVerification(random, valid, changeUniversal);
        return [`${asked.system}, ${asked.how}`, `${asked.system}: ${await verifyBeside(prover, peer, asked)}`];
      },
      async close() {
        peer.close();
        await prover.dispose();
      },
    };
  },
};

/** A proof that holds. */
async function proofOf(
  prover: Prover,
  { of, protocol }: (typeof UNIVERSAL_SYSTEMS)[number],
  curve: Verification['curve'],
  { zkey, wasm, inputs, verificationKey }: TestCircuit<object>,
): Promise<Verification> {
  const system = of(prover);
  const key = await system.loadKey(zkey);
  const { proof, publicSignals } = await system.fullProve(key, inputs, wasm);
  await key.dispose();
  return { system: protocol, curve, key: { ...verificationKey }, signals: publicSignals, proof: { ...proof } };
}
