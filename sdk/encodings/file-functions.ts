import type { BinarySource, Groth16VerificationKey } from '../api/index.js';
import type { ByteSource } from '../files/byte-source.js';
import { pairingValue } from '../files/snarkjs/pairing-value.js';
import { verificationKeyToJson } from '../files/snarkjs/proof-json.js';
import { readZkey } from '../files/snarkjs/zkey.js';
import type { FileInfo } from './file-info.js';
import type { ReadOptions } from './read-source.js';

/**
 * The verification key that belongs to a Groth16 proving key (`.zkey`, or the list of its chunks): the JSON that
 * snarkjs 0.7.6 exports, with `vk_alphabeta_12`. It needs no prover and runs on the caller's thread, where it takes
 * about 0.1 s on a laptop, for the pairing of alpha and beta; a loaded key (`Groth16Key.verificationKey`) has the same
 * JSON, computed on a worker. Only the header and the points of the public signals are read, and checked to be on their
 * curves. The key of a set-up without a contribution is not refused.
 *
 * Rejects with `INVALID_ARGUMENT` for what is not a source of bytes, `IO_FAILED` when it cannot be read,
 * `MALFORMED_FILE`, `UNSUPPORTED_FORMAT` for another proof system, `CURVE_MISMATCH` for a curve without Groth16 in
 * Pippin, `INVALID_POINT` for a bad point, and `ABORTED`.
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
 * Rejects with `INVALID_ARGUMENT` for what is not a source of bytes, `IO_FAILED` when it cannot be read,
 * `MALFORMED_FILE` for another file or one that contradicts itself, `UNSUPPORTED_FORMAT` for another version, and
 * `ABORTED`.
 */
export type ReadInfo = (file: BinarySource | readonly BinarySource[], options?: ReadOptions) => Promise<FileInfo>;

/** See `exportVerificationKey` of the entries. */
export async function verificationKeyOf(source: ByteSource): Promise<Groth16VerificationKey> {
  const { curve, points } = await readZkey(source);
  return verificationKeyToJson(curve, points, pairingValue(curve, points.alpha1, points.beta2));
}
