import { readFile, stat, writeFile } from 'node:fs/promises';
import sodium from 'libsodium-wrappers';
import { PippinError } from 'pippin-prover';
import { ownMembers } from '../../../sdk/base/records.js';

/**
 * The workers' keys for sealed boxes of libsodium (X25519). Whoever holds the secret key can read the inputs of all
 * jobs.
 */
export interface KeyPair {
  /** 32 bytes. Submitting jobs needs nothing else. */
  readonly publicKey: Uint8Array;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
}

/**
 * A new pair of keys for sealed boxes. Throws nothing.
 *
 * @returns the keys: the public one for clients that submit jobs, both for workers.
 * @example
 * ```js run
 * import { makeKeyPair } from 'pippin-farm';
 *
 * const { publicKey } = await makeKeyPair();
 * console.log(Buffer.from(publicKey).toString('base64'));
 * ```
 */
export async function makeKeyPair(): Promise<KeyPair> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { publicKey, secretKey: privateKey };
}

/**
 * Writes a pair of keys as JSON to a new file that only its owner can read.
 *
 * @param path of a file that does not exist yet.
 * @param keyPair the keys.
 * @returns when it is written.
 * @throws {PippinError} IO_FAILED when the file exists or cannot be written.
 * @example
 * ```js run
 * import { rm } from 'node:fs/promises';
 * import { makeKeyPair, writeKeyPair } from 'pippin-farm';
 *
 * await rm('farm-keys.json', { force: true });
 * await writeKeyPair('farm-keys.json', await makeKeyPair());
 * console.log('written');
 * ```
 */
export async function writeKeyPair(path: string, { publicKey, secretKey }: KeyPair): Promise<void> {
  const text = JSON.stringify({ publicKey: base64(publicKey), secretKey: base64(secretKey) });
  try {
    await writeFile(path, `${text}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new PippinError('IO_FAILED', `expected to write the keys to a new file ${path}, got an error`, { cause });
  }
}

/**
 * Reads a file of `writeKeyPair`.
 *
 * @param path of the file.
 * @returns the keys.
 * @throws {PippinError} IO_FAILED when the file cannot be read, or when users other than its owner can read it.
 * @throws {PippinError} MALFORMED_FILE when it holds something else, or a public key that does not belong to the secret
 * one.
 * @example
 * ```js run
 * import { makeKeyPair, readKeyPair, writeKeyPair } from 'pippin-farm';
 *
 * const path = `keys-${process.pid}.json`;
 * await writeKeyPair(path, await makeKeyPair());
 * const { publicKey } = await readKeyPair(path);
 * console.log(publicKey.length, 'bytes');
 * ```
 */
export async function readKeyPair(path: string): Promise<KeyPair> {
  const text = await readSecretFile(path);
  await sodium.ready;
  const { publicKey, secretKey } = parsed(text);
  const own = secretKey?.length === 32 ? sodium.crypto_scalarmult_base(secretKey) : undefined;
  if (secretKey !== undefined && own !== undefined && base64(own) === publicKey) return { publicKey: own, secretKey };
  throw new PippinError('MALFORMED_FILE', `expected a pair of keys in ${path}, got something else`);
}

async function readSecretFile(path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new PippinError(
        'IO_FAILED',
        `expected ${path} to be readable by its owner alone, got a file that others can read`,
        {
          hint: `chmod 600 ${path}`,
        },
      );
    }
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof PippinError) throw cause;
    throw new PippinError('IO_FAILED', `expected to read the keys from ${path}, got an error`, { cause });
  }
}

/** The members of the file. The parser's message is not passed on: it would show a part of the file. */
function parsed(text: string): { publicKey?: string; secretKey?: Uint8Array } {
  try {
    const file = ownMembers(JSON.parse(text) as unknown);
    if (typeof file.publicKey !== 'string' || typeof file.secretKey !== 'string') return ownMembers({});
    return { publicKey: file.publicKey, secretKey: new Uint8Array(Buffer.from(file.secretKey, 'base64')) };
  } catch {
    return ownMembers({});
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
