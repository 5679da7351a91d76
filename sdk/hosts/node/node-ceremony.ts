import { createHash, getHashes, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { bellmanOn } from '../../ceremony/bellman/bellman.js';
import { type CeremonyPlatform, ceremonyOn } from '../../ceremony/ceremony.js';
import type { BulkHash } from '../../ceremony/ceremony-work.js';
import { newBlake2b } from '../../ceremony/contributions.js';
import type { NewFile } from '../../ceremony/new-output.js';
import { powersOfTauOn } from '../../ceremony/powers/powers-of-tau.js';
import { universalKeysOn } from '../../ceremony/universal/universal-keys.js';
import { nodeCallerPlatform } from './node-caller.js';
import { nodeEnginePlatform } from './node-engine.js';
import { nodeFiles } from './node-files.js';

/** What a ceremony uses in Node. */
export const nodeCeremonyPlatform: CeremonyPlatform = {
  ...nodeEnginePlatform,
  ...nodeFiles,
  locate: nodeCallerPlatform.locate,
  spawnKernel: ({ assets }) => nodeEnginePlatform.spawnKernel(assets),
  newHash,
  createFile,
};

export const { newKey, contribute, beacon, verifyContributions, describeKey } = ceremonyOn(nodeCeremonyPlatform);
export const { exportBellman, contributeBellman, importBellman } = bellmanOn(nodeCeremonyPlatform);
export const {
  newPowersOfTau,
  contributeToPowersOfTau,
  addBeaconToPowersOfTau,
  verifyPowersOfTau,
  preparePowersOfTau,
  convertPowersOfTau,
  powersOfTauToJson,
  truncatePowersOfTau,
  exportChallenge,
  respondToChallenge,
  importResponse,
} = powersOfTauOn(nodeCeremonyPlatform);
export const { newUniversalKey } = universalKeysOn(nodeCeremonyPlatform);

/** OpenSSL's Blake2b, which takes a twentieth of the time of one in JavaScript, where Node is built with it. */
function newHash(): BulkHash {
  if (!getHashes().includes('blake2b512')) return newBlake2b();
  const hash = createHash('blake2b512');
  return { update: (bytes) => hash.update(bytes), digest: () => new Uint8Array(hash.digest()) };
}

/** A file that replaces what is at the path when it is complete: until then it has another name in the same folder. */
async function createFile(place: string | URL): Promise<NewFile> {
  const path = place instanceof URL ? fileURLToPath(place) : resolve(place);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const file = await open(temporary, 'wx+').catch((error: unknown) => fail(path, error));
  const abort = async (): Promise<void> => {
    await file.close();
    await rm(temporary, { force: true });
  };
  return {
    async write(bytes) {
      try {
        // Reads say their place, and leave the file's position alone.
        for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
        freeMemory(bytes);
      } catch (error) {
        fail(path, error);
      }
    },
    async close() {
      try {
        await file.close();
        await rename(temporary, path);
      } catch (error) {
        fail(path, error);
      }
    },
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      try {
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        if (bytesRead < length) throw new Error(`${bytesRead} bytes of ${length} at ${offset}`);
      } catch (error) {
        fail(path, error);
      }
      return bytes;
    },
    abort,
  };
}

function fail(path: string, cause: unknown): never {
  throw new PippinError('IO_FAILED', `expected to write ${path}, got: ${String(cause)}`, { cause });
}
