import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { Multiples } from '../../bench/cpu/setup/multiples.js';
import { plonkPtauFile } from '../../bench/cpu/setup/ptau-file.js';
import { root } from '../../scripts/lib/run.mjs';
import { compileCircuit } from '../../scripts/lib/trusted-setup.mjs';
import type { PlonkProof, PlonkVerificationKey, Prover } from '../../sdk/api/index.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';
import type { Random } from '../support/random.js';
import type { Campaign, OpenCampaign } from './campaign.js';

/** bench/cpu/circuits/sha256.circom has 221 250 gates of PLONK. */
const POWER = 18;
const INPUT_BITS = 512;
const HALF_AN_HOUR = 30 * 60_000;

/** The digest's halves as the circuit gives them. */
async function digestOf(bits: readonly number[]): Promise<string[]> {
  const bytes = Uint8Array.from({ length: INPUT_BITS / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => 2 * byte + bit, 0),
  );
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  return [digest.slice(0, 32), digest.slice(32)].map((half) => String(BigInt(`0x${half}`)));
}

export const sha256Plonk: Campaign = {
  about:
    "PLONK proofs of SHA-256 from a key that snarkjs made give the digest and hold for snarkjs, and snarkjs' proof holds here",
  tiers: ['wasm', 'webgpu'],
  // The key takes snarkjs minutes.
  short: 0,
  full: 3,
  hangsAfterMs: HALF_AN_HOUR,
  async open(tier): Promise<OpenCampaign> {
    mkdirSync(join(root, 'build'), { recursive: true });
    const folder = mkdtempSync(join(root, 'build', 'sha256-plonk-'));
    const { r1cs, wasm } = await compileCircuit(join(root, 'bench/cpu/circuits/sha256.circom'), folder);
    const [ptau, zkey] = ['ptau', 'zkey'].map((kind) => join(folder, `sha256.${kind}`)) as [string, string];
    writeFileSync(ptau, plonkPtauFile(POWER, await Multiples.create(readFileSync(new URL(built('bn254.wasm'))))));
    if ((await snarkjs.plonk.setup(r1cs, ptau, zkey)) === -1) throw new Error('snarkjs could not make the key');
    const verificationKey = (await snarkjs.zKey.exportVerificationKey(zkey)) as unknown as PlonkVerificationKey;
    const prover: Prover = await createProver({ backend: tier, cache: false });
    const key = await prover.plonk.loadKey(zkey, { verificationKey });
    const bitsOf = (random: Random): number[] => Array.from({ length: INPUT_BITS }, () => random.integer(2));
    const expectValid = async (proof: PlonkProof, signals: string[], bits: number[]): Promise<void> => {
      const digest = await digestOf(bits);
      if (signals.join() !== digest.join()) throw new Error(`expected the digest ${digest}, got ${signals}`);
      if (!(await snarkjs.plonk.verify(verificationKey, signals, proof))) throw new Error('snarkjs rejects the proof');
      if (!(await prover.plonk.verify(verificationKey, signals, proof))) throw new Error('Pippin rejects the proof');
    };
    return {
      async run(random, index) {
        const bits = bitsOf(random);
        const { proof, publicSignals, report } = await prover.plonk.fullProve(key, { bits }, wasm);
        await expectValid(proof, publicSignals, bits);
        if (index > 0) return [`proved on ${report.backend}`];
        const witness = { type: 'mem' as const };
        await snarkjs.wtns.calculate({ bits }, wasm, witness);
        const peers = await snarkjs.plonk.prove(zkey, witness);
        await expectValid(peers.proof as PlonkProof, peers.publicSignals, bits);
        return [`proved on ${report.backend}`, 'proved by snarkjs'];
      },
      async close() {
        await prover.dispose();
        await (await snarkjs.curves.getCurveFromName('bn128')).terminate();
        rmSync(folder, { recursive: true });
      },
    };
  },
};
