import type { Prover, ProverOptions } from '../../api/index.js';
import type { BellmanCeremonies } from '../../ceremony/bellman/bellman.js';
import type { Ceremonies } from '../../ceremony/ceremony.js';
import type { PowersOfTau } from '../../ceremony/powers/powers-of-tau.js';
import type { UniversalSetUps } from '../../ceremony/universal/universal-keys.js';
import type { FilePlatform } from '../../encodings/read-source.js';
import type { WorkerChannel, WorkerScope } from '../../transport/channel.js';
import type { AssetPlaces, Locate } from '../prover/asset-places.js';
import type { Names, WriteFile } from './files.js';

/** What the alias needs from its platform, a browser or Node. */
export interface AliasPlatform extends FilePlatform, Names {
  /** `IO_FAILED` if the code cannot be loaded. */
  loadCeremonies(): Promise<Ceremonies & PowersOfTau & BellmanCeremonies & UniversalSetUps>;
  createProver(options: ProverOptions): Promise<Prover>;
  readonly locate: Locate;
  /** @param places where the caller says that the package's files lie. */
  spawnWitness(places: AssetPlaces): WorkerChannel;
  /** A connection to what runs on the caller's own thread. */
  connectHere(start: (scope: WorkerScope) => void): WorkerChannel;
  readonly writeFile: WriteFile;
  /** The size of a file, and a text that changes when somebody writes to it; undefined on platforms without paths. */
  readonly fileVersion: ((path: string) => Promise<{ bytes: number; version: string }>) | undefined;
}
