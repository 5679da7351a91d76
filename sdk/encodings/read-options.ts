/** Options of what reads a file. */
export interface ReadOptions {
  /** An aborted call rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
}
