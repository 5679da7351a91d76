import type {
  BackendChoice,
  Capabilities,
  CircuitInputs,
  DeviceProcess,
  MsmCheck,
  NumberForm,
  PerformanceMap,
  Report,
  WasmModuleName,
} from '../api/index.js';
import type { ProgressEvent } from '../api/progress.js';
import type { LoadedTuning, Tuning } from '../bases/multiples.js';
import type { CurveId, GroupId } from '../curves/index.js';
import type { SourceDescription } from '../files/byte-source.js';
import type { BatchVerdict } from '../proofs/batch/verify-batch.js';
import type { Protocol } from '../proofs/parts.js';
import type { Statement, StatementBatch } from '../proofs/proof-system.js';
import type { KzgReply, KzgTask } from './kzg-api.js';

/** What the engine is started with: the caller's options as plain data that can be sent to a worker. */
export interface EngineConfig {
  readonly backend: BackendChoice;
  /** 0 on the caller's own thread. */
  readonly threads: number | undefined;
  readonly cache: boolean | { readonly directory: string };
  readonly memoryBudget: number | undefined;
  /** The performance map to plan by, as the caller gave it; by default the one in the cache. */
  readonly performanceMap: unknown;
  readonly storageBudget: number | undefined;
  /**
   * Whether MSMs outside of proofs are divided among the GPU and the workers; `auto` where the map promises that it is
   * clearly faster.
   */
  readonly split?: 'auto' | boolean;
  /** Processes with further GPUs. */
  readonly devices?: readonly DeviceProcess[];
  readonly assets: EngineAssets;
}

/** The locations of `AssetUrls` that the engine needs, with absolute URLs as strings. */
export interface EngineAssets {
  /**
   * The folder of the files that are not named below, with a slash at its end; by default the folder of the package's
   * own scripts.
   */
  readonly base?: string;
  readonly kernel?: string;
  readonly witness?: string;
  readonly device?: string;
  readonly wasm?: Partial<Readonly<Record<WasmModuleName, string | WebAssembly.Module>>>;
}

/** What the caller says about a key, as plain data. */
export interface ExpectedKey {
  /** The verification key that it must have, as plain JSON; any if it is left out. */
  readonly verificationKey?: unknown;
  /** Whether it may lack a contribution in phase 2 of its set-up. */
  readonly allowUnfinished?: boolean;
  /** The SHA-256 of its file, in lower-case hexadecimal; any if it is left out. */
  readonly sha256?: string | undefined;
  /** The most bytes that are downloaded. Default `MAX_KEY_BYTES`. */
  readonly maxBytes?: number | undefined;
}

/** The circuit of a proof: the WASM, or a loaded circuit by its handle. */
export type CircuitDescription = SourceDescription | { readonly kind: 'circuit'; readonly handle: number };

/** A circuit's WASM to be loaded. */
export interface CircuitRequest {
  readonly wasm: SourceDescription;
  /** The SHA-256 of its file, in lower-case hexadecimal; any if it is left out. */
  readonly sha256: string | undefined;
  /** The most bytes that are downloaded. Default `MAX_CIRCUIT_BYTES`. */
  readonly maxBytes?: number | undefined;
  /** Bytes of memory for which it is compiled. */
  readonly memoryBytes: number;
  /** The names of its inputs, as far as the caller knows them. */
  readonly inputs: readonly string[];
}

/** Where a proof's witness comes from. */
export type WitnessRequest =
  | {
      readonly kind: 'file';
      readonly source: SourceDescription;
      /** The most bytes that are downloaded of it. Default `MAX_WITNESS_BYTES`. */
      readonly maxBytes?: number | undefined;
    }
  | {
      readonly kind: 'inputs';
      readonly inputs: CircuitInputs;
      readonly wasm: CircuitDescription;
      /** The most bytes that are downloaded of the WASM. Default `MAX_CIRCUIT_BYTES`. */
      readonly maxBytes?: number | undefined;
      readonly strictInputs: boolean;
      /** Milliseconds that the circuit's code may take. */
      readonly timeoutMs: number;
      /** Bytes that its memory may take. */
      readonly memoryBytes: number;
      /** Whether our arithmetic takes the place of the circuit's. */
      readonly exchangeArithmetic: boolean;
    };

/** The number of the engine's own start, whose notices about the GPU may come long after it. */
export const START_CALL = 0;

/** An event of a running call. */
export interface EngineEvent {
  readonly call: number;
  readonly event: ProgressEvent;
}

export interface LoadedBasesReply {
  readonly handle: number;
  readonly count: number;
  readonly report: Report;
}

/** MSMs over loaded bases. */
export interface MsmRequest {
  /** The number of MSMs. */
  readonly batchSize: number;
  /** Whether each of them is over all the bases, or over its own part of them. */
  readonly sharedBases: boolean;
  /** The most bits of a scalar; by default the bit length of the group's order. */
  readonly bitSize: number | undefined;
  /** Only fields that the caller gave: they take precedence over the bases' tuning. */
  readonly tuning: Tuning;
  readonly scalarsForm: NumberForm;
  /** How the MSMs are checked if a GPU computes them; by a random linear combination by default. */
  readonly check?: MsmCheck | undefined;
  /** Whether the work must not depend on the scalars. */
  readonly constantWork?: boolean | undefined;
}

/** Points to be loaded. */
export interface PointsRequest {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly points: SourceDescription;
  /** The most bytes that are downloaded of them. Default `MAX_KEY_BYTES`. */
  readonly maxBytes?: number | undefined;
  readonly pointsForm: NumberForm;
  /** Whether it is checked that they lie in the subgroup of prime order. Default true. */
  readonly checkSubgroup?: boolean;
  /** The tuning of MSMs over the points. */
  readonly tuning: LoadedTuning;
}

export interface MsmReply {
  /** The results of the MSMs, one point each, in the boundary form. */
  readonly points: readonly Uint8Array[];
  readonly report: Report;
  /** The memory of the scalars, for the caller's next ones: overwritten, unless it is shared. */
  readonly scalars: Uint8Array;
}

export interface LoadedKeyReply {
  readonly handle: number;
  readonly protocol: Protocol;
  /** The proof system's description of the key. */
  readonly description: object;
  readonly report: Report;
}

export interface LoadedCircuitReply {
  readonly handle: number;
  readonly report: Report;
}

export interface ProofReply {
  /** In the form of the key's proof system. */
  readonly proof: unknown;
  /** Decimal strings. */
  readonly publicSignals: readonly string[];
  readonly report: Report;
}

/**
 * The engine as the caller's thread sees it from outside of its worker. `call` is the number of a call, for its events
 * and for `abort`. `handle` is the number of loaded bases, of a loaded key, circuit or SRS.
 */
export interface EngineApi {
  /** Does nothing. Its answer, the handshake, says that the engine's script runs. */
  hello(): void;
  start(config: EngineConfig): Promise<Capabilities>;
  /** The present capabilities. They change when a GPU has been opened, is lost or is distrusted. */
  capabilities(): Capabilities;
  loadBases(call: number, request: PointsRequest): Promise<LoadedBasesReply>;
  /** Computes MSMs; `scalars` holds their scalars, one MSM after another. */
  msm(call: number, handle: number, scalars: Uint8Array, options: MsmRequest): Promise<MsmReply>;
  /**
   * @param protocol the proof system that it must be of; any if it is left out.
   * @param tuning the tuning of the key's MSMs; without it they have no multiples, and every MSM is planned for the
   * device.
   * @param expected `KEY_MISMATCH` and `KEY_UNFINISHED` if the key is not so.
   */
  loadKey(
    call: number,
    protocol: Protocol | undefined,
    key: SourceDescription,
    tuning?: LoadedTuning,
    expected?: ExpectedKey,
  ): Promise<LoadedKeyReply>;
  loadCircuit(call: number, request: CircuitRequest): Promise<LoadedCircuitReply>;
  /**
   * Makes a proof with the proof system of the key.
   *
   * @param constantWork whether the work must not depend on the witness; by default it does.
   */
  prove(
    call: number,
    handle: number,
    witness: WitnessRequest,
    verify: boolean,
    constantWork?: boolean,
  ): Promise<ProofReply>;
  verify(call: number, protocol: Protocol, statement: Statement, expected?: ExpectedKey): Promise<boolean>;
  /** Which proofs of a batch do not hold. */
  verifyBatch(call: number, protocol: Protocol, batch: StatementBatch, expected?: ExpectedKey): Promise<BatchVerdict>;
  /** Loads an SRS, commits, opens or verifies. The polynomials are overwritten. */
  kzg<Task extends KzgTask>(call: number, task: Task): Promise<KzgReply<Task>>;
  /** Measures MSMs on these curves for about `maxMs` milliseconds, and keeps what it found for later engines. */
  tune(call: number, curves: readonly CurveId[], maxMs: number): Promise<PerformanceMap>;
  /** The map that this engine plans by. */
  performanceMap(): PerformanceMap | undefined;
  release(handle: number): void;
  abort(call: number): void;
  /** Fulfilled when what is being written to the cache has been written, or given up. */
  cacheWritten(): Promise<void>;
  clearCache(): Promise<void>;
  dispose(): Promise<void>;
}
