import type { ProgressEvent } from '../api/progress.js';
import type { MsmExecutor, MsmObserver, Share } from '../bases/backend.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { LoadedTuning } from '../bases/multiples.js';
import type { ArithmeticFor } from '../bases/point-arithmetic.js';
import type { Precomputation, PrecomputeRequest } from '../bases/precompute.js';
import type { PreparedBases } from '../bases/prepared.js';
import type { BasesCall, RecordCache } from '../bases/record-cache.js';
import type { HostScalars } from '../bases/scalar-vector.js';
import type { CurveId, GroupId } from '../curves/index.js';
import type { GpuQuotient } from '../executors/gpu/polynomials/gpu-quotient.js';
import type { GpuDevice } from '../executors/gpu/runtime/device.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import type { PrepareRequest } from '../executors/workers/pool/prepare.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import type { FallibleExecutor } from '../recovery/attempt.js';
import type { PairingArithmetic } from './pairings.js';
import type { ProofPart, Protocol } from './parts.js';

/** A point of a proof, as its progress tells it. */
type Commitment = Extract<ProgressEvent, { readonly kind: 'commitment' }>;

/** What a proof system uses of the call that it works for. */
export interface ProofCall extends BasesCall {
  /** An observer that reports an MSM's work under a part. */
  observer(part?: ProofPart): MsmObserver;
  /** Notes what computed a part. */
  computedBy(part: ProofPart, executors: readonly MsmExecutor[]): void;
  /** Reports a point of the proof as soon as it is known. */
  commitment(name: Commitment['name'], point: Commitment['point']): void;
}

/** An executor on a GPU device, which may be lost and opened again. */
export interface Reopenable<Executor> {
  /** Whether calls wait until it is ready. */
  readonly waits: boolean;
  /**
   * The executor on the device that is open or being opened; undefined if there is none. The first call starts to
   * compile its kernels.
   */
  current(): Promise<Executor> | undefined;
  /** Whether a computation would begin at once. */
  isReady(): boolean;
}

/** How fast this machine's workers prove, as measured by the fastest proof of each curve that they made alone. */
export class WorkersPace {
  /** Milliseconds for each unit of work. */
  private readonly pace = new Map<CurveId, number>();

  /** Notes that a proof took the workers `ms`. */
  add(curve: CurveId, work: number, ms: number): void {
    if (work > 0) this.pace.set(curve, Math.min(ms / work, this.pace.get(curve) ?? Number.POSITIVE_INFINITY));
  }

  /** About how many milliseconds the workers take for a proof; undefined before they have made one on this curve. */
  estimate(curve: CurveId, work: number): number | undefined {
    const pace = this.pace.get(curve);
    return pace === undefined ? undefined : pace * work;
  }
}

/** What the engine provides to a proof system. */
export interface ProofContext {
  readonly pool: KernelPool;
  readonly cache: RecordCache;
  /** Whether the caller leaves the choice between the GPU and the workers. */
  readonly mayChoose: boolean;
  readonly workersPace: WorkersPace;
  /** Opens a curve's kernels; `groups` are the groups of the MSMs to come. */
  openCurve(curve: CurveId, groups: readonly GroupId[]): Promise<void>;
  /** The executor of MSMs over a group's points at present. */
  executorOf(curve: CurveId, group: GroupId): MsmExecutor;
  /**
   * Prepared bases that can be loaded onto their executor.
   *
   * @param request used to prepare the points once more, for a new GPU device or worker.
   * @param shares the share of each worker when the workers compute; equal shares by default.
   */
  hold(prepared: PreparedBases, request: PrepareRequest, shares?: readonly Share[]): LoadedBases;
  /** Arithmetic on single points, which the workers do. */
  readonly arithmeticFor: ArithmeticFor;
  /** What gives bases multiples; undefined if the caller wants none. */
  precompute(request: PrecomputeRequest): Promise<Precomputation | undefined>;
  /** What computes with polynomials over a curve's scalar field on the GPU; undefined if only the workers do. */
  gpuPolynomials(curve: CurveId): Reopenable<GpuQuotient> | undefined;
  /** The GPU, as recovery sees it. */
  readonly gpu: FallibleExecutor;
  /** The GPU device that is open or being opened; undefined if there is none. */
  gpuDevice(): Promise<GpuDevice> | undefined;
}

/** Why the GPU is not to be trusted, if the workers make a proof that holds where the one made with it does not. */
export const GPU_FAULT = 'a proof made with it did not verify, and the same proof made without it does';

/** How a proof is to be made. */
export interface ProofRequest {
  /** Whether it is verified before it is returned. */
  readonly verify: boolean;
  /** Whether the work must not depend on the witness (docs/strategies/constant-work.md). */
  readonly constantWork: boolean;
}

/** A proof and its public signals, which are decimal strings. */
export interface MadeProof<Proof> {
  readonly proof: Proof;
  readonly publicSignals: string[];
}

/** A loaded proving key. */
export interface LoadedKey<Proof = unknown, Description extends object = object> {
  readonly curve: CurveId;
  /** The number of values in a witness. */
  readonly variables: number;
  /** What gives its bases multiples; undefined if the caller wants none. */
  readonly precomputation: Precomputation | undefined;
  /** What the caller sees of the key, as plain data. */
  readonly description: Description;
  /**
   * Makes a proof for a witness, whose first value is 1, and which the caller overwrites. With `verify` the proof is
   * verified before it is returned: `PROOF_INVALID` when it does not hold.
   */
  prove(call: ProofCall, witness: HostScalars, request: ProofRequest): Promise<MadeProof<Proof>>;
  /** Frees its memory and closes its source. Idempotent. */
  release(): void;
}

/** What is verified, as plain JSON: that a proof holds for public signals. */
export interface Statement {
  readonly verificationKey: unknown;
  readonly publicSignals: unknown;
  readonly proof: unknown;
}

/** Proofs of one verification key that are verified together, as plain JSON: pairs of public signals and a proof. */
export interface StatementBatch {
  readonly verificationKey: unknown;
  readonly proofs: readonly unknown[];
}

/** A verification key that has been checked. */
export interface ProofVerifier {
  /** Whether a proof holds for public signals. */
  verify(arithmetic: PairingArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean>;
}

/** A proof system, as the engine calls it. `Expectations` is what the caller may say about a key. */
export interface ProofSystem<
  Proof = unknown,
  Description extends object = object,
  Expectations extends object = object,
> {
  readonly protocol: Protocol;
  /** The names of a proof's MSMs. */
  readonly parts: readonly ProofPart[];
  /** The curve of most keys: its kernels can be opened while a key is still being downloaded. */
  readonly usualCurve: CurveId;
  /** The groups over which a proof has MSMs. */
  readonly groups: readonly GroupId[];
  /** Whether proofs use all of a key's file; of others the used parts alone are fetched. */
  readonly usesWholeFile: boolean;
  /** Load the code, besides what MSMs load, that proofs use only when something fails or is asked for. */
  readonly deferredCode: readonly (() => Promise<unknown>)[];
  /**
   * Reads, checks and prepares a key (or takes its prepared points from the cache), and copies it to where it will be
   * used. The MSMs of its proofs follow `tuning`. An error such as `KEY_MISMATCH` if it is not what the caller expects.
   * The key closes the source when it is released; if loading fails, that is left to the caller.
   */
  loadKey(
    context: ProofContext,
    call: ProofCall,
    source: LoadedSource,
    tuning: LoadedTuning,
    expected?: Expectations,
  ): Promise<{ key: LoadedKey<Proof, Description>; cached: boolean }>;
  /** The curve that a verification key names; BN254 if it names none. */
  curveOfVerificationKey(json: unknown): CurveId;
  /** Checks a verification key. `arithmetic` is of its curve. An error if the key is not what the caller expects. */
  createVerifier(
    arithmetic: PairingArithmetic,
    verificationKey: unknown,
    expected?: Expectations,
  ): Promise<ProofVerifier>;
}
