import { PippinError } from '../errors.js';
import { type ByteSource, blobSource, memorySource } from '../io/byte-source.js';
import { urlSource } from '../io/url-source.js';
import { joinZkeyChunks } from '../snarkjs/zkey-chunks.js';
import { freeMemory } from '../transport/free-memory.js';
import type { SourceDescription } from './engine-api.js';
import type { EnginePlatform } from './platform.js';

/** Opens what the caller described. `IO_FAILED` when it cannot be read; chunks fail as `joinZkeyChunks` does. */
export async function openSource(
  platform: EnginePlatform,
  description: SourceDescription,
  signal: AbortSignal,
): Promise<ByteSource> {
  switch (description.kind) {
    case 'bytes':
      return memorySource(description.bytes);
    case 'blob':
      return blobSource(description.blob);
    case 'url':
      return urlSource(description.url, signal);
    case 'path':
      if (platform.openFile === undefined) {
        throw new PippinError('INVALID_ARGUMENT', `expected a URL or bytes, got the path ${description.path}`);
      }
      return platform.openFile(description.path);
    case 'chunks':
      return joinZkeyChunks(await Promise.all(description.chunks.map((chunk) => openSource(platform, chunk, signal))));
  }
}

/** Reads what the caller described, and frees it afterwards if it is bytes. */
export async function readOnce<T>(
  platform: EnginePlatform,
  description: SourceDescription,
  signal: AbortSignal,
  read: (source: ByteSource) => Promise<T>,
): Promise<T> {
  try {
    return await read(await openSource(platform, description, signal));
  } finally {
    if (description.kind === 'bytes') freeMemory(description.bytes);
  }
}
