import type {
  AnyProveResult,
  BinarySource,
  Circuit,
  CircuitInputs,
  ProveOptions,
  Prover,
  ProvingKey,
} from 'pippin-prover';

/** What a proof is made of: a witness, or a circuit and its inputs. */
export type ProofInput =
  | { readonly witness: BinarySource }
  | { readonly inputs: CircuitInputs; readonly circuit: Circuit };

/** What the proof systems of a prover have in common, without the types that follow from the protocol. */
interface AnyProofSystem {
  prove(key: ProvingKey, witness: BinarySource, options: ProveOptions): Promise<AnyProveResult>;
  fullProve(key: ProvingKey, inputs: CircuitInputs, circuit: Circuit, options: ProveOptions): Promise<AnyProveResult>;
}

/** Makes a proof with the proof system of the key; errors as in its `prove` and `fullProve`. */
export function proveWith(
  prover: Prover,
  key: ProvingKey,
  input: ProofInput,
  options: ProveOptions,
): Promise<AnyProveResult> {
  // All proof systems have the same methods, each for its keys.
  const system = prover[key.protocol] as unknown as AnyProofSystem;
  if ('witness' in input) return system.prove(key, input.witness, options);
  return system.fullProve(key, input.inputs, input.circuit, options);
}
