import type { BinarySource, ProverOptions } from '../api/index.js';
import { throwIfAborted, untilAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { OptionReader } from '../base/option-reader.js';
import { kernelCount, type ThreadPlatform } from '../engine/platform.js';
import { KernelPool } from '../executors/workers/pool/pool.js';
import { poolUnpacking } from '../executors/workers/pool/unpacking-kernels.js';
import { type ByteSource, slicesOf } from '../files/byte-source.js';
import { toHex } from '../files/cache/sha256.js';
import { GrowingBytes } from '../files/growing-bytes.js';
import { packZkey } from '../files/packed/pack.js';
import { openPackedKey, type UnpackingKernels } from '../files/packed/packed-key.js';
import { type AssetPlaces, assetPlaces, type Locate } from '../hosts/prover/asset-places.js';
import type { WorkerChannel } from '../transport/channel.js';
import { type FilePlatform, filesOf, type ReadOptions, readAsItIs } from './read-source.js';

/** Options of `unpackKey`, which `packKey` has, too. */
export interface PackingOptions extends ReadOptions {
  /**
   * Called with the fraction of the work that is done, from 0 to 1.
   *
   * @defaultValue none
   */
  readonly onProgress?: (fraction: number) => void;
  /**
   * Kernel workers that compute points; they end with the call.
   *
   * @defaultValue the threads of the machine, at most 16
   */
  readonly threads?: number;
  /**
   * Where the package's files lie, as `ProverOptions.assets`.
   *
   * @defaultValue beside the package's scripts
   */
  readonly assets?: NonNullable<ProverOptions['assets']>;
}

/** Options of `packKey`. */
export interface PackKeyOptions extends PackingOptions {
  /**
   * Whether points are packed as x and the sign of y, or with both coordinates: half as many bytes, or no square roots
   * when the key is loaded.
   *
   * @defaultValue `compressed`
   */
  readonly points?: 'compressed' | 'plain';
}

/** What `packKey` gives. */
export interface PackedKey {
  /** The packed key. */
  readonly pzkey: Blob;
  /** The SHA-256 of its bytes, 64 hexadecimal digits: what `LoadOptions.sha256` pins. */
  readonly sha256: string;
  /** Bytes of the .zkey. */
  readonly zkeyBytes: number;
}

/** What `unpackKey` gives. */
export interface UnpackedKey {
  /** The .zkey. */
  readonly zkey: Blob;
  /** The SHA-256 of its bytes, 64 hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Packs a .zkey of any proof system to 20 to 40% of its bytes, which every `loadKey` takes in its place. The
 * same key has the same packed bytes on every machine. What was packed is unpacked again by workers of the call, and
 * compared; a section that would not come back byte by byte is packed as it is. In memory is the packed key.
 *
 * @param zkey the `.zkey`, or the list of its chunks: bytes, or where to read them.
 * @param options how points are packed, the signal, workers, and the limit of a download.
 * @returns the packed key, and its SHA-256, to pin it.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is not a source of bytes.
 * @throws {PippinError} IO_FAILED when it cannot be read, or the code for packing cannot be loaded.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE when it contradicts itself, ends early, or is packed already.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a proof system that Pippin does not have.
 * @throws {PippinError} CURVE_MISMATCH for a curve without proofs in Pippin.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js run
 * import { writeFile } from 'node:fs/promises';
 * import { packKey } from 'pippin-prover/encodings';
 *
 * const { pzkey, sha256, zkeyBytes } = await packKey('note.zkey');
 * await writeFile('note.pzkey', pzkey.stream());
 * console.log(`${pzkey.size} bytes for ${zkeyBytes}; loadKey takes sha256: '${sha256}'`);
 * ```
 */
export type PackKey = (zkey: BinarySource | readonly BinarySource[], options?: PackKeyOptions) => Promise<PackedKey>;

/**
 * Gives back the .zkey that a packed key was made of, byte by byte: its SHA-256 is in the packed key, and is compared.
 * Workers of the call compute its points.
 *
 * @param pzkey the packed key: bytes, or where to read them.
 * @param options the signal, workers, and the limit of a download.
 * @returns the .zkey and its hash.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, or what is not a source of bytes.
 * @throws {PippinError} IO_FAILED when it cannot be read, or the code for packing cannot be loaded.
 * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
 * @throws {PippinError} MALFORMED_FILE for another file, and one that was damaged or contradicts itself.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another version.
 * @throws {PippinError} CURVE_MISMATCH for a curve without proofs in Pippin.
 * @throws {PippinError} INVALID_POINT for an x that belongs to no point of the curve.
 * @throws {PippinError} OUT_OF_MEMORY when a worker lacks memory.
 * @throws {PippinError} WORKER_FAILED when workers cannot start.
 * @throws {PippinError} ABORTED when the signal fires.
 * @example
 * ```js
 * import { writeFile } from 'node:fs/promises';
 * import { unpackKey } from 'pippin-prover/encodings';
 *
 * const { zkey, sha256 } = await unpackKey('note.pzkey');
 * await writeFile('note.zkey', zkey.stream());
 * console.log(sha256);
 * ```
 */
export type UnpackKey = (pzkey: BinarySource, options?: PackingOptions) => Promise<UnpackedKey>;

/** What packing needs from its platform, a browser or Node. */
export interface PackingPlatform extends FilePlatform, Pick<ThreadPlatform, 'threads' | 'compileWasm' | 'makeSha256'> {
  readonly locate: Locate;
  spawnKernel(places: AssetPlaces): WorkerChannel;
}

/** See `packKey` and `unpackKey` of the entry. */
export function packingOn(platform: PackingPlatform): { readonly packKey: PackKey; readonly unpackKey: UnpackKey } {
  const { makeSha256 } = platform;
  return {
    async packKey(zkey, options) {
      const reader = new OptionReader(options, 'the options of packKey');
      const isCompressed = reader.word('points', ['compressed', 'plain']) !== 'plain';
      const setup = setupOf(platform, reader);
      const { files, onProgress } = setup;
      return readAsItIs(platform, zkey, 'a .zkey', files, (source) =>
        withKernels(platform, setup, async (kernels) => {
          const { signal } = files;
          const parts = await packZkey(source, { isCompressed, kernels, makeSha256, signal, onProgress });
          const hash = await makeSha256();
          for (const part of parts) hash.update(part);
          const pzkey = new Blob(parts as Uint8Array<ArrayBuffer>[]);
          return { pzkey, sha256: toHex(hash.digest()), zkeyBytes: source.size };
        }),
      );
    },

    async unpackKey(pzkey, options) {
      const setup = setupOf(platform, new OptionReader(options, 'the options of unpackKey'));
      return readAsItIs(platform, pzkey, 'a packed key', setup.files, (source) =>
        withKernels(platform, setup, (kernels) => unpacked(source, kernels, setup, makeSha256)),
      );
    },
  };
}

interface Setup {
  readonly threads: number | undefined;
  readonly places: AssetPlaces;
  readonly files: ReadOptions;
  readonly onProgress: (fraction: number) => void;
}

/** The most threads that a caller can ask for. */
const MOST_THREADS = 1024;

/** Reads the last options: `INVALID_ARGUMENT` if there are others. */
function setupOf({ locate }: PackingPlatform, reader: OptionReader): Setup {
  const files = filesOf(reader);
  const listener = reader.listener<number>('onProgress');
  const setup = { threads: reader.integer('threads', 1, MOST_THREADS), places: assetPlaces(reader, locate) };
  reader.expectNoOthers();
  let told = -1;
  return {
    ...setup,
    files,
    // A section that is packed in another way is compared again.
    onProgress(fraction) {
      if (fraction > told) listener?.tell(fraction);
      told = Math.max(told, fraction);
    },
  };
}

/** Runs `work` with workers that unpack keys; they end with it. */
async function withKernels<T>(
  { spawnKernel, compileWasm, threads: reported }: PackingPlatform,
  { threads, places, files: { signal } }: Setup,
  work: (kernels: UnpackingKernels) => Promise<T>,
): Promise<T> {
  const pool = new KernelPool(() => spawnKernel(places), kernelCount(threads, reported));
  const kernels = poolUnpacking(pool, (curve) => pool.open(curve, (part) => compileWasm(curve, part, places.assets)));
  try {
    return await untilAborted(work(kernels), signal);
  } finally {
    await pool.dispose();
  }
}

async function unpacked(
  source: ByteSource,
  kernels: UnpackingKernels,
  { files: { signal }, onProgress }: Setup,
  makeSha256: PackingPlatform['makeSha256'],
): Promise<UnpackedKey> {
  const { header, zkey } = await openPackedKey(source, kernels);
  const hash = await makeSha256();
  const bytes = new GrowingBytes();
  for await (const slice of slicesOf(zkey, onProgress)) {
    throwIfAborted(signal);
    hash.update(slice);
    bytes.append(slice.slice());
  }
  const [expected, sha256] = [toHex(header.sha256), toHex(hash.digest())];
  if (sha256 !== expected) {
    throw new PippinError('MALFORMED_FILE', `expected a .zkey with the SHA-256 ${expected}, got one with ${sha256}`);
  }
  onProgress(1);
  return { zkey: bytes.blob(), sha256 };
}
