import type { BackendChoice, BinarySource, ProverOptions } from '../api/index.js';
import type { CurveId } from '../curves/index.js';

/** Options of every call of a ceremony. */
export interface CeremonyOptions {
  /**
   * An aborted call rejects with `ABORTED`. Nothing is left at a path; a stream is aborted.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal;
  /**
   * Called with the fraction of the work that is done, from 0 to 1.
   *
   * @defaultValue none
   */
  readonly onProgress?: (fraction: number) => void;
  /**
   * Kernel workers that compute; they end with the call.
   *
   * @defaultValue the threads of the machine, at most 16
   */
  readonly threads?: number;
  /**
   * Whether a GPU multiplies the points of a contribution to a key, and transforms powers of tau for phase 2, if they
   * are 2^12 or more; the workers check them. `auto` lets the workers begin and the GPU go on as soon as its kernels
   * are compiled, `webgpu` waits for it, `wasm` uses the workers alone. Where the GPU fails, the workers do its work.
   * All other work is the workers'.
   *
   * @defaultValue `auto`
   */
  readonly backend?: BackendChoice;
  /**
   * Where the package's files lie, as `ProverOptions.assets`.
   *
   * @defaultValue beside the package's scripts
   */
  readonly assets?: NonNullable<ProverOptions['assets']>;
  /**
   * The most bytes that are downloaded of a key at a URL, as `LoadOptions.maxBytes`.
   *
   * @defaultValue 2^33 (8 GiB)
   */
  readonly maxBytes?: number;
}

/** Options of what adds a contribution to a key. */
export interface NewKeyOptions extends CeremonyOptions {
  /**
   * The name of the contribution in the key; snarkjs and Pippin write the first 64 UTF-16 units of it.
   *
   * @defaultValue none
   */
  readonly name?: string;
  /**
   * Where the new key is written: a stream, such as of a file that the user chose, or in Node a path or a file URL. A
   * file at the path is replaced when all is written.
   *
   * @defaultValue a Blob, which the call returns
   */
  readonly to?: WritableStream<Uint8Array> | string | URL;
}

/** Options of `contribute`. */
export interface ContributeOptions extends NewKeyOptions {
  /**
   * What the contributor adds to the platform's random bytes: typed text, or bytes such as of the mouse's moves. The
   * bytes are not overwritten.
   *
   * @defaultValue nothing
   */
  readonly entropy?: string | Uint8Array;
}

/** Options of `beacon`. */
export interface BeaconOptions extends NewKeyOptions {
  /** The public value that nobody could know before: 1 to 255 bytes, or their hexadecimal digits. */
  readonly hash: string | Uint8Array;
  /** SHA-256 is applied 2^iterations times to the hash; 10 to 63. */
  readonly iterations: number;
}

/** Options of `newKey`. */
export interface SetUpOptions extends CeremonyOptions {
  /**
   * Where the key is written: a stream, such as of a file that the user chose, or in Node a path or a file URL. A file
   * at the path is replaced when all is written.
   *
   * @defaultValue a Blob, which the call returns
   */
  readonly to?: WritableStream<Uint8Array> | string | URL;
}

/** Options of what verifies contributions: of `verifyPowersOfTau`, and some of `verifyContributions`. */
export interface VerificationOptions extends CeremonyOptions {
  /**
   * The most iterations of a beacon, as their logarithm, 10 to 63. To verify a beacon its hash is hashed as often as
   * the file says, up to 2^63 times: 2^26 take about a minute. A longer beacon is `UNSUPPORTED_FORMAT`, before anything
   * is computed.
   *
   * @defaultValue 26
   */
  readonly maxBeaconIterations?: number;
}

/** Options of `verifyContributions`: `first`, or `r1cs` and `ptau`. */
export interface VerifyContributionsOptions extends VerificationOptions {
  /**
   * The key as the set-up wrote it, without a contribution, which the caller trusts.
   *
   * @defaultValue none; the set-up is repeated from `r1cs` and `ptau`
   */
  readonly first?: BinarySource;
  /**
   * The circuit, as circom writes it (`--r1cs`), from which the set-up is repeated in the place of `first`.
   *
   * @defaultValue none
   */
  readonly r1cs?: BinarySource;
  /**
   * The prepared powers of tau that the first key was made from, in snarkjs' `.ptau` form. With them the points H of
   * the first key are checked, too.
   *
   * @defaultValue H of the first key is trusted
   */
  readonly ptau?: BinarySource;
}

/** Options of `contributeBellman`. */
export interface ContributeBellmanOptions extends SetUpOptions {
  /** The curve of the key, which the parameters do not tell: `bn254` or `bls12-381`. */
  readonly curve: CurveId;
  /**
   * What the contributor adds to the platform's random bytes, as `ContributeOptions.entropy`.
   *
   * @defaultValue nothing
   */
  readonly entropy?: string | Uint8Array;
}

/** Parameters of bellman's ceremonies that were written. */
export interface BellmanParameters {
  /** The file; undefined if it was written elsewhere (`to`). */
  readonly params?: Blob;
}

/** Parameters with one contribution more. */
export interface ContributedParameters extends BellmanParameters {
  /** The hash of the contribution, 128 hexadecimal digits: what its contributor publishes. */
  readonly hash: string;
}

/** A key with the contributions of parameters. */
export interface ImportedKey {
  /** The key; undefined if it was written elsewhere (`to`). */
  readonly zkey?: Blob;
  /** The hashes of the contributions that the key did not have before, the oldest first. */
  readonly hashes: readonly string[];
  /** The hash of the circuit and its first key. */
  readonly circuitHash: string;
}

/** A key as a set-up makes it. */
export interface FirstKey {
  /** The key; undefined if it was written elsewhere (`to`). */
  readonly zkey?: Blob;
  /** The hash of the circuit and of this key, 128 hexadecimal digits, with which every history begins. */
  readonly circuitHash: string;
}

/** A key with one contribution more. */
export interface NewKey {
  /** The key; undefined if it was written elsewhere (`to`). */
  readonly zkey?: Blob;
  /** The hash of the contribution, 128 hexadecimal digits: what its contributor publishes. */
  readonly hash: string;
  /** The hash of the circuit and its first key. */
  readonly circuitHash: string;
  /** What multiplied the points, or most of them: `webgpu` or the workers, `wasm`. */
  readonly backend: 'webgpu' | 'wasm';
}

/** A contribution in a key's history. */
export interface ContributionFacts {
  /** Its name, if it has one. */
  readonly name?: string;
  /** Its hash, 128 hexadecimal digits. */
  readonly hash: string;
  /** What a beacon was made from. */
  readonly beacon?: { readonly hash: string; readonly iterations: number };
}

/** The history of a key, as the key tells it. */
export interface KeyHistory {
  /** The hash of the circuit that the key says that it is of. */
  readonly circuitHash: string;
  /** The contributions, the oldest first. */
  readonly contributions: readonly ContributionFacts[];
}

/** What the verification of a key found. */
export interface CeremonyReport extends KeyHistory {
  /** Whether the key comes from the first key by the contributions of its history. */
  readonly isValid: boolean;
  /** What is wrong, if it is not. */
  readonly fault?: string;
}

/** What a key says of itself; nothing of it is verified. */
export interface KeyDescription extends KeyHistory {
  /** The curve that its points are on. */
  readonly curve: CurveId;
  /** The circuit's constraints and public signals, rounded up to a power of two. */
  readonly domainSize: number;
  /** Values of a witness, the constant one included. */
  readonly variables: number;
  /** How many of them everyone sees, the constant one not counted. */
  readonly publicSignals: number;
  /** The points that a contribution multiplies, which determine how long it takes. */
  readonly points: number;
}

/**
 * Makes the first key of a circuit from powers of tau, which have to be prepared for phase 2: the file is what `snarkjs
 * groth16 setup` writes, byte for byte. It has no contribution yet: proofs with it can be forged.
 *
 * The .ptau is read in ranges, the key written section by section. In memory are at most three points of G1 for each
 * constraint, and 8 bytes for each entry of the circuit's matrices. Points of the .ptau are checked to be in the group
 * of prime order, but not to be powers of one tau: take the file from a ceremony that you trust.
 *
 * @param r1cs the circuit as circom writes it (`--r1cs`): bytes, or where to read them.
 * @param ptau the prepared powers of tau, for a domain of 2^k > constraints + public signals.
 * @param options where the key goes.
 * @returns the key, or nothing of it if `to` is given, and the hash of the circuit.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, what is no source, or too few powers of tau.
 * @throws {PippinError} IO_FAILED when a file cannot be read, or the key cannot be written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT when the powers are not prepared for phase 2, or the circuit has custom
 * gates or, over BN254, a domain of 2^28.
 * @throws {PippinError} CURVE_MISMATCH when circuit and powers are of different curves, or of one without a pairing
 * here.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { newKey } from 'pippin-prover/ceremony';
 *
 * const { circuitHash } = await newKey('note.r1cs', 'pot14.ptau', { to: 'note_0000.zkey' });
 * console.log(circuitHash);
 * ```
 */
export type CreateKey = (r1cs: BinarySource, ptau: BinarySource, options?: SetUpOptions) => Promise<FirstKey>;

/**
 * Contributes to the phase 2 of a Groth16 key: multiplies delta by a secret, divides the key's points by it, and adds a
 * record that proves that the secret is known. The file is what `snarkjs zkey contribute` writes, and snarkjs verifies
 * it. The secret comes from the platform's random generator and from `entropy`, and is overwritten when the call ends,
 * also when it fails; constant time is not claimed. If a single contributor of a ceremony lets go of the secret, nobody
 * can forge proofs.
 *
 * The key is read and written section by section: it need not fit in memory.
 *
 * @param zkey the key with the contributions until now: bytes, or where to read them.
 * @param options the name, entropy, and where the new key goes.
 * @returns the new key, or nothing of it if `to` is given, and the hash to publish.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the key cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { contribute } from 'pippin-prover/ceremony';
 *
 * const { hash } = await contribute('note_0003.zkey', { name: 'Ada', entropy: 'as typed', to: 'note_0004.zkey' });
 * console.log(hash);
 * ```
 */
export type Contribute = (zkey: BinarySource, options?: ContributeOptions) => Promise<NewKey>;

/**
 * Adds a contribution whose secret follows from a public value, which ends a ceremony: everyone can repeat it. The file
 * is what `snarkjs zkey beacon` writes, byte for byte.
 *
 * @param zkey the key with the contributions until now: bytes, or where to read them.
 * @param options the hash and how often SHA-256 is applied to it.
 * @returns the new key, or nothing of it if `to` is given, and the hash of the contribution.
 * @throws {PippinError} INVALID_ARGUMENT for a hash or iterations out of range, options of a wrong type, or no source.
 * @throws {PippinError} IO_FAILED when the key cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { beacon } from 'pippin-prover/ceremony';
 *
 * const hash = '0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
 * const last = await beacon('note_0004.zkey', { hash, iterations: 10, name: 'Final', to: 'note.zkey' });
 * console.log(last.hash);
 * ```
 */
export type Beacon = (zkey: BinarySource, options: BeaconOptions) => Promise<NewKey>;

/**
 * Verifies that a Groth16 key comes from its first key by the contributions of its history, and by nothing else: the
 * transcripts and secrets of all contributions, beacons, the sections that must be the same, and the points that are
 * divided by delta; with `ptau`, also the points H of the first key. Then it makes every check of `snarkjs zkey
 * verify`; without, H of the first key must come from a set-up that the caller trusts or has repeated. With `r1cs` in
 * the place of `first` the set-up is repeated, as by `newKey`, and compared section by section. Points outside of the
 * group of prime order are refused besides. Wrong points pass with a probability of 2^-128.
 *
 * @param zkey the key: bytes, or where to read them.
 * @param options the first key or the circuit, and the powers of tau.
 * @returns whether it holds, what is wrong if not, and the history with the hashes that contributors have published.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, what is no source, or too few powers of tau.
 * @throws {PippinError} IO_FAILED when a key cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system, or a beacon beyond `maxBeaconIterations`.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { verifyContributions } from 'pippin-prover/ceremony';
 *
 * const { isValid, fault, contributions } = await verifyContributions('note.zkey', { first: 'note_0000.zkey' });
 * console.log(isValid ? contributions.map(({ name, hash }) => `${name}: ${hash}`) : fault);
 * ```
 */
export type VerifyContributions = (zkey: BinarySource, options: VerifyContributionsOptions) => Promise<CeremonyReport>;

/**
 * Reads what a Groth16 key says of itself, such as to show it before someone contributes to it. The header and the
 * history are read, and their points checked to be on their curves; no contribution is verified, and no worker started.
 *
 * @param zkey the key: bytes, or where to read them.
 * @param options how it is read.
 * @returns curve, sizes and history.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the key cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not on its curve.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { describeKey } from 'pippin-prover/ceremony';
 *
 * const { curve, points, contributions } = await describeKey('note_0003.zkey');
 * console.log(`${points} points over ${curve}`, contributions.map(({ name, hash }) => `${name}: ${hash}`));
 * ```
 */
export type DescribeKey = (
  zkey: BinarySource,
  options?: Pick<CeremonyOptions, 'signal' | 'maxBytes'>,
) => Promise<KeyDescription>;

/**
 * Writes a Groth16 key as the parameters of bellman's ceremonies (phase2-bn254, and what reads its files), with which
 * others contribute to the phase 2. The file is what `snarkjs zkey export bellman` writes, byte for byte. The points H
 * are held in memory, and transformed to powers of tau, which takes as long as `preparePowersOfTau` for such a domain.
 *
 * @param zkey the key with the contributions until now: bytes, or where to read them.
 * @param options where the parameters go.
 * @returns the parameters, or nothing of them if `to` is given.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when a file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { exportBellman } from 'pippin-prover/ceremony';
 *
 * await exportBellman('note_0003.zkey', { to: 'note.params' });
 * ```
 */
export type ExportBellman = (zkey: BinarySource, options?: SetUpOptions) => Promise<BellmanParameters>;

/**
 * Contributes to the parameters of bellman's ceremonies, as `contribute` does to a key. The file is what `snarkjs zkey
 * bellman contribute` writes.
 *
 * @param params the parameters with the contributions until now: bytes, or where to read them.
 * @param options the curve, entropy, and where the new parameters go.
 * @returns the new parameters, or nothing of them if `to` is given, and the hash to publish.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when a file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { contributeBellman } from 'pippin-prover/ceremony';
 *
 * const { hash } = await contributeBellman('note.params', { curve: 'bn254', to: 'note_ada.params' });
 * console.log(hash);
 * ```
 */
export type ContributeBellman = (
  params: BinarySource,
  options: ContributeBellmanOptions,
) => Promise<ContributedParameters>;

/**
 * Adds the contributions of bellman's parameters to the key that they were exported from. The file is what `snarkjs
 * zkey import bellman` writes, byte for byte. The parameters are checked to be of the same circuit, to go on from the
 * key's contributions, and to have points in the group of prime order; whether the key is divided by what the
 * contributors knew, `verifyContributions` finds out.
 *
 * @param zkey the key that the parameters were exported from: bytes, or where to read them.
 * @param params the parameters.
 * @param options the name of the new contributions, and where the new key goes.
 * @returns the new key, or nothing of it if `to` is given, and the hashes of the new contributions.
 * @throws {PippinError} INVALID_ARGUMENT for parameters of another key, options of a wrong type, or no source.
 * @throws {PippinError} IO_FAILED when a file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { importBellman } from 'pippin-prover/ceremony';
 *
 * const { hashes } = await importBellman('note_0003.zkey', 'note_ada.params', { name: 'Ada', to: 'note_0004.zkey' });
 * console.log(hashes);
 * ```
 */
export type ImportBellman = (zkey: BinarySource, params: BinarySource, options?: NewKeyOptions) => Promise<ImportedKey>;
