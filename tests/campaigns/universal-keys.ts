import { isDeepStrictEqual } from 'node:util';
import type { Prover } from '../../sdk/api/index.js';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import { snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import type { Random } from '../support/random.js';
import { UNIVERSAL_SYSTEMS, type UniversalProof, type UniversalSystemOfTests } from '../support/universal-systems.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';
import { integersIn, pick } from './mutated-bytes.js';
import { mutatedUniversalKey } from './mutated-universal-key.js';
import { sectionBody } from './parsed-files.js';
import { CallWatch } from './watched-call.js';

/** A proof in place makes garbage, and the memories of its kernels grow. */
const FIXED_BYTES = 128 * 2 ** 20;
/** One case of so many proves with the key as it is, after whatever came before. */
const HONEST_AMONG = 16;

interface Subject {
  readonly system: UniversalSystemOfTests;
  readonly circuit: TestCircuit<object>;
  readonly witness: Uint8Array;
}

export const universalKeys: Campaign = {
  about: 'a mutated PLONK or FFLONK key is refused by a typed error, or the proof made with it holds, also for snarkjs',
  tiers: ['wasm', 'webgpu'],
  short: { wasm: 15, webgpu: 0 },
  full: 10_000,
  open: async (tier: Tier): Promise<OpenCampaign> => {
    const prover = await inPlaceProver({ backend: tier, threads: 1 });
    const subjects: Subject[] = [];
    for (const system of UNIVERSAL_SYSTEMS) {
      const circuit = await system.circuitOf('chain');
      subjects.push({ system, circuit, witness: await snarkjsWitness(circuit) });
    }
    const watch = new CallWatch(FIXED_BYTES);
    return {
      async run(random, index) {
        const subject = pick(random, subjects);
        const { protocol } = subject.system;
        const { zkey } = subject.circuit;
        const isHonest = random.integer(HONEST_AMONG) === 0;
        const file = isHonest ? zkey : mutatedUniversalKey(protocol, zkey, random);
        const outcome = await watch.run(`${protocol}, mutation ${index}`, file.length, () =>
          loadAndProve(prover, subject, file, random),
        );
        if (isHonest && outcome !== 'taken') throw new Error(`expected a proof with the key as it is, got ${outcome}`);
        return [`${protocol}${isHonest ? ' as it is' : ''}: ${outcome}`];
      },
      figures: () => watch.figures('keys'),
      close: () => prover.dispose(),
    };
  },
};

/**
 * Loads a key and proves with it. The proof must hold for the verification key that is trusted, or else for the one that
 * the file has.
 */
async function loadAndProve(
  prover: Prover,
  { system, circuit: { verificationKey }, witness }: Subject,
  zkey: Uint8Array,
  random: Random,
): Promise<void> {
  const own = system.of(prover);
  const isPinned = random.integer(2) === 0;
  const source = random.integer(4) === 0 ? new Blob([new Uint8Array(zkey)]) : zkey.slice();
  const key = await own.loadKey(source as Uint8Array, isPinned ? { verificationKey } : {});
  try {
    const made = await own.prove(key, witness);
    await expectHolds(system, isPinned ? verificationKey : key.verificationKey, made, witness);
  } finally {
    await key.dispose();
  }
}

async function expectHolds(
  system: UniversalSystemOfTests,
  verificationKey: object,
  made: UniversalProof,
  witness: Uint8Array,
): Promise<void> {
  if (!(await system.snarkjsVerifies(verificationKey, made))) throw new Error('expected a proof that snarkjs accepts');
  const values = integersIn(sectionBody(witness, 2), SCALAR_BYTES);
  const expected = values.slice(1, 1 + made.publicSignals.length).map(String);
  if (!isDeepStrictEqual(made.publicSignals, expected)) throw new Error("expected the witness's public signals");
}
