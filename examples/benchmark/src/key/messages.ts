import type { GroupId } from '../../../../sdk/curves/index.js';

/** What the page asks the key maker for. */
export interface KeyRequest {
  /** The logarithm of the number of constraints. */
  readonly log: number;
  /** Workers that multiply. */
  readonly threads: number;
}

/** What it answers: how far it is, from 0 to 1, and at last the files of a key and of a witness. */
export type KeyAnswer =
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'key'; readonly zkey: ArrayBuffer; readonly witness: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string };

/** A task for a worker that multiplies: scalars for a group's generator. The answer is a Uint8Array of points. */
export interface MultiplesTask {
  readonly group: GroupId;
  readonly scalars: readonly bigint[];
}
