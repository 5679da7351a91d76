import type { BinarySource, CallOptions } from './call-options.js';
import type { Circuit, CircuitLoadOptions, InputsOf } from './circuits.js';
import type { AnyKeyLoadOptions } from './keys.js';
import type { BatchResult, ProveOptions } from './proofs.js';
import type { Report } from './reports.js';
import type { FromJson } from './snarkjs-json.js';

/**
 * A PLONK proof in snarkjs' JSON form, with numbers in decimal digits. Points of G1 are x, y, and 1; infinity is
 * 0, 1, 0.
 */
export interface PlonkProof {
  /** The commitment to the values on the wires a of the gates. */
  readonly A: string[];
  /** The commitment to the values on the wires b. */
  readonly B: string[];
  /** The commitment to the values on the wires c. */
  readonly C: string[];
  /** The commitment to the permutation's grand product. */
  readonly Z: string[];
  /** The commitment to the lowest part of the quotient polynomial. */
  readonly T1: string[];
  /** The commitment to its middle part. */
  readonly T2: string[];
  /** The commitment to its highest part. */
  readonly T3: string[];
  /** The proof of the openings at xi. */
  readonly Wxi: string[];
  /** The proof of the opening at xi times the root of unity. */
  readonly Wxiw: string[];
  /** The value of a at xi. */
  readonly eval_a: string;
  /** The value of b at xi. */
  readonly eval_b: string;
  /** The value of c at xi. */
  readonly eval_c: string;
  /** The value of the permutation's polynomial S1 at xi. */
  readonly eval_s1: string;
  /** The value of S2 at xi. */
  readonly eval_s2: string;
  /** The value of the grand product at xi times the root of unity. */
  readonly eval_zw: string;
  /** The proof system. */
  readonly protocol: 'plonk';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
}

/** A PLONK proof as it is read from JSON; a `PlonkProof` is one. */
export type PlonkProofJson = FromJson<PlonkProof>;

/** A PLONK verification key in snarkjs' JSON form, with numbers in decimal digits. */
export interface PlonkVerificationKey {
  /** The proof system. */
  readonly protocol: 'plonk';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
  /** The number of public signals. */
  readonly nPublic: number;
  /** The domain has 2^power elements. */
  readonly power: number;
  /** What tells the wires b from the wires a in the permutation. */
  readonly k1: string;
  /** What tells the wires c from the others. */
  readonly k2: string;
  /** The commitment to the selector of a b in the gates, a point of G1. */
  readonly Qm: string[];
  /** The commitment to the selector of a. */
  readonly Ql: string[];
  /** The commitment to the selector of b. */
  readonly Qr: string[];
  /** The commitment to the selector of c. */
  readonly Qo: string[];
  /** The commitment to the gates' constants. */
  readonly Qc: string[];
  /** The commitment to the permutation's polynomial for the wires a, a point of G1. */
  readonly S1: string[];
  /** The commitment to the permutation's polynomial for the wires b. */
  readonly S2: string[];
  /** The commitment to the permutation's polynomial for the wires c. */
  readonly S3: string[];
  /** tau, the secret of the powers of tau, times the generator of G2. */
  readonly X_2: string[][];
  /** The root of unity that generates the domain. */
  readonly w: string;
}

/** A PLONK verification key as it is read from JSON; a `PlonkVerificationKey` is one. */
export type PlonkVerificationKeyJson = FromJson<PlonkVerificationKey>;

/** Options of loading a PLONK proving key. */
export interface PlonkKeyLoadOptions extends AnyKeyLoadOptions {
  /**
   * The verification key that the caller trusts, in snarkjs' form. The proving key must belong to it (`KEY_MISMATCH`),
   * and its proofs are verified against it.
   *
   * @defaultValue the proving key's own
   */
  readonly verificationKey?: PlonkVerificationKeyJson;
}

/** A loaded PLONK proving key. Only the prover that loaded it can use it. */
export interface PlonkKey {
  /** The proof system. */
  readonly protocol: 'plonk';
  /** The number of values in a witness. */
  readonly variables: number;
  /** The number of public signals. */
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two: the number of gates, rounded up. */
  readonly domainSize: number;
  /** Signals that gates define as linear combinations of two others, beside the witness. */
  readonly additions: number;
  /** The number of gates. */
  readonly constraints: number;
  /** The verification key that the file contains, in the JSON that snarkjs exports. */
  readonly verificationKey: PlonkVerificationKey;
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
   * const key = await prover.plonk.loadKey('/keys/vote.plonk.zkey');
   * const result = await prover.plonk.fullProve(key, inputs, '/keys/vote.wasm');
   * await key.dispose();
   * ```
   */
  dispose(): Promise<void>;
}

/** What `plonk.prove` and `plonk.fullProve` give. */
export interface PlonkProveResult {
  /** The proof in snarkjs' JSON form. */
  readonly proof: PlonkProof;
  /** The public signals as decimal strings. */
  readonly publicSignals: string[];
  /** What computed it, and how long each phase took. */
  readonly report: Report;
}

/**
 * PLONK (https://eprint.iacr.org/2019/953) with the files of snarkjs, over BN254 and BLS12-381. Keys need no ceremony
 * for each circuit, only powers of tau; a proof takes several times as long as with Groth16. Every method can also
 * reject with the errors below.
 *
 * @throws {PippinError} ABORTED when the call's signal fires.
 * @throws {PippinError} INVALID_ARGUMENT for an option of a wrong type or out of range.
 * @throws {PippinError} DISPOSED when the prover was disposed.
 * @throws {PippinError} WORKER_FAILED when a worker cannot be started or dies too often.
 */
export interface Plonk {
  /**
   * Reads, checks and prepares a `.zkey` of snarkjs' `plonk setup`, or takes the prepared points from the cache. Of the
   * file's evaluations and Lagrange polynomials, three quarters of it, nothing is used: they follow from the rest.
   *
   * @param zkey the file's bytes, or where to read them.
   * @param options what the key must be, and how it is loaded.
   * @returns the key, for `prove` and `fullProve` of `prover.plonk`.
   * @throws {PippinError} IO_FAILED when the key cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
   * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
   * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system or version.
   * @throws {PippinError} CURVE_MISMATCH for a curve without PLONK in Pippin.
   * @throws {PippinError} KEY_MISMATCH for a key of another `sha256` or `verificationKey`.
   * @throws {PippinError} INVALID_POINT for a point that is not on its curve or not in the subgroup of prime order.
   * @throws {PippinError} OUT_OF_MEMORY when the workers cannot hold the key.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.plonk.loadKey('note.plonk.zkey');
   * console.log(`${key.constraints} gates, ${key.publicSignals} public signals`);
   * await prover.dispose();
   * ```
   */
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: PlonkKeyLoadOptions): Promise<PlonkKey>;
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
   * const key = await prover.plonk.loadKey('note.plonk.zkey');
   * const circuit = await prover.plonk.loadCircuit('note.wasm');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { publicSignals } = await prover.plonk.fullProve(key, inputs, circuit);
   * console.log(publicSignals);
   * await prover.dispose();
   * ```
   */
  loadCircuit(wasm: BinarySource, options?: CircuitLoadOptions): Promise<Circuit>;
  /**
   * Makes a proof from a witness in snarkjs' `.wtns` form. When the GPU fails, the call falls back to the workers; only
   * with `backend: 'webgpu'` does it reject instead.
   *
   * @param key what `loadKey` of `prover.plonk` gave.
   * @param witness the `.wtns` file's bytes, or where to read them.
   * @param options whether the proof is verified, and the work independent of the witness.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit or the key is wrong.
   * @throws {PippinError} IO_FAILED when the witness cannot be read.
   * @throws {PippinError} MALFORMED_FILE when the witness contradicts itself or ends early.
   * @throws {PippinError} UNSUPPORTED_FORMAT for a file that is not a witness, or one of another version.
   * @throws {PippinError} CURVE_MISMATCH for a witness over another field.
   * @throws {PippinError} INVALID_LENGTH for a witness with another number of values than the key's `variables`.
   * @throws {PippinError} INVALID_SCALAR for a value that is not below r.
   * @throws {PippinError} INVALID_HANDLE for another prover's key, or one of another proof system.
   * @throws {PippinError} OUT_OF_MEMORY when the work does not fit.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   * import { wtns } from 'pippin-prover/snarkjs';
   * import { readFile } from 'node:fs/promises';
   *
   * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'note.wtns');
   *
   * const prover = await createProver();
   * const key = await prover.plonk.loadKey('note.plonk.zkey');
   * const { proof, publicSignals } = await prover.plonk.prove(key, 'note.wtns');
   * console.log(proof.protocol, publicSignals);
   * await prover.dispose();
   * ```
   */
  prove(key: PlonkKey, witness: BinarySource, options?: ProveOptions): Promise<PlonkProveResult>;
  /**
   * Computes the witness with the WASM that circom compiled from the circuit, as `Groth16.fullProve` does, then makes a
   * proof. It rejects with the errors of `prove` and of a witness, too.
   *
   * @param key what `loadKey` of `prover.plonk` gave.
   * @param inputs the circuit's input signals by name.
   * @param circuit what `loadCircuit` gave, or the circuit's WASM: its bytes, or where to read them.
   * @param options whether the proof is verified, and what the circuit's WASM may take.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown, not a number, or has the wrong number of
   * values.
   * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
   * @throws {PippinError} WITNESS_FAILED when the WASM traps, breaks its interface or exceeds `witnessTimeout`.
   * @throws {PippinError} PROOF_INVALID when the circuit is not the key's, or the key is wrong.
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.plonk.loadKey('note.plonk.zkey');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { publicSignals, report } = await prover.plonk.fullProve(key, inputs, 'note.wasm');
   * console.log(publicSignals, `${Math.round(report.ms.total)} ms on ${report.backend}`);
   * await prover.dispose();
   * ```
   */
  fullProve<Inputs extends object>(
    key: PlonkKey,
    inputs: Inputs & InputsOf<Inputs>,
    circuit: BinarySource | Circuit,
    options?: ProveOptions,
  ): Promise<PlonkProveResult>;
  /**
   * Whether the proof holds for the public signals. It does not hold if there are too few or too many signals, or if a
   * signal or an evaluation is not from 0 to r - 1.
   *
   * @param verificationKey the key in snarkjs' JSON form, such as `key.verificationKey`.
   * @param publicSignals decimal or hexadecimal strings.
   * @param proof in snarkjs' JSON form.
   * @param options signal and progress.
   * @returns true if the proof holds, else false.
   * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
   * @throws {PippinError} UNSUPPORTED_FORMAT for another protocol.
   * @throws {PippinError} CURVE_MISMATCH for another curve, or a proof and a key of different ones.
   * @throws {PippinError} INVALID_POINT for a bad point of the key, or a coordinate that is not below p.
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.plonk.loadKey('note.plonk.zkey');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { proof, publicSignals } = await prover.plonk.fullProve(key, inputs, 'note.wasm');
   * const holds = await prover.plonk.verify(key.verificationKey, publicSignals, proof);
   * console.log(holds ? 'the proof holds' : 'wrong');
   * await prover.dispose();
   * ```
   */
  verify(
    verificationKey: PlonkVerificationKeyJson,
    publicSignals: readonly string[],
    proof: PlonkProofJson,
    options?: CallOptions,
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
   * @param options signal and progress.
   * @returns whether all hold, and the indices of those that do not. What is not a proof at all is one that does not
   * hold, with its error.
   * @throws {PippinError} MALFORMED_FILE for a key that is not in snarkjs' form, or anything but a list of proofs.
   * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another protocol.
   * @throws {PippinError} CURVE_MISMATCH for a key over another curve.
   * @throws {PippinError} INVALID_POINT for a bad point of the key.
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const key = await prover.plonk.loadKey('note.plonk.zkey');
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const { proof, publicSignals } = await prover.plonk.fullProve(key, inputs, 'note.wasm');
   * const { valid, failed } = await prover.plonk.verifyBatch(key.verificationKey, [
   *   [publicSignals, proof],
   *   [['1', ...publicSignals.slice(1)], proof],
   * ]);
   * console.log(valid ? 'all proofs hold' : `${failed} do not hold`);
   * await prover.dispose();
   * ```
   */
  verifyBatch(
    verificationKey: PlonkVerificationKeyJson,
    proofs: readonly (readonly [publicSignals: readonly string[], proof: PlonkProofJson])[],
    options?: CallOptions,
  ): Promise<BatchResult>;
}
