import type { BinarySource } from './call-options.js';
import type { Circuit, CircuitLoadOptions, InputsOf } from './circuits.js';
import type { Groth16Key, KeyLoadOptions } from './keys.js';
import type { ProveOptions, ProveResult, VerifyOptions } from './proofs.js';
import type { Groth16ProofJson, Groth16VerificationKeyJson } from './snarkjs-json.js';

/**
 * Groth16 (https://eprint.iacr.org/2016/260) with the files of snarkjs. Besides the errors that are listed for each
 * method, every method rejects with `ABORTED` when its signal fires, `INVALID_ARGUMENT` for an option of a wrong type,
 * `DISPOSED` when the prover was disposed, and `WORKER_FAILED` when a worker cannot be started or dies too often.
 */
export interface Groth16 {
  /**
   * Reads, checks and prepares a snarkjs `.zkey`, or takes the prepared points from the cache. A key in chunks, as
   * zk-email's fork of snarkjs writes it (`.zkeyb` to `.zkeyk`), is given as the list of its chunks, uncompressed and
   * in any order.
   *
   * Rejects with `IO_FAILED` when the key cannot be read, `DOWNLOAD_TOO_LARGE` when its download exceeds `maxBytes`,
   * `MALFORMED_FILE` when it contradicts itself, ends early or lacks a chunk, `UNSUPPORTED_FORMAT` for another proof
   * system or version, `CURVE_MISMATCH` for a curve without Groth16 in Pippin, `KEY_MISMATCH` for a key of another
   * `sha256` or `verificationKey`, `KEY_UNFINISHED` for one without a contribution (`allowUnfinished`), `INVALID_POINT`
   * for a point that is not on its curve or not in the subgroup of prime order, `INVALID_ARGUMENT` for a `zkey` that is
   * not a source of bytes or a `tuning` that is out of range or contradicts itself, and `OUT_OF_MEMORY` when the
   * workers cannot hold the key.
   */
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: KeyLoadOptions): Promise<Groth16Key>;
  /**
   * Reads and compiles the WASM of a circuit once, for any number of calls of `fullProve`, which otherwise fetch and
   * compile it each time. A file that comes from a URL is kept in the cache as a key is: with `sha256`, key and circuit
   * are loaded without a request, and a wallet proves offline.
   *
   * Rejects with `IO_FAILED` when the file cannot be read, `DOWNLOAD_TOO_LARGE` when its download exceeds `maxBytes`,
   * `KEY_MISMATCH` for one of another `sha256`, `UNSUPPORTED_FORMAT` when it is not WebAssembly, `OUT_OF_MEMORY` when
   * it needs more than `witnessMemory`, and `INVALID_ARGUMENT` for a `wasm` that is not a source of bytes.
   */
  loadCircuit(wasm: BinarySource, options?: CircuitLoadOptions): Promise<Circuit>;
  /**
   * Makes a proof from a witness in snarkjs' `.wtns` form.
   *
   * Rejects with `PROOF_INVALID` when the witness does not satisfy the key's circuit or the key is wrong; `IO_FAILED`,
   * `MALFORMED_FILE`, `UNSUPPORTED_FORMAT`, `CURVE_MISMATCH`, `INVALID_LENGTH` and `INVALID_SCALAR` when the file is
   * not a witness for this key; `INVALID_HANDLE` for another prover's key and `DISPOSED` for a disposed one. When the
   * GPU fails, the call falls back to the workers; only with `backend: 'webgpu'` does it reject instead (`DEVICE_LOST`,
   * `OUT_OF_MEMORY`, `RESULT_INVALID`).
   */
  prove(key: Groth16Key, witness: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /**
   * Computes the witness with the WASM that circom 1 or 2 compiled from the circuit (a file, or a circuit from
   * `loadCircuit`), then makes a proof. What the circuit's own `log()` writes arrives as `CIRCUIT_LOG` notices. Errors
   * name input signals, their types and lengths, but never show a value. The WASM does not hold the names of inputs: an
   * error names a missing input if `CircuitLoadOptions.inputs` has its name or a given name is nearly the same, and
   * otherwise states its size.
   *
   * Rejects with `INVALID_INPUT` for an input that is missing, unknown, not a number, or has the wrong number of
   * values, `WITNESS_REJECTED` when one of the circuit's own checks fails, `WITNESS_FAILED` when the WASM traps, breaks
   * its interface or exceeds `witnessTimeout`, `OUT_OF_MEMORY` when it needs more than `witnessMemory`, `IO_FAILED`
   * when it cannot be read, `UNSUPPORTED_FORMAT` when it is not a circuit's WASM, and with the errors of `prove`. After
   * each of these the next call works.
   */
  fullProve<Inputs extends object>(
    key: Groth16Key,
    inputs: Inputs & InputsOf<Inputs>,
    circuit: BinarySource | Circuit,
    options?: ProveOptions,
  ): Promise<ProveResult>;
  /**
   * Whether the proof holds for the public signals, which are decimal or hexadecimal. It does not hold if there are too
   * few or too many signals, or if a signal is not from 0 to r - 1. Points may have three coordinates (snarkjs) or two
   * (affine).
   *
   * Rejects only when the arguments are not a proof, a key or signals at all: `MALFORMED_FILE` for anything that is not
   * in snarkjs' form, `UNSUPPORTED_FORMAT` and `CURVE_MISMATCH` for another protocol or curve, `INVALID_POINT` for a
   * bad point of the key or a coordinate that is not below p, `KEY_UNFINISHED` for the key of a set-up without a
   * contribution in phase 2 (`allowUnfinished`).
   */
  verify(
    verificationKey: Groth16VerificationKeyJson,
    publicSignals: readonly string[],
    proof: Groth16ProofJson,
    options?: VerifyOptions,
  ): Promise<boolean>;
}
