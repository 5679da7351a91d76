import type { BinarySource } from './call-options.js';
import type { Circuit, CircuitLoadOptions, InputsOf } from './circuits.js';
import type { Groth16Key, KeyLoadOptions } from './keys.js';
import type { BatchResult, ProveOptions, ProveResult, VerifyOptions } from './proofs.js';
import type { Groth16ProofJson, Groth16VerificationKeyJson } from './snarkjs-json.js';

/**
 * Groth16 (https://eprint.iacr.org/2016/260) with the files of snarkjs. Every method can also reject with the errors
 * below.
 *
 * @throws {PippinError} ABORTED when the call's signal fires.
 * @throws {PippinError} INVALID_ARGUMENT for an option of a wrong type or out of range.
 * @throws {PippinError} DISPOSED when the prover was disposed.
 * @throws {PippinError} WORKER_FAILED when a worker cannot be started or dies too often.
 */
export interface Groth16 {
  /**
   * Reads, checks and prepares a snarkjs `.zkey`, or takes the prepared points from the cache. Load a key once, and
   * prove with it as often as needed.
   *
   * @param zkey the file's bytes, or where to read them. A key in chunks, as zk-email's fork of snarkjs writes it
   * (`.zkeyb` to `.zkeyk`), is the list of its chunks, uncompressed and in any order.
   * @param options what the key must be, and how it is loaded.
   * @returns the key, for `prove` and `fullProve` of this prover.
   * @throws {PippinError} IO_FAILED when the key cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
   * @throws {PippinError} MALFORMED_FILE when it contradicts itself, ends early or lacks a chunk.
   * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system or version.
   * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
   * @throws {PippinError} KEY_MISMATCH for a key of another `sha256` or `verificationKey`.
   * @throws {PippinError} KEY_UNFINISHED for a key without a contribution (`allowUnfinished`).
   * @throws {PippinError} INVALID_POINT for a point that is not on its curve or not in the subgroup of prime order.
   * @throws {PippinError} INVALID_ARGUMENT for a `zkey` that is not a source of bytes, or a `tuning` that is out of
   * range or contradicts itself.
   * @throws {PippinError} OUT_OF_MEMORY when the workers cannot hold the key.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.groth16.loadKey('note.zkey');
   * console.log(`${key.variables} variables, ${key.publicSignals} public signals, cached: ${key.report.cached}`);
   * await prover.dispose();
   * ```
   */
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: KeyLoadOptions): Promise<Groth16Key>;
  /**
   * Reads and compiles the WASM of a circuit once, for any number of calls of `fullProve`, which otherwise fetch and
   * compile it each time. A file that comes from a URL is kept in the cache as a key is: with `sha256`, key and circuit
   * are loaded without a request, and a wallet proves offline.
   *
   * @param wasm the file that circom 1 or 2 compiled, or where to read it.
   * @param options what the file must be, and how it will be used.
   * @returns the circuit, for `fullProve` of this prover.
   * @throws {PippinError} IO_FAILED when the file cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
   * @throws {PippinError} KEY_MISMATCH for a file of another `sha256`.
   * @throws {PippinError} UNSUPPORTED_FORMAT when it is not WebAssembly.
   * @throws {PippinError} OUT_OF_MEMORY when it needs more than `witnessMemory`.
   * @throws {PippinError} INVALID_ARGUMENT for a `wasm` that is not a source of bytes.
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.groth16.loadKey('note.zkey');
   * const circuit = await prover.groth16.loadCircuit('note.wasm');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { publicSignals } = await prover.groth16.fullProve(key, inputs, circuit);
   * console.log(publicSignals);
   * await prover.dispose();
   * ```
   */
  loadCircuit(wasm: BinarySource, options?: CircuitLoadOptions): Promise<Circuit>;
  /**
   * Makes a proof from a witness in snarkjs' `.wtns` form. When the GPU fails, the call falls back to the workers; only
   * with `backend: 'webgpu'` does it reject instead.
   *
   * @param key what `loadKey` of this prover gave.
   * @param witness the `.wtns` file's bytes, or where to read them.
   * @param options whether the proof is verified, and the work independent of the witness.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit or the key is wrong.
   * @throws {PippinError} IO_FAILED when the witness cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
   * @throws {PippinError} MALFORMED_FILE when the witness contradicts itself or ends early.
   * @throws {PippinError} UNSUPPORTED_FORMAT for a file that is not a witness, or one of another version.
   * @throws {PippinError} CURVE_MISMATCH for a witness over another field.
   * @throws {PippinError} INVALID_LENGTH for a witness with another number of values than the key's `variables`.
   * @throws {PippinError} INVALID_SCALAR for a value that is not below r.
   * @throws {PippinError} INVALID_HANDLE for another prover's key.
   * @throws {PippinError} DISPOSED for a disposed key or prover.
   * @throws {PippinError} DEVICE_LOST when the GPU fails and `backend` is `webgpu`.
   * @throws {PippinError} OUT_OF_MEMORY when the work does not fit the GPU and `backend` is `webgpu`.
   * @throws {PippinError} RESULT_INVALID when the GPU's results fail their check and `backend` is `webgpu`.
   * @example
   * ```js run
   * import { writeFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   * import { wtns } from 'pippin-prover/snarkjs';
   * import { readFile } from 'node:fs/promises';
   *
   * // Any program that writes a .wtns file will do; this one is Pippin's own.
   * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'note.wtns');
   *
   * const prover = await createProver();
   * const key = await prover.groth16.loadKey('note.zkey');
   * const { proof, publicSignals } = await prover.groth16.prove(key, 'note.wtns');
   * await writeFile('proof.json', JSON.stringify(proof));
   * console.log(publicSignals);
   * await prover.dispose();
   * ```
   */
  prove(key: Groth16Key, witness: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /**
   * Computes the witness with the WASM that circom 1 or 2 compiled from the circuit, then makes a proof. What the
   * circuit's own `log()` writes arrives as `CIRCUIT_LOG` notices. Errors name input signals, their types and lengths,
   * but never show a value. The WASM does not hold the names of inputs: an error names a missing input if
   * `CircuitLoadOptions.inputs` has its name or a given name is nearly the same, and otherwise states its size. After
   * each error the next call works. It rejects with the errors of `prove` as well.
   *
   * @param key what `loadKey` of this prover gave.
   * @param inputs the circuit's input signals by name.
   * @param circuit what `loadCircuit` of this prover gave, or the circuit's WASM: its bytes, or where to read them.
   * @param options whether the proof is verified, the work independent of the witness, and what the circuit's WASM may
   * take.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown, not a number, or has the wrong number of
   * values.
   * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
   * @throws {PippinError} WITNESS_FAILED when the WASM traps, breaks its interface or exceeds `witnessTimeout`.
   * @throws {PippinError} OUT_OF_MEMORY when the WASM needs more than `witnessMemory`, or the proof more than the
   * device has.
   * @throws {PippinError} IO_FAILED when the WASM cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
   * @throws {PippinError} UNSUPPORTED_FORMAT when the file is not a circuit's WASM.
   * @throws {PippinError} PROOF_INVALID when the circuit is not the key's, or the key is wrong.
   * @throws {PippinError} INVALID_LENGTH when the circuit has another number of signals than the key.
   * @throws {PippinError} CURVE_MISMATCH when the circuit is over another field than the key.
   * @throws {PippinError} INVALID_HANDLE for another prover's key or circuit.
   * @throws {PippinError} DISPOSED for a disposed key, circuit or prover.
   * @throws {PippinError} DEVICE_LOST when the GPU fails and `backend` is `webgpu`.
   * @throws {PippinError} RESULT_INVALID when the GPU's results fail their check and `backend` is `webgpu`.
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.groth16.loadKey('note.zkey');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { publicSignals, report } = await prover.groth16.fullProve(key, inputs, 'note.wasm', {
   *   onProgress(event) {
   *     if (event.kind === 'begin') console.log(event.span.phase, event.span.part ?? '');
   *   },
   * });
   * console.log(publicSignals, `${Math.round(report.ms.total)} ms on ${report.backend}`);
   * await prover.dispose();
   * ```
   */
  fullProve<Inputs extends object>(
    key: Groth16Key,
    inputs: Inputs & InputsOf<Inputs>,
    circuit: BinarySource | Circuit,
    options?: ProveOptions,
  ): Promise<ProveResult>;
  /**
   * Whether the proof holds for the public signals. It does not hold if there are too few or too many signals, or if a
   * signal is not from 0 to r - 1. It rejects only when the arguments are not a proof, a key or signals at all.
   *
   * @param verificationKey the key in snarkjs' JSON form, such as `key.verificationKey`. Its points may have three
   * coordinates (snarkjs) or two (affine).
   * @param publicSignals decimal or hexadecimal strings.
   * @param proof in snarkjs' JSON form. Its points may have three coordinates or two, too.
   * @param options whether a key without a contribution is accepted.
   * @returns true if the proof holds, else false.
   * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
   * @throws {PippinError} UNSUPPORTED_FORMAT for another protocol.
   * @throws {PippinError} CURVE_MISMATCH for another curve, or a proof and a key of different ones.
   * @throws {PippinError} INVALID_POINT for a bad point of the key, or a coordinate that is not below p.
   * @throws {PippinError} KEY_UNFINISHED for the key of a set-up without a contribution in phase 2 (`allowUnfinished`).
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const read = async (path) => JSON.parse(await readFile(path, 'utf8'));
   * const prover = await createProver();
   * const key = await prover.groth16.loadKey('note.zkey');
   * const { proof, publicSignals } = await prover.groth16.fullProve(key, await read('input.json'), 'note.wasm');
   *
   * const holds = await prover.groth16.verify(await read('note.vkey.json'), publicSignals, proof);
   * console.log(holds ? 'the proof holds' : 'wrong');
   * await prover.dispose();
   * ```
   */
  verify(
    verificationKey: Groth16VerificationKeyJson,
    publicSignals: readonly string[],
    proof: Groth16ProofJson,
    options?: VerifyOptions,
  ): Promise<boolean>;
  /**
   * Whether many proofs of one key hold, and which do not. Together they are a product of pairings for each worker, or
   * for 256 proofs, by random weights of 128 bits that are drawn for the call. If a product is not 1, the proofs that
   * do not hold are found by halving: k among n take O(k log n) products. Every proof gets the answer of `verify`, but
   * for a probability of 2^-127 that one passes which does not hold, whoever made it.
   *
   * @param verificationKey as in `verify`.
   * @param proofs pairs of public signals and a proof, each as in `verify`; at most 2^16, which must stay as they are
   * until the call ends. An empty list is valid.
   * @param options whether a key without a contribution is accepted.
   * @returns whether all hold, and the indices of those that do not. What is not a proof at all is one that does not
   * hold, with its error.
   * @throws {PippinError} MALFORMED_FILE for a key that is not in snarkjs' form, or anything but a list of proofs.
   * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another protocol.
   * @throws {PippinError} CURVE_MISMATCH for a key over another curve.
   * @throws {PippinError} INVALID_POINT for a bad point of the key.
   * @throws {PippinError} KEY_UNFINISHED for the key of a set-up without a contribution in phase 2 (`allowUnfinished`).
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.groth16.loadKey('note.zkey');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { proof, publicSignals } = await prover.groth16.fullProve(key, inputs, 'note.wasm');
   * const { valid, failed } = await prover.groth16.verifyBatch(key.verificationKey, [
   *   [publicSignals, proof],
   *   [['1', ...publicSignals.slice(1)], proof],
   * ]);
   * console.log(valid ? 'all proofs hold' : `${failed} do not hold`);
   * await prover.dispose();
   * ```
   */
  verifyBatch(
    verificationKey: Groth16VerificationKeyJson,
    proofs: readonly (readonly [publicSignals: readonly string[], proof: Groth16ProofJson])[],
    options?: VerifyOptions,
  ): Promise<BatchResult>;
}
