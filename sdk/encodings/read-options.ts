/** Options of what reads a file. */
export interface ReadOptions {
  /** An aborted call rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** The most bytes that are downloaded of a file at a URL, as `LoadOptions.maxBytes`: `DOWNLOAD_TOO_LARGE` for more. Default 2^33 (8 GiB). */
  readonly maxBytes?: number;
}
