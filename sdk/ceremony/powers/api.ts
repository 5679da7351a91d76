import type { BinarySource } from '../../api/index.js';
import type { CurveId } from '../../curves/index.js';
import type { CeremonyOptions, ContributionFacts, NewKeyOptions, VerificationOptions } from '../api.js';

/** Options of what writes powers of tau. */
export type NewPowersOptions = Omit<NewKeyOptions, 'name'>;

/** Options of `newPowersOfTau`. */
export interface FirstPowersOptions extends NewPowersOptions {
  /** One with a pairing in Pippin and files of snarkjs: `bn254` or `bls12-381`. */
  readonly curve: CurveId;
  /** Circuits of up to 2^power constraints can be set up with the powers; 1 to 28. */
  readonly power: number;
}

/** Options of `contributeToPowersOfTau`. */
export interface ContributePowersOptions extends NewKeyOptions {
  /**
   * What the contributor adds to the platform's random bytes, as `ContributeOptions.entropy`.
   *
   * @defaultValue nothing
   */
  readonly entropy?: string | Uint8Array;
}

/** Options of `addBeaconToPowersOfTau`. */
export interface BeaconPowersOptions extends NewKeyOptions {
  /** The public value that nobody could know before: 1 to 255 bytes, or their hexadecimal digits. */
  readonly hash: string | Uint8Array;
  /** SHA-256 is applied 2^iterations times to the hash; 10 to 63. */
  readonly iterations: number;
}

/** Options of `truncatePowersOfTau`. */
export interface TruncateOptions extends NewPowersOptions {
  /** The smaller power, from 1 on. */
  readonly power: number;
}

/** Options of `respondToChallenge`. */
export interface RespondOptions extends NewPowersOptions {
  /** The curve of the powers of tau, which a challenge does not tell: `bn254` or `bls12-381`. */
  readonly curve: CurveId;
  /**
   * What the contributor adds to the platform's random bytes, as `ContributeOptions.entropy`.
   *
   * @defaultValue nothing
   */
  readonly entropy?: string | Uint8Array;
}

/** Options of `importResponse`. */
export interface ImportResponseOptions extends NewKeyOptions {
  /**
   * Whether the new file has the points. Without them it is a history of the ceremony alone, as by `snarkjs powersoftau
   * import response --nopoints`: the next response can be imported, and nothing can be verified.
   *
   * @defaultValue true
   */
  readonly points?: boolean;
}

/** A challenge that was written. */
export interface NewChallenge {
  /** The file; undefined if it was written elsewhere (`to`). */
  readonly challenge?: Blob;
  /** Its hash, 128 hexadecimal digits. */
  readonly hash: string;
}

/** A response that was written. */
export interface NewResponse {
  /** The file; undefined if it was written elsewhere (`to`). */
  readonly response?: Blob;
  /** The hash of the challenge, 128 hexadecimal digits, to compare with the coordinator's. */
  readonly challenge: string;
  /** The hash of the contribution, 128 hexadecimal digits: what its contributor publishes. */
  readonly hash: string;
}

/** Powers of tau that were written. */
export interface NewPowers {
  /** The file; undefined if it was written elsewhere (`to`). */
  readonly ptau?: Blob;
}

/** Powers of tau of a smaller power. */
export interface TruncatedPowers extends NewPowers {
  /** The power of the file that they come from. */
  readonly sourcePower: number;
}

/** Powers of tau without a contribution. */
export interface FirstPowers extends NewPowers {
  /** The challenge of the first contribution, 128 hexadecimal digits. */
  readonly challenge: string;
}

/** Powers of tau with one contribution more. */
export interface ContributedPowers extends NewPowers {
  /** The hash of the contribution, 128 hexadecimal digits: what its contributor publishes. */
  readonly hash: string;
  /** The challenge of the next contribution, 128 hexadecimal digits. */
  readonly nextChallenge: string;
}

/** What the verification of powers of tau found. */
export interface PowersReport {
  /** Whether the powers come from 1 by the contributions of their history. */
  readonly isValid: boolean;
  /** What is wrong, if they do not. */
  readonly fault?: string;
  /** Their curve. */
  readonly curve: string;
  /** They serve circuits of up to 2^power constraints. */
  readonly power: number;
  /** Whether they have the sections that phase 2 needs (`preparePowersOfTau`). */
  readonly isPrepared: boolean;
  /** Their history, the oldest first. */
  readonly contributions: readonly PowersContribution[];
}

/** Powers of tau that were prepared for phase 2. */
export interface PreparedPowers extends NewPowers {
  /** What multiplied the points, or most of them: `webgpu` or the workers, `wasm`. */
  readonly backend: 'webgpu' | 'wasm';
}

/** A contribution to powers of tau. */
export interface PowersContribution extends ContributionFacts {
  /** The challenge of the contribution after it, 128 hexadecimal digits. */
  readonly nextChallenge: string;
}

/** Options of `powersOfTauToJson`. */
export type PowersJsonOptions = Pick<CeremonyOptions, 'signal' | 'maxBytes'>;

/** The points of a contribution that prove that a secret is known. */
export interface PowersJsonSecret {
  /** s in G1. */
  readonly g1_s: string;
  /** s times the secret. */
  readonly g1_sx: string;
  /** A point of G2 times the secret. */
  readonly g2_spx: string;
}

/** A contribution in `PowersJson`. */
export interface PowersJsonContribution {
  /** tau in G1, after the contribution. */
  readonly tauG1: string;
  /** tau in G2. */
  readonly tauG2: string;
  /** alpha in G1. */
  readonly alphaG1: string;
  /** beta in G1. */
  readonly betaG1: string;
  /** beta in G2. */
  readonly betaG2: string;
  /** What proves that the secrets are known. */
  readonly key: Readonly<Record<'tau' | 'alpha' | 'beta', PowersJsonSecret>>;
  /** The state of the hash of the challenge and of all points. */
  readonly partialHash: string;
  /** The challenge of the next contribution. */
  readonly nextChallenge: string;
  /** 1 for a beacon, otherwise 0. */
  readonly type: number;
  /** The hash of the contribution. */
  readonly responseHash: string;
  /** Its name, if it has one. */
  readonly name?: string;
  /** Of a beacon: SHA-256 was applied 2^numIterationsExp times. */
  readonly numIterationsExp?: number;
  /** Of a beacon: its public value. */
  readonly beaconHash?: string;
  /** Its number, from 1 on. */
  readonly id: number;
}

/**
 * Powers of tau as snarkjs exports them. It writes each point and hash as one decimal number, the first 32 bytes that
 * the file has of it divided by 2^256 modulo r: files can be compared by them, points not be read.
 */
export interface PowersJson {
  /** p, a decimal number. */
  readonly q: string;
  /** The powers serve circuits of up to 2^power constraints. */
  readonly power: number;
  /** Their history, the oldest first. */
  readonly contributions: readonly PowersJsonContribution[];
  /** tau^i in G1, 2^(power + 1) - 1 points. */
  readonly tauG1: readonly string[];
  /** tau^i in G2, 2^power points. */
  readonly tauG2: readonly string[];
  /** alpha tau^i in G1. */
  readonly alphaTauG1: readonly string[];
  /** beta tau^i in G1. */
  readonly betaTauG1: readonly string[];
  /** beta in G2, one point. */
  readonly betaG2: readonly string[];
  /** tau in G1 over the Lagrange bases of the domains of 1, 2, 4, .. 2^power points. */
  readonly lTauG1: readonly (readonly string[])[];
  /** tau in G2 over the same bases. */
  readonly lTauG2: readonly (readonly string[])[];
  /** alpha tau^i over the same bases. */
  readonly lAlphaTauG1: readonly (readonly string[])[];
  /** beta tau^i over the same bases. */
  readonly lBetaTauG1: readonly (readonly string[])[];
}

/**
 * Begins powers of tau, the phase 1 of a set-up: tau, alpha and beta are 1. The file is what `snarkjs powersoftau new`
 * writes, byte for byte.
 *
 * @param options the curve and the power, and where the file goes.
 * @returns the file, or nothing of it if `to` is given, and the first challenge.
 * @throws {PippinError} INVALID_ARGUMENT for options out of range or of a wrong type, such as another curve.
 * @throws {PippinError} IO_FAILED when the file cannot be written.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { newPowersOfTau } from 'pippin-prover/ceremony';
 *
 * const { challenge } = await newPowersOfTau({ curve: 'bn254', power: 14, to: 'pot14_0000.ptau' });
 * console.log(challenge);
 * ```
 */
export type NewPowersOfTau = (options: FirstPowersOptions) => Promise<FirstPowers>;

/**
 * Contributes to powers of tau: multiplies them by secret tau, alpha and beta, and adds a record that proves that the
 * secrets are known. The file is what `snarkjs powersoftau contribute` writes, and snarkjs verifies it; as there, the
 * sections of a file that was prepared for phase 2 are left out, and have to be made again. The secrets come from the
 * platform's random generator and from `entropy`, and are overwritten when the call ends, also when it fails; constant
 * time is not claimed. If a single contributor lets go of them, nobody can forge proofs.
 *
 * The file is read and written section by section, and what was written is read once more for its hash: at a path or as
 * a Blob it need not fit in memory; what goes to a stream is kept besides until then.
 *
 * @param ptau the powers with the contributions until now: bytes, or where to read them.
 * @param options the name, entropy, and where the new file goes.
 * @returns the new file, or nothing of it if `to` is given, and the hash to publish.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, or one that has been truncated.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { contributeToPowersOfTau } from 'pippin-prover/ceremony';
 *
 * const made = { name: 'Ada', entropy: 'as typed', to: 'pot14_0001.ptau' };
 * const { hash } = await contributeToPowersOfTau('pot14_0000.ptau', made);
 * console.log(hash);
 * ```
 */
export type ContributeToPowersOfTau = (
  ptau: BinarySource,
  options?: ContributePowersOptions,
) => Promise<ContributedPowers>;

/**
 * Adds a contribution whose secrets follow from a public value, which ends phase 1: everyone can repeat it. The file is
 * what `snarkjs powersoftau beacon` writes, byte for byte.
 *
 * @param ptau the powers with the contributions until now: bytes, or where to read them.
 * @param options the hash and how often SHA-256 is applied to it.
 * @returns the new file, or nothing of it if `to` is given, and the hash of the contribution.
 * @throws {PippinError} INVALID_ARGUMENT for a hash or iterations out of range, options of a wrong type, or no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, or one that has been truncated.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { addBeaconToPowersOfTau } from 'pippin-prover/ceremony';
 *
 * const hash = '0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
 * await addBeaconToPowersOfTau('pot14_0001.ptau', { hash, iterations: 10, to: 'pot14_beacon.ptau' });
 * ```
 */
export type AddBeaconToPowersOfTau = (ptau: BinarySource, options: BeaconPowersOptions) => Promise<ContributedPowers>;

/**
 * Verifies powers of tau: every check of `snarkjs powersoftau verify`, by random linear combinations with weights of
 * 128 bits: that all contributions are made with secrets that were known, and beacons with their hash's secrets; that
 * the points are powers of tau, alpha and beta of the last one, and have the hash that it tells; and that the sections
 * for phase 2, if there are all, are the same points over Lagrange bases. Points outside of the group of prime order
 * are refused besides. Wrong points pass with a probability of 2^-128. As in snarkjs, powers without a contribution are
 * not valid, and the hash of a truncated file is not checked.
 *
 * @param ptau the powers: bytes, or where to read them.
 * @param options of the work.
 * @returns whether they hold, what is wrong if not, and the history with the hashes that contributors have published.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, or a beacon beyond `maxBeaconIterations`.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { verifyPowersOfTau } from 'pippin-prover/ceremony';
 *
 * const { isValid, fault, contributions } = await verifyPowersOfTau('pot14_final.ptau');
 * console.log(isValid ? contributions.map(({ name, hash }) => `${name}: ${hash}`) : fault);
 * ```
 */
export type VerifyPowersOfTau = (ptau: BinarySource, options?: VerificationOptions) => Promise<PowersReport>;

/**
 * Prepares powers of tau for phase 2: adds the same points over the Lagrange bases of all domains, by NTTs over points,
 * with which keys are set up. The file is what `snarkjs powersoftau prepare phase2` writes, byte for byte. The points
 * of one section are held in memory, and once more while their largest domain is transformed.
 *
 * @param ptau the powers after the last contribution: bytes, or where to read them.
 * @param options where the new file goes.
 * @returns the new file, or nothing of it if `to` is given.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, or of power 28 over BN254.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { preparePowersOfTau } from 'pippin-prover/ceremony';
 *
 * await preparePowersOfTau('pot14_beacon.ptau', { to: 'pot14_final.ptau' });
 * ```
 */
export type PreparePowersOfTau = (ptau: BinarySource, options?: NewPowersOptions) => Promise<PreparedPowers>;

/**
 * Converts powers of tau that an old snarkjs prepared for phase 2: adds the points over the Lagrange basis of the
 * domain of 2^(power + 1), which later versions read. The file is what `snarkjs powersoftau convert` writes, byte for
 * byte; only truncated powers differ, which keep the power of their ceremony.
 *
 * @param ptau powers as an old snarkjs prepared them: bytes, or where to read them.
 * @param options where the new file goes.
 * @returns the new file, or nothing of it if `to` is given.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, one that is not prepared, or not by an old
 * snarkjs.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a power of tau that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { convertPowersOfTau } from 'pippin-prover/ceremony';
 *
 * await convertPowersOfTau('pot14_old.ptau', { to: 'pot14_final.ptau' });
 * ```
 */
export type ConvertPowersOfTau = (ptau: BinarySource, options?: NewPowersOptions) => Promise<NewPowers>;

/**
 * Reads all of prepared powers of tau into an object for JSON, the same as `snarkjs powersoftau export json` writes.
 * Points are not checked. It takes some 100 bytes for each point, 13 points for each constraint that the powers serve.
 *
 * @param ptau powers that are prepared for phase 2: bytes, or where to read them.
 * @param options how they are read.
 * @returns the object.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, or one that is not prepared.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point of the history that is infinite or not on its curve.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { powersOfTauToJson } from 'pippin-prover/ceremony';
 *
 * const { power, contributions } = await powersOfTauToJson('pot10_final.ptau');
 * console.log(power, contributions.map(({ id, name }) => `${id}: ${name}`));
 * ```
 */
export type PowersOfTauToJson = (ptau: BinarySource, options?: PowersJsonOptions) => Promise<PowersJson>;

/**
 * Makes prepared powers of tau of a smaller power, for circuits of fewer constraints: the first points of each section.
 * The file is what `snarkjs powersoftau truncate` writes for this power, byte for byte.
 *
 * @param ptau powers that are prepared for phase 2: bytes, or where to read them.
 * @param options the power, and where the new file goes.
 * @returns the new file, or nothing of it if `to` is given, and the power of the old one.
 * @throws {PippinError} INVALID_ARGUMENT for a power that is not smaller, options of a wrong type, or no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version, or one that is not prepared.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point of the history that is infinite or not on its curve.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { truncatePowersOfTau } from 'pippin-prover/ceremony';
 *
 * await truncatePowersOfTau('pot14_final.ptau', { power: 10, to: 'pot14_final_10.ptau' });
 * ```
 */
export type TruncatePowersOfTau = (ptau: BinarySource, options: TruncateOptions) => Promise<TruncatedPowers>;

/**
 * Writes the challenge of the next contribution, for contributors who take no .ptau: the hash of the last response, and
 * all points. The file is what `snarkjs powersoftau export challenge` writes, byte for byte. The points are checked to
 * be in the group of prime order, and to have the hash that the history tells.
 *
 * @param ptau the powers with the contributions until now: bytes, or where to read them.
 * @param options where the challenge goes.
 * @returns the challenge, or nothing of it if `to` is given, and its hash.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself, ends early, or has been truncated.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file of another version.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { exportChallenge } from 'pippin-prover/ceremony';
 *
 * const { hash } = await exportChallenge('pot14_0001.ptau', { to: 'challenge' });
 * console.log(hash);
 * ```
 */
export type ExportChallenge = (ptau: BinarySource, options?: NewPowersOptions) => Promise<NewChallenge>;

/**
 * Contributes to a challenge: the points times secret tau, alpha and beta, and the proof that these are known. The file
 * is what `snarkjs powersoftau challenge contribute` writes; whoever has the .ptau imports it. The secrets are drawn
 * and overwritten as by `contributeToPowersOfTau`.
 *
 * @param challenge the challenge: bytes, or where to read them. It is read twice.
 * @param options the curve, entropy, and where the response goes.
 * @returns the response, or nothing of it if `to` is given, and the hashes of the challenge and of the contribution.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is no source.
 * @throws {PippinError} IO_FAILED when the file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE for a file of another size than a challenge over the curve.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { exportChallenge, respondToChallenge } from 'pippin-prover/ceremony';
 *
 * const { challenge } = await exportChallenge('pot14_0001.ptau');
 * const { hash } = await respondToChallenge(challenge, { curve: 'bn254', entropy: 'as typed', to: 'response' });
 * console.log(hash);
 * ```
 */
export type RespondToChallenge = (challenge: BinarySource, options: RespondOptions) => Promise<NewResponse>;

/**
 * Adds the contribution of a response to the powers of tau that its challenge was exported from. The file is what
 * `snarkjs powersoftau import response` writes, byte for byte. The response is checked for its size, its challenge, and
 * its points to be finite and in the group of prime order; whether it multiplies by secrets that are known,
 * `verifyPowersOfTau` finds out.
 *
 * @param ptau the powers that the challenge was exported from: bytes, or where to read them.
 * @param response the response.
 * @param options the name of the contribution, and where the new file goes.
 * @returns the new file, or nothing of it if `to` is given, and the hashes of the contribution and of the next
 * challenge.
 * @throws {PippinError} INVALID_ARGUMENT for a response to another challenge, options of a wrong type, or no source.
 * @throws {PippinError} IO_FAILED when a file cannot be read or written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for powers of another version, or some that have been truncated.
 * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { exportChallenge, importResponse, respondToChallenge } from 'pippin-prover/ceremony';
 *
 * const { challenge } = await exportChallenge('pot14_0001.ptau');
 * const { response } = await respondToChallenge(challenge, { curve: 'bn254' });
 * const { hash } = await importResponse('pot14_0001.ptau', response, { name: 'Ada', to: 'pot14_0002.ptau' });
 * console.log(hash);
 * ```
 */
export type ImportResponse = (
  ptau: BinarySource,
  response: BinarySource,
  options?: ImportResponseOptions,
) => Promise<ContributedPowers>;
