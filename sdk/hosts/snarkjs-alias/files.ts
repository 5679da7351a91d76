import type { BinarySource } from '../../api/index.js';
import { joinBytes } from '../../base/bytes.js';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import type { InputFile, OutputFile } from './api.js';

/** Writes a file by its path; undefined on platforms without paths. */
export type WriteFile = ((path: string, bytes: Uint8Array) => Promise<void>) | undefined;

/**
 * What the SDK reads for a name that snarkjs is given: in Node a path, even if it looks like a URL; in a page a URL.
 */
export interface Names {
  readonly locationOf: (name: string) => string;
}

const PAGE_BYTES = 2 ** 22;

/** What the SDK reads in place of a file of snarkjs. `INVALID_ARGUMENT` for anything else. */
export function sourceOf({ locationOf }: Names, file: InputFile, what: string): BinarySource {
  if (typeof file === 'string') return locationOf(file);
  if (ArrayBuffer.isView(file)) return ownRealm(file);
  const { type, fileName, data } = ownMembers(file as unknown);
  if (type === undefined) return file as BinarySource;
  if (type === 'file') return locationOf(fileName as string);
  if (type === 'mem' && ArrayBuffer.isView(data)) return ownRealm(data);
  if (type === 'bigMem' && Array.isArray(data)) return joinBytes(data);
  throw new PippinError('INVALID_ARGUMENT', `expected ${what} with data, got a file of snarkjs without any`);
}

/** The same bytes as an array of this realm: a frame, or a test in Jest, has another. */
function ownRealm({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Writes a whole file. `INVALID_ARGUMENT` for what is no file, and for a path where there are none. */
export async function writeTo(file: OutputFile, bytes: Uint8Array, writeFile: WriteFile): Promise<void> {
  const path = typeof file === 'string' ? file : file?.type === 'file' ? file.fileName : undefined;
  if (path !== undefined) {
    if (writeFile === undefined) {
      throw new PippinError('INVALID_ARGUMENT', `expected a file in memory ({ type: 'mem' }), got the path ${path}`);
    }
    await writeFile(path, bytes);
  } else if (typeof file === 'object' && file?.type === 'mem') file.data = bytes;
  else if (typeof file === 'object' && file?.type === 'bigMem') file.data = pagesOf(bytes);
  else throw new PippinError('INVALID_ARGUMENT', `expected a path or a file of snarkjs, got ${describeType(file)}`);
}

function pagesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / PAGE_BYTES) }, (_, i) =>
    bytes.slice(i * PAGE_BYTES, (i + 1) * PAGE_BYTES),
  );
}
