import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceDescription } from '../engine/engine-api.js';

/** A location that a caller in Node gives: a URL, or else a path. */
export function describePathOrUrl(location: string | URL): SourceDescription {
  if (location instanceof URL || /^(https?|file|data):/.test(location)) {
    const url = new URL(location);
    return url.protocol === 'file:' ? { kind: 'path', path: fileURLToPath(url) } : { kind: 'url', url: url.href };
  }
  return { kind: 'path', path: resolve(location) };
}
