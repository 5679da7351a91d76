import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { Multiples } from '../../bench/cpu/setup/multiples.js';
import { fflonkPtauFile, plonkPtauFile } from '../../bench/cpu/setup/ptau-file.js';
import { root } from '../../scripts/lib/run.mjs';
import { compileCircuit } from '../../scripts/lib/trusted-setup.mjs';
import type { Prover } from '../../sdk/api/index.js';
import type { CreateUniversalKey, UniversalProtocol } from '../../sdk/ceremony/universal/api.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';
import type { Random } from '../support/random.js';
import type { Campaign, OpenCampaign } from './campaign.js';

/** bench/cpu/circuits/sha256.circom has 221 250 gates of PLONK or FFLONK. */
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

const PEERS = { plonk: snarkjs.plonk, fflonk: snarkjs.fflonk } as const;

/** snarkjs makes the PLONK key, Pippin the FFLONK key, which takes snarkjs too long. */
const POWERS = { plonk: plonkPtauFile, fflonk: fflonkPtauFile } as const;

async function makeKey(protocol: UniversalProtocol, r1cs: string, ptau: string, zkey: string): Promise<void> {
  if (protocol === 'plonk') {
    if ((await snarkjs.plonk.setup(r1cs, ptau, zkey)) === -1) throw new Error('snarkjs could not make the key');
    return;
  }
  const ceremony = (await import(built('ceremony-node.js'))) as { readonly newUniversalKey: CreateUniversalKey };
  await ceremony.newUniversalKey(r1cs, ptau, { protocol, to: zkey });
}

/** A campaign of SHA-256 of 512 bits; the first case also proves with snarkjs if `peerProves`. */
function sha256Of(protocol: UniversalProtocol, about: string, peerProves: boolean): Campaign {
  return {
    about,
    tiers: ['wasm', 'webgpu'],
    // The key takes minutes.
    short: 0,
    full: 3,
    hangsAfterMs: HALF_AN_HOUR,
    async open(tier): Promise<OpenCampaign> {
      mkdirSync(join(root, 'build'), { recursive: true });
      const folder = mkdtempSync(join(root, 'build', `sha256-${protocol}-`));
      const { r1cs, wasm } = await compileCircuit(join(root, 'bench/cpu/circuits/sha256.circom'), folder);
      const [ptau, zkey] = ['ptau', 'zkey'].map((kind) => join(folder, `sha256.${kind}`)) as [string, string];
      writeFileSync(ptau, POWERS[protocol](POWER, await Multiples.create(readFileSync(new URL(built('bn254.wasm'))))));
      await makeKey(protocol, r1cs, ptau, zkey);
      const verificationKey = (await snarkjs.zKey.exportVerificationKey(zkey)) as object;
      const prover: Prover = await createProver({ backend: tier, cache: false });
      const system = prover[protocol];
      const key = await system.loadKey(zkey, { verificationKey: verificationKey as never });
      const bitsOf = (random: Random): number[] => Array.from({ length: INPUT_BITS }, () => random.integer(2));
      const expectValid = async (proof: object, signals: string[], bits: number[]): Promise<void> => {
        const digest = await digestOf(bits);
        if (signals.join() !== digest.join()) throw new Error(`expected the digest ${digest}, got ${signals}`);
        const holds = await PEERS[protocol].verify(verificationKey as never, signals, proof as never);
        if (!holds) throw new Error('snarkjs rejects the proof');
        if (!(await system.verify(verificationKey as never, signals, proof as never))) {
          throw new Error('Pippin rejects the proof');
        }
      };
      return {
        async run(random, index) {
          const bits = bitsOf(random);
          const { proof, publicSignals, report } = await system.fullProve(key as never, { bits }, wasm);
          await expectValid(proof, publicSignals, bits);
          if (index > 0 || !peerProves) return [`proved on ${report.backend}`];
          const witness = { type: 'mem' as const };
          await snarkjs.wtns.calculate({ bits }, wasm, witness);
          const peers = await PEERS[protocol].prove(zkey, witness);
          await expectValid(peers.proof as object, peers.publicSignals, bits);
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
}

export const sha256Plonk = sha256Of(
  'plonk',
  "PLONK proofs of SHA-256 from a key that snarkjs made give the digest and hold for snarkjs, and snarkjs' proof holds here",
  true,
);

export const sha256Fflonk = sha256Of(
  'fflonk',
  'FFLONK proofs of SHA-256 from a key of newUniversalKey give the digest and hold for snarkjs',
  false,
);
