import type {
  BatchResult,
  BinarySource,
  Circuit,
  CircuitInputs,
  ProofJson,
  ProveOptions,
  ProveResultOf,
  Prover,
  ProvingKey,
  ProvingKeyLoadOptions,
  VerificationKeyJson,
  VerifyOptions,
} from '../../api/index.js';
import { ownMembers } from '../../base/records.js';
import { PROTOCOLS, type Protocol } from '../../proofs/parts.js';

/** What the proof systems of a prover have in common, for keys of one type. */
interface ProofSystemOf<Key extends ProvingKey> {
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: ProvingKeyLoadOptions): Promise<Key>;
  prove(key: Key, witness: BinarySource, options?: ProveOptions): Promise<ProveResultOf<Key>>;
  fullProve(
    key: Key,
    inputs: CircuitInputs,
    circuit: BinarySource | Circuit,
    options?: ProveOptions,
  ): Promise<ProveResultOf<Key>>;
  verify(
    verificationKey: VerificationKeyJson,
    publicSignals: readonly string[],
    proof: ProofJson,
    options?: VerifyOptions,
  ): Promise<boolean>;
  verifyBatch(
    verificationKey: VerificationKeyJson,
    proofs: readonly (readonly [publicSignals: readonly string[], proof: ProofJson])[],
    options?: VerifyOptions,
  ): Promise<BatchResult>;
}

/** A prover's proof system by its protocol. All have the same methods, each for its keys and proofs. */
export function systemOf<Key extends ProvingKey>(prover: Prover, protocol: Key['protocol']): ProofSystemOf<Key> {
  return prover[protocol] as unknown as ProofSystemOf<Key>;
}

/** What a proof is made of: a witness, or a circuit and its inputs. */
export type ProofInput =
  | { readonly witness: BinarySource }
  | { readonly inputs: CircuitInputs; readonly circuit: BinarySource | Circuit };

/** Makes a proof with the proof system of the key; errors as in its `prove` and `fullProve`. */
export function proveWith<Key extends ProvingKey>(
  prover: Prover,
  key: Key,
  input: ProofInput,
  options: ProveOptions,
): Promise<ProveResultOf<Key>> {
  const system = systemOf<Key>(prover, key.protocol);
  if ('witness' in input) return system.prove(key, input.witness, options);
  return system.fullProve(key, input.inputs, input.circuit, options);
}

/** The proof system that a key or a proof names in its JSON; undefined for one that Pippin does not have. */
export function protocolOf(json: unknown): Protocol | undefined {
  const { protocol } = ownMembers(json);
  return PROTOCOLS.find((known) => known === protocol);
}
