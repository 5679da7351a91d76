import type {
  CallOptions,
  CircuitInputs,
  FflonkKey,
  FflonkKeyLoadOptions,
  PlonkKey,
  PlonkKeyLoadOptions,
  ProveResultOf,
} from '../../api/index.js';
import type { ExtensionFile, ExtensionProveOptions, KeyFile } from './request-api.js';

/** PLONK in an extension, as `Plonk` of a prover has it. */
export type ExtensionPlonk = ExtensionUniversal<ExtensionPlonkKey, PlonkKeyLoadOptions>;
/** FFLONK in an extension, as `Fflonk` of a prover has it. */
export type ExtensionFflonk = ExtensionUniversal<ExtensionFflonkKey, FflonkKeyLoadOptions>;

/** A PLONK proving key that the document has loaded, as `ExtensionKey` is one of Groth16. */
export type ExtensionPlonkKey = PlonkKey & ExtensionUniversalKey;
/** An FFLONK proving key that the document has loaded, as `ExtensionKey` is one of Groth16. */
export type ExtensionFflonkKey = FflonkKey & ExtensionUniversalKey;

/** What a PLONK or FFLONK key of the document has beside the facts of `PlonkKey` or `FflonkKey`. */
export interface ExtensionUniversalKey {
  /**
   * Says that this caller no longer needs the key, as `ExtensionKey.dispose`. Idempotent.
   *
   * @returns when the document has been told.
   * @throws {PippinError} PROVER_LOST when the document closed or died before it answered.
   * @throws {PippinError} EXTENSION_RELOADED when the extension was updated, reloaded or disabled.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const vote = await extension.plonk.loadKey('keys/vote.zkey');
   * const result = await extension.plonk.fullProve(vote, inputs, 'keys/vote.wasm');
   * await vote.dispose();
   * ```
   */
  dispose(): Promise<void>;
}

/**
 * A proof system whose keys need no ceremony for each circuit, PLONK or FFLONK, as `Plonk` and `Fflonk` of a prover
 * have it, with the same errors. Files are given and every method can reject as `ExtensionGroth16` says.
 *
 * @typeParam Key the type of its loaded keys.
 * @typeParam LoadOptions the options of loading one.
 */
export interface ExtensionUniversal<
  Key extends ExtensionPlonkKey | ExtensionFflonkKey,
  LoadOptions extends PlonkKeyLoadOptions | FflonkKeyLoadOptions,
> {
  /**
   * Loads a `.zkey` in the document, from its cache if it is there. It rejects with the errors of `Plonk.loadKey`.
   *
   * @param zkey a path in the extension or a URL; a key in chunks is the list of its files.
   * @param options as in `Plonk.loadKey`; `transfer` has no effect.
   * @returns the key, which the document shares among its callers.
   * @throws {PippinError} IO_FAILED when the key cannot be read, and the other errors of `Plonk.loadKey`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const vote = await extension.plonk.loadKey('keys/vote.zkey');
   * console.log(vote.publicSignals);
   * ```
   */
  loadKey(zkey: KeyFile['zkey'], options?: LoadOptions): Promise<Key>;
  /**
   * Makes a proof from a `.wtns` file. It rejects with the errors of `Plonk.prove`.
   *
   * @param key a loaded key, or the file that the document loads for the proof.
   * @param witness as in `ExtensionGroth16.prove`.
   * @param options as in `Plonk.prove`, and an `id` with which the proof outlives its caller.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} INVALID_LENGTH for a witness of more than 47 MiB as bytes, or one for another circuit.
   * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit, and the other errors of
   * `Plonk.prove`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const { proof, publicSignals } = await extension.plonk.prove({ zkey: 'keys/vote.zkey' }, witness);
   * ```
   */
  prove(
    key: Key | KeyFile,
    witness: Uint8Array | ArrayBuffer | ExtensionFile,
    options?: ExtensionProveOptions,
  ): Promise<ProveResultOf<Key>>;
  /**
   * Computes the witness from inputs, then makes a proof. It rejects with the errors of `Plonk.fullProve`.
   *
   * @param key a loaded key, or the file that the document loads for the proof.
   * @param inputs the circuit's input signals by name.
   * @param wasm the circuit's WASM: a path in the extension, or a URL.
   * @param options as in `Plonk.fullProve`, and an `id` with which the proof outlives its caller.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number, and the other errors of
   * `Plonk.fullProve`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const { proof } = await extension.fflonk.fullProve({ zkey: 'keys/vote.zkey' }, inputs, 'keys/vote.wasm');
   * ```
   */
  fullProve(
    key: Key | KeyFile,
    inputs: CircuitInputs,
    wasm: ExtensionFile,
    options?: ExtensionProveOptions,
  ): Promise<ProveResultOf<Key>>;
  /**
   * Whether a proof holds for its public signals, as `Plonk.verify` and `Fflonk.verify` say.
   *
   * @param verificationKey the key in snarkjs' JSON form.
   * @param publicSignals decimal or hexadecimal strings.
   * @param proof in snarkjs' JSON form.
   * @param options signal and progress.
   * @returns true if the proof holds, else false.
   * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form, and the other errors of
   * `Plonk.verify`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const vote = await extension.plonk.loadKey('keys/vote.zkey');
   * const { proof, publicSignals } = await extension.plonk.fullProve(vote, inputs, 'keys/vote.wasm');
   * const holds = await extension.plonk.verify(vote.verificationKey, publicSignals, proof);
   * ```
   */
  verify(
    verificationKey: Key['verificationKey'],
    publicSignals: readonly string[],
    proof: ProveResultOf<Key>['proof'],
    options?: CallOptions,
  ): Promise<boolean>;
}
