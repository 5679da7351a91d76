import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { fileFunctionsOn } from '../../encodings/file-functions.js';
import type { FilePlatform } from '../../encodings/read-source.js';
import type { SourceDescription } from '../../files/byte-source.js';
import { nameOfUrl } from '../../files/source-name.js';
import { openPathOrBlob, serveBlob } from '../../transport/served-blob.js';
import type { DescribeLocation } from '../prover/caller-source.js';

/**
 * What a caller in Node gives, for a thread of the engine: a URL, a path, or a Blob. No Blob is cloned: a Blob of
 * `fs.openAsBlob` cannot be, and a part of it can, but Node 20 crashes when another thread reads it.
 */
export const describePathOrUrl: DescribeLocation = Object.assign(describe, {
  serve: (blob: Blob) => (types.isProxy(blob) ? undefined : ({ kind: 'served', blob: serveBlob(blob) } as const)),
});

/** The same for what is read on the caller's own thread. */
export const describeHere: DescribeLocation = Object.assign(describe.bind(undefined), {
  // The size of what only claims to be a Blob cannot be read.
  serve: (blob: Blob) => (types.isProxy(blob) || blob.size < 0 ? undefined : ({ kind: 'blob', blob } as const)),
});

/** A string is a path unless it is a URL. */
function describe(location: string | URL): SourceDescription {
  if (location instanceof URL || /^(https?|file|data):/.test(location)) {
    const url = new URL(location);
    if (url.protocol === 'file:') return { kind: 'path', path: fileURLToPath(url) };
    return { kind: 'url', url: url.href, name: nameOfUrl(url.href) };
  }
  return { kind: 'path', path: resolve(location) };
}

/** How files are opened in Node, on the caller's own thread. */
export const nodeFiles: FilePlatform = { describeLocation: describeHere, openFile: openPathOrBlob };

export const { exportVerificationKey, readInfo } = fileFunctionsOn(nodeFiles);
