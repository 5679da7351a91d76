import type { BinarySource, Prover, ProverOptions } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import type { BellmanCeremonies } from '../../ceremony/bellman/bellman.js';
import type { Ceremonies } from '../../ceremony/ceremony.js';
import type { PowersOfTau } from '../../ceremony/powers/powers-of-tau.js';
import type { UniversalSetUps } from '../../ceremony/universal/universal-keys.js';
import { type FilePlatform, type ReadOptions, readSource } from '../../encodings/read-source.js';
import type { ByteSource } from '../../files/byte-source.js';
import type { WorkerChannel, WorkerScope } from '../../transport/channel.js';
import type { AssetPlaces, Locate } from '../prover/asset-places.js';
import { AliasProver } from './alias-prover.js';
import type { AliasOptions, InputFile } from './api.js';
import { type Names, sourceOf, type WriteFile } from './files.js';
import { StandInCurves } from './stand-in-curves.js';

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

/** What all calls of the alias share: the platform, the session with the options of `configure`, and the curves. */
export class AliasContext {
  readonly prover: AliasProver;
  readonly curves: StandInCurves;

  constructor(readonly platform: AliasPlatform) {
    this.prover = new AliasProver((options) => platform.createProver(options));
    this.curves = new StandInCurves(() => this.prover.endSoon());
  }

  /** Options from the next call on, as `AliasProver.configure`. */
  configure(options: AliasOptions): void {
    this.prover.configure(options);
    if (!this.hasCurveGlobals) this.curves.removeFromGlobals();
  }

  /** The options that calls follow at present. */
  get configured(): AliasOptions {
    return this.prover.configured;
  }

  /** The call, which leaves curves in the globals, as in snarkjs. */
  withGlobals<Args extends unknown[], Result>(
    call: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return (...args) => {
      if (this.hasCurveGlobals) this.curves.putInGlobals();
      return call(...args);
    };
  }

  /** The options of calls that download files. */
  get downloadLimit(): Pick<ReadOptions, 'maxBytes'> {
    const { maxBytes } = this.configured;
    return maxBytes === undefined ? {} : { maxBytes };
  }

  /** What the SDK reads in place of a file of snarkjs. `INVALID_ARGUMENT` for anything else. */
  sourceOf(file: InputFile, what: string): BinarySource {
    return sourceOf(this.platform, file, what);
  }

  /** Calls `read` with an opened file of snarkjs, on the caller's thread. */
  async read<T>(file: InputFile, what: string, read: (source: ByteSource) => Promise<T>): Promise<T> {
    return readSource(this.platform, this.sourceOf(file, what), what, this.downloadLimit, read);
  }

  private get hasCurveGlobals(): boolean {
    return this.configured.curveGlobals ?? true;
  }
}

/** A call of snarkjs that is not here. It rejects, as all calls of snarkjs return promises. */
export type MissingCall = (...args: unknown[]) => Promise<never>;

/** Functions that reject with the name of the call and what to use instead. */
export function missingCalls<const Name extends string>(
  namespace: string,
  names: readonly Name[],
): Record<Name, MissingCall> {
  const entries = names.map((name) => [name, missingCall(`${namespace}.${name}`)] as const);
  return Object.fromEntries(entries) as Record<Name, MissingCall>;
}

function missingCall(name: string): MissingCall {
  return async () => {
    throw new PippinError('UNSUPPORTED_CALL', `expected a call that pippin-prover/snarkjs has, got ${name}()`, {
      hint: 'use snarkjs itself for it, by its command line or under another name',
    });
  };
}
