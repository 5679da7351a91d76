/** A file that a generator writes, its path relative to the repository's root. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}
