import type { BinarySource, Groth16VerificationKey } from '../api/index.js';
import type { ByteSource } from '../files/byte-source.js';
import { pairingValue } from '../files/snarkjs/pairing-value.js';
import { verificationKeyToJson } from '../files/snarkjs/proof-json.js';
import { readZkey } from '../files/snarkjs/zkey.js';
import type { FileInfo } from './file-info.js';
import type { ReadOptions } from './read-source.js';

/**
 * The verification key that belongs to a Groth16 proving key: the JSON that snarkjs 0.7.6 exports, with
 * `vk_alphabeta_12`. It needs no prover and runs on the caller's thread, where it takes about 0.1 s on a laptop, for
 * the pairing of alpha and beta; a loaded key (`Groth16Key.verificationKey`) has the same JSON, computed on a worker.
 * Only the header and the points of the public signals are read, and checked to be on their curves. The key of a set-up
 * without a contribution is not refused.
 *
 * @param zkey the `.zkey`, or the list of its chunks: bytes, or where to read them.
 * @param options signal, and the limit of a download.
 * @returns the verification key in snarkjs' JSON form.
 * @throws {PippinError} INVALID_ARGUMENT for what is not a source of bytes.
 * @throws {PippinError} IO_FAILED when it cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system.
 * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
 * @throws {PippinError} INVALID_POINT for a point that is not on its curve.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js run
 * import { writeFile } from 'node:fs/promises';
 * import { exportVerificationKey } from 'pippin-prover/encodings';
 *
 * const verificationKey = await exportVerificationKey('note.zkey');
 * await writeFile('vkey.json', JSON.stringify(verificationKey));
 * console.log(verificationKey.curve, verificationKey.nPublic);
 * ```
 */
export type ExportVerificationKey = (
  zkey: BinarySource | readonly BinarySource[],
  options?: ReadOptions,
) => Promise<Groth16VerificationKey>;

/**
 * What a `.zkey`, `.wtns` or `.r1cs` holds, which its first bytes tell apart: curve, sizes, constraints, public
 * signals. It needs no prover. Headers are read section by section, and no value of a witness. Files over curves that
 * Pippin does not have, and keys of PLONK and FFLONK, are described, too.
 *
 * @param file bytes, or where to read them; for a key in chunks the list of its chunks.
 * @param options signal, and the limit of a download.
 * @returns the facts, by `kind` of file.
 * @throws {PippinError} INVALID_ARGUMENT for what is not a source of bytes.
 * @throws {PippinError} IO_FAILED when it cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE for another file, or one that contradicts itself.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another version.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js run
 * import { readInfo } from 'pippin-prover/encodings';
 *
 * const info = await readInfo('note.zkey');
 * if (info.kind === 'zkey') console.log(info.curve, info.constraints, info.publicSignals, info.contributions);
 * ```
 */
export type ReadInfo = (file: BinarySource | readonly BinarySource[], options?: ReadOptions) => Promise<FileInfo>;

/** See `exportVerificationKey` of the entries. */
export async function verificationKeyOf(source: ByteSource): Promise<Groth16VerificationKey> {
  const { curve, points } = await readZkey(source);
  return verificationKeyToJson(curve, points, pairingValue(curve, points.alpha1, points.beta2));
}
