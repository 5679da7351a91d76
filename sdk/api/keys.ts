import type { LoadOptions } from './call-options.js';
import type { Report } from './reports.js';
import type { Groth16VerificationKey, Groth16VerificationKeyJson } from './snarkjs-json.js';
import type { LoadTuning, Precompute } from './tuning.js';

/** Options of loading a proving key of any proof system. */
export interface AnyKeyLoadOptions extends LoadOptions {
  /**
   * The SHA-256 of the key's file, as 64 hexadecimal digits in either case (`INVALID_ARGUMENT` otherwise). A key with
   * another one is refused (`KEY_MISMATCH`) before anything of it is used or cached: the whole file is read before
   * loading goes on. For a key in chunks it is the hash of the .zkey with the same sections in ascending order.
   *
   * A key that comes from URLs is downloaded once with it: later loads, from whatever URL, take it from the cache
   * without a request, also offline, and hash it there again. Without it the server is asked whether the file is still
   * the same (by its headers: strong ETag, or Last-Modified and length), and must be reachable.
   *
   * @defaultValue not checked
   */
  readonly sha256?: string;
  /**
   * Precomputed multiples, which make later proofs faster; see `Precompute`.
   *
   * @defaultValue 1
   */
  readonly precompute?: Precompute;
  /**
   * How the MSMs of all proofs with the key are computed. `digits: 'workers'` is refused (`INVALID_ARGUMENT`), because
   * scalars of a proof stay on the GPU.
   *
   * @defaultValue chosen for the device
   */
  readonly tuning?: LoadTuning;
}

/** Options of loading a Groth16 proving key. */
export interface KeyLoadOptions extends AnyKeyLoadOptions {
  /**
   * The verification key that the caller trusts, in snarkjs' form. The proving key must belong to it (`KEY_MISMATCH`),
   * and its proofs are verified against it. By default a proof is verified against the verification key that its
   * proving key contains.
   *
   * @defaultValue the proving key's own
   */
  readonly verificationKey?: Groth16VerificationKeyJson;
  /**
   * With false, a key without a contribution in phase 2 of its set-up is refused (`KEY_UNFINISHED`). Its gamma and
   * delta are equal, and anyone can forge proofs for it. True takes it, for tests.
   *
   * @defaultValue false
   */
  readonly allowUnfinished?: boolean;
}

/** A loaded proving key. Only the prover that loaded it can use it. */
export interface Groth16Key {
  /** The proof system. */
  readonly protocol: 'groth16';
  /** The number of values in a witness. */
  readonly variables: number;
  /** The number of public signals. */
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two. */
  readonly domainSize: number;
  /** The verification key that the file contains, in the JSON that snarkjs exports. */
  readonly verificationKey: Groth16VerificationKey;
  /** How it was loaded; its `cached` says whether the prepared points came from the cache. */
  readonly report: Report;
  /**
   * Frees the memory of the key. Later calls with it reject with `DISPOSED`. Idempotent.
   *
   * @returns when it is freed.
   * @throws {PippinError} WORKER_FAILED when the prover's coordinator has died.
   * @throws {PippinError} DISPOSED when the prover is disposed meanwhile.
   * @example
   * ```js
   * const key = await prover.groth16.loadKey('/keys/spend.zkey');
   * const result = await prover.groth16.fullProve(key, inputs, '/keys/spend.wasm');
   * await key.dispose();
   * ```
   */
  dispose(): Promise<void>;
}
