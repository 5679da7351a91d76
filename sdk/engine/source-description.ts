import type { ServedBlob } from '../files/byte-source.js';

/** A source as plain data: bytes, which then belong to the engine, or where to read them. A key may come in chunks. */
export type SourceDescription =
  | { readonly kind: 'chunks'; readonly chunks: readonly SourceDescription[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'blob'; readonly blob: Blob }
  /** A Blob in Node. */
  | { readonly kind: 'served'; readonly blob: ServedBlob }
  /** The name is what a list of the cache's records calls it, where there is such a list. */
  | { readonly kind: 'url'; readonly url: string; readonly name?: string | undefined }
  | { readonly kind: 'path'; readonly path: string };
