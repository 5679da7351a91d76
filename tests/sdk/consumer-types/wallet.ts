import { createProver, type Groth16Proof, type Groth16VerificationKey, PippinError, type Prover } from 'pippin-prover';
import { createProofQueue } from 'pippin-prover/queue';
import type { KeyState, ProofState, ProverState } from 'pippin-prover/react';
import inputsFromJson from './inputs.json';
import keyFromJson from './vkey.json';

/** What a wallet declares for itself. */
interface SpendInputs {
  amount: bigint;
  nullifier: string;
  readonly path: readonly number[];
  note: { owner: string; limbs: bigint[][] };
}

/** The shapes of @types/snarkjs 0.7. */
interface SnarkjsProof {
  pi_a: string[];
  pi_b: string[][];
  pi_c: string[];
  protocol: string;
  curve: string;
}
type SnarkjsResult = { proof: SnarkjsProof; publicSignals: string[] };

export async function spend(inputs: SpendInputs, signal: AbortSignal): Promise<string[]> {
  const prover: Prover = await createProver({ threads: 0, assets: new URL('https://wallet.example/pippin/') });
  const key = await prover.groth16.loadKey('/spend.zkey', { verificationKey: keyFromJson });
  const result = await prover.groth16.fullProve(key, inputs, '/spend.wasm', { signal });
  await prover.groth16.fullProve(key, inputsFromJson, '/spend.wasm');
  await prover.groth16.fullProve(key, { any: ['1', 2, [3n, true]] }, '/spend.wasm');
  // @ts-expect-error A function is no value of a signal.
  await prover.groth16.fullProve(key, { amount: () => 1 }, '/spend.wasm');
  // @ts-expect-error Neither is undefined, which would be a missing input.
  await prover.groth16.fullProve(key, { amount: undefined }, '/spend.wasm');

  const asSnarkjs: SnarkjsResult = result;
  const proof: Groth16Proof = result.proof;
  const vkey: Groth16VerificationKey = key.verificationKey;
  const holds: boolean = await prover.groth16.verify(keyFromJson, asSnarkjs.publicSignals, asSnarkjs.proof);
  if (!holds || !(await prover.groth16.verify(vkey, result.publicSignals, proof))) {
    throw new PippinError('PROOF_INVALID', 'expected a proof that holds, got none');
  }
  await prover[Symbol.asyncDispose]();
  return result.publicSignals;
}

/** A queue, and the state of a component. */
export async function queued(prover: Prover): Promise<readonly string[]> {
  const queue = createProofQueue(prover, { onChange: ({ id, progress }) => console.log(id, progress) });
  const { publicSignals } = await queue.add({ zkey: 'a.zkey', circuit: 'a.wasm', inputs: inputsFromJson });
  return publicSignals;
}
export function sentence({ status, error }: ProverState, { key }: KeyState, proof: ProofState): string {
  if (status === 'failed') return `${error.code}: ${error.message}`;
  if (proof.status === 'proved') return proof.result.publicSignals.join();
  // A handler ignores what it gives.
  if (key !== undefined) void proof.fullProve({ amount: 1n }, 'a.wasm', { verify: true });
  return proof.error?.hint ?? `${Math.round(100 * proof.progress)} %`;
}
