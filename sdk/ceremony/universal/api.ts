import type { BinarySource } from '../../api/index.js';
import type { SetUpOptions } from '../api.js';

/** A proof system whose keys follow from the powers of tau alone. */
export type UniversalProtocol = 'plonk' | 'fflonk';

/** Options of `newUniversalKey`. */
export interface UniversalSetUpOptions extends SetUpOptions {
  /** The proof system of the key. */
  readonly protocol: UniversalProtocol;
}

/** A PLONK or FFLONK key as a set-up makes it. */
export interface UniversalSetUpKey {
  /** The key; undefined if it was written elsewhere (`to`). */
  readonly zkey?: Blob;
  /** The gates of the circuit: one for each public signal, constraint, and addition of long linear combinations. */
  readonly gates: number;
  /** The elements of the key's domain, a power of two: at least as many as gates; 2 more for FFLONK. */
  readonly domainSize: number;
}

/**
 * Makes the PLONK or FFLONK key of a circuit from powers of tau. The file is what `snarkjs plonk setup` or `snarkjs
 * fflonk setup` writes, byte for byte; FFLONK over BLS12-381, where snarkjs writes keys whose proofs do not verify, has
 * other roots of unity. It is complete: there is no secret and no ceremony but the powers of tau.
 *
 * The powers need not be prepared for phase 2, but with prepared ones a PLONK key takes less time. With n elements of
 * the domain, a PLONK key takes n + 6 of them and an FFLONK key 9 n + 18. They are checked to be in the group of prime
 * order, but not to be powers of one tau: take the file from a ceremony that you trust.
 *
 * The .ptau is read in ranges, the key written section by section. In memory are 300 bytes for each element of the
 * domain (FFLONK: 600), 40 for each gate, and some polynomials of 160 bytes for each element.
 *
 * @param r1cs the circuit as circom writes it (`--r1cs`): bytes, or where to read them.
 * @param ptau the powers of tau, of a power k with 2^k >= n, or for FFLONK 2^k >= 8 n.
 * @param options the proof system, and where the key goes.
 * @returns the key, or nothing of it if `to` is given, and its sizes.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, what is no source, or too few powers of tau.
 * @throws {PippinError} IO_FAILED when a file cannot be read, or the key cannot be written.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when a file contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT when the circuit has custom gates or, over BN254, more than 2^26 gates.
 * @throws {PippinError} CURVE_MISMATCH when circuit and powers are of different curves, or of one without a pairing
 * here.
 * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
 * @throws {PippinError} OUT_OF_MEMORY when memory is short.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { newUniversalKey } from 'pippin-prover/ceremony';
 *
 * const { gates } = await newUniversalKey('note.r1cs', 'pot14.ptau', { protocol: 'plonk', to: 'note.plonk.zkey' });
 * console.log(gates);
 * ```
 */
export type CreateUniversalKey = (
  r1cs: BinarySource,
  ptau: BinarySource,
  options: UniversalSetUpOptions,
) => Promise<UniversalSetUpKey>;
