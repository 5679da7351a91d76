import type { PippinError } from '../base/errors.js';
import type { CallOptions } from './call-options.js';
import type { Report } from './reports.js';
import type { Groth16Proof } from './snarkjs-json.js';

/** Options of `prove` and `fullProve`. */
export interface ProveOptions extends CallOptions {
  /**
   * With true, the proof is verified before it is returned, and the call rejects with `PROOF_INVALID` if it does not
   * hold. With false, a wrong witness, a faulty GPU, a changed cache or a malicious key can lead to a proof that does
   * not hold and that reveals something about the witness.
   *
   * @defaultValue true
   */
  readonly verify?: boolean;
  /**
   * With false, `fullProve` takes inputs as snarkjs does. With true it takes only integers 0 <= v < r, as bigint, safe
   * number, or string (decimal, or hexadecimal after 0x), and refuses anything else with `INVALID_INPUT`.
   *
   * @defaultValue false
   */
  readonly strictInputs?: boolean;
  /**
   * `fullProve`: the most milliseconds that the circuit's own WASM may take, from 1 to 2^31 - 1. Then its worker is
   * ended and the call rejects with `WITNESS_FAILED`.
   *
   * @defaultValue 120 000
   */
  readonly witnessTimeout?: number;
  /**
   * `fullProve`: the most bytes that the memory of the circuit's own WASM may take, from 1 to 2^32. A module that
   * begins with more is refused (`OUT_OF_MEMORY`), and none can grow beyond it. Modules of circom 1 that import their
   * memory need 131 072 000.
   *
   * @defaultValue 2^30
   */
  readonly witnessMemory?: number;
  /**
   * Whether `fullProve` puts our functions in the place of the arithmetic in the circuit's own WASM, where that is
   * known byte by byte: circom 2 over Fr of BN254 or BLS12-381. The witness is the same. If the circuit rejects its
   * inputs then, or the proof does not hold, both are made again with the circuit's WASM as it is.
   *
   * @defaultValue true
   */
  readonly exchangeArithmetic?: boolean;
  /**
   * The limit of downloads in bytes, for a circuit or witness given by its URL, as `LoadOptions.maxBytes`.
   *
   * @defaultValue 2^28 (256 MiB) for a circuit, 2^30 (1 GiB) for a witness
   */
  readonly maxBytes?: number;
  /**
   * Whether the work must be independent of the witness; defaults to the prover's option. The scalars of all MSMs are
   * masked then as by `MsmOptions.constantWork`, and no signal is skipped in the constraints. The first such proof with
   * a key takes about twice as long as later ones, which take as long as if all signals were random numbers. The
   * circuit's own WASM, which `fullProve` runs, does what it does: what time still tells is in docs/security.md.
   *
   * @defaultValue the prover's option, which is false
   */
  readonly constantWork?: boolean;
}

/** Options of `verify`. */
export interface VerifyOptions extends CallOptions {
  /**
   * As in `KeyLoadOptions`: whether the key's gamma and delta may be equal.
   *
   * @defaultValue false
   */
  readonly allowUnfinished?: boolean;
}

/** Why an entry of a batch is no proof. */
export interface BatchError {
  /** Its index in the batch. */
  readonly index: number;
  /** With what `verify` rejects for it. */
  readonly error: PippinError;
}

/** What `verifyBatch` gives. */
export interface BatchResult {
  /** Whether all proofs hold; true for no proofs. */
  readonly valid: boolean;
  /** The indices of the proofs that do not hold, ascending. */
  readonly failed: number[];
  /** For each of `failed` that is no proof or has no signals at all, what `verify` rejects with. */
  readonly errors: readonly BatchError[];
}

/** What `prove` and `fullProve` give. */
export interface ProveResult {
  /** The proof in snarkjs' JSON form. */
  readonly proof: Groth16Proof;
  /** The public signals as decimal strings. */
  readonly publicSignals: string[];
  /** What computed it, and how long each phase took. */
  readonly report: Report;
}
