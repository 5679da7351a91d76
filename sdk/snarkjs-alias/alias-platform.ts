import type { Prover, ProverOptions } from '../api.js';
import type { FilePlatform } from '../encodings/read-source.js';
import type { Names, WriteFile } from './files.js';

/** What the alias needs from its platform, a browser or Node. */
export interface AliasPlatform extends FilePlatform, Names {
  createProver(options: ProverOptions): Promise<Prover>;
  readonly writeFile: WriteFile;
  /** The size of a file, and a text that changes when somebody writes to it; undefined on platforms without paths. */
  readonly fileVersion: ((path: string) => Promise<{ bytes: number; version: string }>) | undefined;
}
