import type { ProveOptions, ProvingKeyLoadOptions } from '../../api/index.js';

/**
 * A file of the extension, or another URL that its document may fetch. A path is relative to the root of the extension,
 * whichever page gives it: `keys/spend.zkey` and `/keys/spend.zkey` are the same file.
 */
export type ExtensionFile = string | URL;

/** Options of a proof that the document makes for another page. */
export interface ExtensionProveOptions extends ProveOptions {
  /**
   * A name for the proof, 1 to 200 characters that hold no secret. With it the proof belongs to the document and not to
   * the caller: it goes on when the popup is closed or the service worker is ended, any page of the extension can wait
   * for it with `result(id)`, and its result is kept for `keepResultsMs`. A second proof with the id of a kept one is
   * refused (`INVALID_ARGUMENT`), so that one request is proved once.
   *
   * Without it, the proof is aborted when its caller disappears.
   *
   * @defaultValue none
   */
  readonly id?: string;
}

/**
 * A proving key that the document loads for a proof, unless it is loaded. Then loading belongs to the proof: the
 * progress of both is one scale, and loading ends with the proof, and goes on with it where that has an `id`.
 */
export interface KeyFile {
  /** The `.zkey`; a key in chunks is the list of its files. */
  readonly zkey: ExtensionFile | readonly ExtensionFile[];
  /**
   * Options of loading it, as in `loadKey` of the proof system.
   *
   * @defaultValue none
   */
  readonly options?: Omit<ProvingKeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
}
