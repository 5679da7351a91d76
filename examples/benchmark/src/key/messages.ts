import type { Protocol } from '../protocols.js';

/** What the page asks the key maker for (bench/page-key). */
export interface KeyRequest {
  readonly protocol: Protocol;
  /** The logarithm of the number of constraints or gates. */
  readonly log: number;
  /** Workers that multiply. */
  readonly threads: number;
  /** The addresses of the package's bn254.wasm and bn254-scalars.wasm. */
  readonly wasm: string;
  readonly scalarsWasm: string;
}

/** What it answers: how far it is, from 0 to 1, and at last the files of a key and of a witness. */
export type KeyAnswer =
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'key'; readonly zkey: ArrayBuffer; readonly witness: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string };
