import type { BinarySource, Groth16VerificationKey, VerificationKey } from '../api/index.js';
import type { CurveId } from '../curves/index.js';
import type { ByteSource } from '../files/byte-source.js';
import { fflonkVerificationKeyToJson } from '../files/snarkjs/fflonk-json.js';
import { readFflonkZkey } from '../files/snarkjs/fflonk-zkey.js';
import { verificationKeyToJson } from '../files/snarkjs/groth16-json.js';
import { pairingValue } from '../files/snarkjs/pairing-value.js';
import { plonkVerificationKeyToJson } from '../files/snarkjs/plonk-json.js';
import { readPlonkZkey } from '../files/snarkjs/plonk-zkey.js';
import { readZkey } from '../files/snarkjs/zkey.js';
import { readProtocol } from '../files/snarkjs/zkey-header.js';
import type { Protocol } from '../proofs/parts.js';
import { type FileInfo, fileInfo } from './file-info.js';
import { type FilePlatform, type ReadOptions, readSource } from './read-source.js';

/**
 * The verification key that belongs to a proving key: the JSON that snarkjs 0.7.6 exports. It needs no prover and runs
 * on the caller's thread; a loaded key has the same JSON as its `verificationKey`. The file tells the proof system:
 *
 * - Groth16, with `vk_alphabeta_12`: about 0.1 s on a laptop, for the pairing of alpha and beta, which a loaded key has
 *   computed on a worker. Only the header and the points of the public signals are read. The key of a set-up without a
 *   contribution is not refused.
 * - PLONK: only the header is read.
 *
 * The points are checked to be on their curves.
 *
 * @typeParam Key the type of the verification key, such as `PlonkVerificationKey`: the compiler does not see the file.
 * @param zkey the `.zkey`, or the list of its chunks: bytes, or where to read them.
 * @param options signal, and the limit of a download.
 * @returns the verification key in snarkjs' JSON form.
 * @throws {PippinError} INVALID_ARGUMENT for what is not a source of bytes.
 * @throws {PippinError} IO_FAILED when it cannot be read.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a proof system that Pippin does not have.
 * @throws {PippinError} CURVE_MISMATCH for a curve without proofs in Pippin.
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
export type ExportVerificationKey = <Key extends VerificationKey = Groth16VerificationKey>(
  zkey: BinarySource | readonly BinarySource[],
  options?: ReadOptions,
) => Promise<Key>;

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

/** A proving key whose header has been read: what a witness must fit, and its verification key. */
interface ReadKey {
  readonly curve: CurveId;
  readonly facts: { readonly variables: number };
  verificationKey(): VerificationKey;
}

/** How the header of each proof system's keys is read. */
const KEY_READERS: Readonly<Record<Protocol, (zkey: ByteSource) => Promise<ReadKey>>> = {
  async groth16(zkey) {
    const { curve, facts, points } = await readZkey(zkey);
    const { alpha1, beta2 } = points;
    return {
      curve,
      facts,
      verificationKey: () => verificationKeyToJson(curve, points, pairingValue(curve, alpha1, beta2)),
    };
  },
  async plonk(zkey) {
    const key = await readPlonkZkey(zkey);
    return { ...key, verificationKey: () => plonkVerificationKeyToJson(key) };
  },
  async fflonk(zkey) {
    const key = await readFflonkZkey(zkey);
    return { ...key, verificationKey: () => fflonkVerificationKeyToJson(key) };
  },
};

/** The header of a proving key of any proof system; errors as in `readProtocol` and of the key's reader. */
export async function readKey(source: ByteSource): Promise<ReadKey> {
  return KEY_READERS[await readProtocol(source)](source);
}

/** See `exportVerificationKey` of the entries. */
export async function verificationKeyOf<Key extends VerificationKey>(source: ByteSource): Promise<Key> {
  return (await readKey(source)).verificationKey() as Key;
}

/** The functions of a platform, a browser or Node, which read files of callers. */
export function fileFunctionsOn(platform: FilePlatform): {
  readonly exportVerificationKey: ExportVerificationKey;
  readonly readInfo: ReadInfo;
} {
  return {
    exportVerificationKey: <Key extends VerificationKey>(...[zkey, options]: Parameters<ExportVerificationKey>) =>
      readSource(platform, zkey, 'a .zkey', options, verificationKeyOf<Key>),
    readInfo: (file, options) => readSource(platform, file, 'a .zkey, .wtns or .r1cs', options, fileInfo),
  };
}
