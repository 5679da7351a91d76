import type { CacheRecord } from '../cache/prepared-cache.js';
import type { KernelPool } from '../cpu/pool/pool.js';
import type { PrepareRequest } from '../cpu/pool/prepare.js';
import type { CurveId, GroupId } from '../curves/index.js';
import type { ByteSource } from '../io/byte-source.js';
import type { MsmExecutor, MsmObserver, Share } from '../msm/backend.js';
import type { LoadedBases } from '../msm/loaded-bases.js';
import type { PreparedBases } from '../msm/prepared.js';
import type { ScalarVector } from '../msm/scalar-vector.js';
import type { Executor, Phase } from '../progress.js';
import type { ProofPart } from './parts.js';

/** What a proof system sees of the call that it works for. */
export interface ProofCall {
  readonly signal: AbortSignal;
  /** Runs a piece of work and puts it on the call's timeline. */
  span<T>(phase: Phase, executor: Executor, work: () => Promise<T>, part?: ProofPart): Promise<T>;
  /** Adds work of the given weight to the call's progress; the function that it gives tells the done fraction. */
  meter(phase: Phase, weight: number): (fraction: number) => void;
  /** What a multiplication tells of its work, as that of a part. */
  observer(part?: ProofPart): MsmObserver;
  /** Notes who computed a part. */
  computedBy(part: ProofPart, executors: readonly MsmExecutor[]): void;
  /** Tells of a point of the proof that is known already. */
  commitment(name: 'A' | 'B' | 'C', point: readonly (string | readonly string[])[]): void;
  notice: MsmObserver['notice'];
}

/** What is kept between visits, by the contents of what it was made from. */
export interface RecordCache {
  /** The key of what is made from a source by a plan; empty where nothing is kept. */
  key(call: ProofCall, plan: string, source: ByteSource): Promise<string>;
  /**
   * What `read` makes of the record; undefined when there is none. `read` gives a few words on what is wrong with a record that
   * does not fit its source: the caller is told (`CACHE_DAMAGED`), and the result is undefined.
   */
  load<T extends object>(
    call: ProofCall,
    key: string,
    read: (record: CacheRecord) => Promise<T | string>,
  ): Promise<T | undefined>;
  save(call: ProofCall, key: string, record: CacheRecord): Promise<void>;
}

/** What a proof system computes with. */
export interface ProofContext {
  readonly pool: KernelPool;
  readonly cache: RecordCache;
  /** Makes a curve's kernels ready. */
  openCurve(curve: CurveId): Promise<void>;
  /** Who computes sums over a group's points now. */
  executorOf(curve: CurveId, group: GroupId): MsmExecutor;
  /**
   * Prepared bases that can be loaded to where their sums are computed.
   *
   * @param request prepares the points once more, for a fresh GPU or worker.
   * @param shares which worker is to keep what, where the workers compute the sums; equal shares when left out.
   */
  hold(prepared: PreparedBases, request: PrepareRequest, shares?: readonly Share[]): LoadedBases;
  /** Uses the GPU no more, because it computed something wrong. */
  distrustGpu(reason: string): void;
}

/** A proof and its public signals, which are decimal strings. */
export interface MadeProof<Proof> {
  readonly proof: Proof;
  readonly publicSignals: string[];
}

/** A proving key in place. */
export interface LoadedKey<Proof = unknown, Description extends object = object> {
  readonly curve: CurveId;
  /** Values of a witness. */
  readonly variables: number;
  /** What the caller is told of the key, as plain data. */
  readonly description: Description;
  /**
   * A proof for a witness, whose first value is 1; the witness is used up. With `verify` the proof is verified before it is given:
   * `PROOF_INVALID` when it does not hold.
   */
  prove(call: ProofCall, witness: ScalarVector, verify: boolean): Promise<MadeProof<Proof>>;
  /** Gives its memory back. Harmless when called twice. */
  release(): void;
}

/** A proof system: what the engine dispatches to. */
export interface ProofSystem<Proof = unknown, Description extends object = object> {
  /** The names of a proof's multi-scalar multiplications. */
  readonly parts: readonly ProofPart[];
  /** The curve of most keys: its kernels may be made ready while a key is still being downloaded. */
  readonly usualCurve: CurveId;
  /** Reads, checks and prepares a key, or takes what the cache has of it, and copies it to where it will be used. */
  loadKey(
    context: ProofContext,
    call: ProofCall,
    source: ByteSource,
  ): Promise<{ key: LoadedKey<Proof, Description>; cached: boolean }>;
  /** Whether a proof holds. */
  verify(
    context: ProofContext,
    call: ProofCall,
    verificationKey: unknown,
    publicSignals: unknown,
    proof: unknown,
  ): Promise<boolean>;
}
