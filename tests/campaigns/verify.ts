import type { Groth16Proof, Groth16VerificationKey, Prover } from '../../sdk/api/index.js';
import type { PippinError } from '../../sdk/base/errors.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { type CircuitName, testCircuit } from '../support/circuits.js';
import { mutated } from '../support/mutations.js';
import { createProver } from '../support/prover.js';
import type { Random } from '../support/random.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { inSnarkjsForm } from './verify-form.js';
import { changeVerification, type Verification } from './verify-mutations.js';
import { isTooLarge, SnarkjsVerifier } from './verify-snarkjs.js';
import { stricterIn } from './verify-stricter.js';

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
        const asked = draw(random, valid);
        const ours = await askOurs(prover, asked.arguments);
        const theirs = isTooLarge(asked.arguments) ? 'not asked' : await peer.ask(asked.arguments);
        return [asked.how, await compared(asked, ours, theirs, peer)];
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
    made.set(name, { curve, key: { ...verificationKey }, signals: [...publicSignals], proof: { ...proof } });
  }
  return CIRCUITS.map((name) => made.get(name)!);
}

/** What `verify` is called with: the verification key, the public signals and the proof. */
type Arguments = readonly [key: unknown, signals: unknown, proof: unknown];

interface Asked {
  /** How the arguments came about, for the counts. */
  readonly how: string;
  readonly curve: CurveId;
  readonly arguments: Arguments;
}

function draw(random: Random, valid: readonly Verification[]): Asked {
  const base = valid[random.integer(valid.length)]!;
  const plain = (asked: Verification): Arguments => [asked.key, asked.signals, asked.proof];
  const kind = random.integer(20);
  if (kind === 0) return { how: 'unchanged', curve: base.curve, arguments: plain(base) };
  const other = valid[random.integer(valid.length)]!;
  const changed = changeVerification(random, base, other);
  const more = random.integer(4) === 0 ? changeVerification(random, changed, other) : changed;
  if (kind < 15) return { how: 'changed by its structure', curve: base.curve, arguments: plain(more) };
  const changes = Array.from({ length: 1 + random.integer(3) }, () => ({
    // One of the arguments, or something in it.
    path: Array.from({ length: 1 + random.integer(5) }, () => random.integer(1000)),
    kind: random.integer(1000),
    odd: random.integer(10_000),
  }));
  const start = kind < 18 ? base : changed;
  return { how: 'changed anywhere', curve: base.curve, arguments: mutated(plain(start), changes) as Arguments };
}

/** Whether a proof holds, or the code of the error. */
type Answer = boolean | string;

async function askOurs(prover: Prover, [key, signals, proof]: Arguments): Promise<Answer> {
  try {
    return await prover.groth16.verify(key as Groth16VerificationKey, signals as string[], proof as Groth16Proof);
  } catch (error) {
    if (error instanceof Error && error.name === 'PippinError' && (error as PippinError).code !== 'INTERNAL') {
      return (error as PippinError).code;
    }
    throw error;
  }
}

/** How both answers go together; throws where they do not. */
async function compared(
  { curve, arguments: args }: Asked,
  ours: Answer,
  theirs: boolean | 'error' | 'not asked',
  peer: SnarkjsVerifier,
): Promise<string> {
  if (ours === true && theirs === true) return 'both accept';
  if (ours !== true && theirs !== true)
    return theirs === 'not asked' ? 'refused, too large for snarkjs' : 'both refuse';
  if (ours === true) {
    // Where snarkjs breaks down over how something is written, it must accept the same numbers in its own form.
    const same = theirs === 'error' ? inSnarkjsForm(args) : undefined;
    if (same !== undefined && (await peer.ask(same)) === true) return 'accepted, in a form that snarkjs does not read';
    throw new Error(`expected a refusal as by snarkjs (${theirs}), got an accepted proof: ${describe(args)}`);
  }
  const names = stricterIn(curve, args)
    .filter(({ outcome }) => outcome === ours)
    .map(({ name }) => name);
  if (names.length > 0) return `stricter: ${names[0]}`;
  throw new Error(`expected true as from snarkjs, got ${ours}: ${describe(args)}`);
}

function describe(args: Arguments): string {
  try {
    return JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch {
    return 'what JSON cannot hold';
  }
}
