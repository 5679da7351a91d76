import type { Capabilities, MemoryPeaks, PerformanceMap } from '../api/index.js';
import type { ProgressEvent } from '../api/progress.js';
import { untilAborted, withTimeout } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { loadPart } from '../base/load-part.js';
import type { LoadedTuning } from '../bases/multiples.js';
import { hostScalars } from '../bases/scalar-vector.js';
import type { CurveId } from '../curves/index.js';
import type { SourceDescription } from '../files/byte-source.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import { MAX_KEY_BYTES } from '../files/downloads.js';
import { isPackedKey, readProtocol } from '../files/snarkjs/zkey-header.js';
import type { BatchVerdict } from '../proofs/batch/verify-batch.js';
import type { Protocol } from '../proofs/parts.js';
import { type LoadedKey, type Statement, type StatementBatch, WorkersPace } from '../proofs/proof-system.js';
import { proofSystem, USUAL_SYSTEM } from '../proofs/registry.js';
import { withVerifier } from '../proofs/with-verifier.js';
import type { WorkerScope } from '../transport/channel.js';
import { exposeMethods, moveResult } from '../transport/remote.js';
import { forget } from '../transport/shared-bytes.js';
import { Backends } from './backends.js';
import { BasesCache } from './bases-cache.js';
import { Call } from './call.js';
import { PLANS, type ProgressPlan } from './call-progress.js';
import { type EngineContext, proofContext } from './context.js';
import {
  type CircuitRequest,
  type EngineApi,
  type EngineConfig,
  type EngineEvent,
  type ExpectedKey,
  type LoadedBasesReply,
  type LoadedCircuitReply,
  type LoadedKeyReply,
  type MsmReply,
  type MsmRequest,
  type PointsRequest,
  type ProofReply,
  START_CALL,
  type WitnessRequest,
} from './engine-api.js';
import { Handles } from './handles.js';
import { IdleTime } from './idle-time.js';
import type { LoadedSrs } from './kzg.js';
import type { KzgReply, KzgTask } from './kzg-api.js';
import type { MsmBases } from './msm-bases.js';
import { type EnginePlatform, kernelCount } from './platform.js';
import { Precomputations } from './precomputations.js';
import { loadKept } from './sources/kept-source.js';
import { Sources } from './sources/sources.js';
import { type LoadedCircuit, openCircuit } from './witness/circuit.js';
import { forgetWitness, withWitness } from './witness/read-witness.js';
import { WitnessWorkers } from './witness/witness-workers.js';

/** The points that are prepared from a key take about as many bytes as its file. */
const ROOM_OF_KEY = 2;

/** Milliseconds that `dispose` waits for the calls that it has aborted. */
const LAST_CALLS_MS = 1000;

/** The background call that compares field products on the GPU; callers count from 1. */
const PROBE_CALL = -1;

/** No call has been pending for so many milliseconds before the GPU is measured. */
const QUIET_MS = 1000;

/**
 * The engine owns the GPU, the kernel workers, the cache, and all loaded bases and keys. It runs in the coordinator
 * worker; the caller's thread uses it through `EngineApi`.
 */
export class Engine implements EngineApi {
  private context: EngineContext | undefined;
  private readonly calls = new Map<number, Call>();
  private readonly idle = new IdleTime();
  private hasProbed = false;
  private readonly handles = new Handles<{ bases: MsmBases; key: LoadedKey; circuit: LoadedCircuit; srs: LoadedSrs }>({
    bases: 'bases',
    key: 'a proving key',
    circuit: 'a circuit',
    srs: 'an SRS',
  });

  constructor(
    private readonly platform: EnginePlatform,
    private readonly emit: (event: EngineEvent) => void,
  ) {}

  hello(): void {}

  async start(config: EngineConfig): Promise<Capabilities> {
    const { platform } = this;
    const threads = kernelCount(config.threads, platform.threads);
    return this.run(START_CALL, [], async (call) => {
      const notice = call.notice.bind(call);
      const given =
        config.performanceMap === undefined ? undefined : (await loadTuning()).readMap(config.performanceMap);
      if (typeof given === 'string') {
        throw new PippinError('INVALID_ARGUMENT', `${given}, got something else`, {
          hint: 'give what tune() of this version returned, or leave it out',
        });
      }
      const opening = BasesCache.open(platform, config, notice);
      // Nothing waits for the map but what plans by it.
      const knownMap = opening.then((cache) => given ?? loadKeptMap(cache));
      const [backends, cache, map] = await Promise.all([
        Backends.start(platform, config, threads, knownMap, notice),
        opening,
        knownMap,
      ]);
      const witnesses = new WitnessWorkers(() => platform.spawnWitness(config.assets));
      const precomputations = new Precomputations(backends, {
        pool: backends.pool,
        cache,
        turn: () => this.idle.turn(),
        backgroundCall: () => new Call((event) => this.emitNotice(event)),
      });
      const workersPace = new WorkersPace();
      const sources = new Sources(platform);
      this.context = { platform, config, sources, backends, cache, map, witnesses, workersPace, precomputations };
      return this.capabilities();
    });
  }

  capabilities(): Capabilities {
    const { backends, cache } = this.started();
    return {
      ...backends.describe(),
      cache: cache.kind,
      crossOriginIsolated: globalThis.crossOriginIsolated === true,
    };
  }

  loadBases(id: number, request: PointsRequest): Promise<LoadedBasesReply> {
    return this.run(id, PLANS.bases, async (call) => {
      const context = this.started();
      const { curve, group } = request;
      // The kernels load meanwhile. A failure shows when they are needed.
      context.backends.openCurve(curve, [group]).catch(() => undefined);
      // Many provers only prove: what MSMs outside a proof need is downloaded with the first bases.
      const { loadMsmBases } = await loadPart('MSMs', () => import('./msm-bases.js'));
      const { loaded, cached } = await loadMsmBases(context, call, request);
      context.backends.prefetchCode(request.curve);
      return { handle: this.handles.add('bases', loaded), count: loaded.count, report: call.report(cached) };
    });
  }

  msm(id: number, handle: number, scalars: Uint8Array, request: MsmRequest): Promise<MsmReply> {
    return this.run(id, PLANS.msm, async (call) => {
      const bases = this.handles.get('bases', handle);
      const points = await bases.multiplyBatch(call, scalars, request);
      this.probeProducts(bases.curve);
      return moveResult({ points, report: call.report(), scalars });
    }).finally(() => forget(scalars));
  }

  loadKey(
    id: number,
    protocol: Protocol | undefined,
    description: SourceDescription,
    tuning: LoadedTuning = { precompute: 1 },
    { sha256, maxBytes = MAX_KEY_BYTES, ...expected }: ExpectedKey = {},
  ): Promise<LoadedKeyReply> {
    return this.run(id, PLANS.key, async (call) => {
      const context = this.started();
      const expectedSystem = protocol && (await proofSystem(protocol));
      // Only the key names its curve, but the curve of most keys can be opened before; during a download even on the
      // GPU, where this takes long. A failure shows when the curve is needed.
      const { usualCurve, groups } = expectedSystem ?? USUAL_SYSTEM;
      context.backends.openCurve(usualCurve, description.kind === 'url' ? groups : []).catch(() => undefined);
      const mayBeParts = expectedSystem?.usesWholeFile !== true;
      const file = { description, sha256, what: 'key', maxBytes, room: ROOM_OF_KEY, mayBeParts };
      const loadZkey = async (source: LoadedSource) => {
        const system = expectedSystem ?? (await proofSystem(await readProtocol(source)));
        return { system, ...(await system.loadKey(proofContext(context), call, source, tuning, expected)) };
      };
      const load = async (opened: LoadedSource) =>
        (await isPackedKey(opened))
          ? (await loadPackedKeys()).loadUnpacked(context, call, opened, loadZkey)
          : loadZkey(opened);
      // Nothing of a key with another hash is used.
      const release = ({ key }: Awaited<ReturnType<typeof loadZkey>>): void => key.release();
      const { key, cached, system } = await loadKept(context, call, file, load, release);
      context.backends.prefetchCode(key.curve, system.deferredCode);
      const { protocol: found } = system;
      const handle = this.handles.add('key', key);
      return { handle, protocol: found, description: key.description, report: call.report(cached) };
    });
  }

  loadCircuit(id: number, request: CircuitRequest): Promise<LoadedCircuitReply> {
    return this.run(id, PLANS.circuit, async (call) => {
      const { circuit, cached } = await openCircuit(this.started(), call, request);
      return { handle: this.handles.add('circuit', circuit), report: call.report(cached) };
    });
  }

  prove(
    id: number,
    handle: number,
    request: WitnessRequest,
    verify: boolean,
    constantWork = false,
  ): Promise<ProofReply> {
    return this.run(id, PLANS.proof, async (call) => {
      const key = this.handles.get('key', handle);
      const { proof, publicSignals } = await withWitness(
        this.started(),
        call,
        request,
        {
          expected: { curve: key.curve, variables: key.variables, constantWork },
          loadedCircuit: (circuit) => this.handles.get('circuit', circuit),
        },
        (witness) => key.prove(call, hostScalars(witness), { verify, constantWork }),
      );
      key.precomputation?.begin();
      this.probeProducts(key.curve);
      return { proof, publicSignals, report: call.report() };
    }).finally(() => forgetWitness(request));
  }

  verify(id: number, protocol: Protocol, statement: Statement, expected?: ExpectedKey): Promise<boolean> {
    return this.run(id, PLANS.verify, async (call) => {
      const system = await proofSystem(protocol);
      const { verificationKey, publicSignals, proof } = statement;
      return withVerifier(
        proofContext(this.started()),
        call,
        system,
        { verificationKey, expected },
        (verifier, arithmetic) => verifier.verify(arithmetic, publicSignals, proof),
      );
    });
  }

  verifyBatch(id: number, protocol: Protocol, batch: StatementBatch, expected?: ExpectedKey): Promise<BatchVerdict> {
    return this.run(id, PLANS.verify, async (call) => {
      const [system, { verifyBatch }] = await Promise.all([
        proofSystem(protocol),
        loadPart('batches of proofs', () => import('../proofs/batch/verify-batch.js')),
      ]);
      return verifyBatch(proofContext(this.started()), call, system, batch, expected);
    });
  }

  kzg<Task extends KzgTask>(id: number, task: Task): Promise<KzgReply<Task>> {
    return this.run(id, PLANS[task.plan], async (call) => {
      const { runKzg } = await loadPart('KZG', () => import('./kzg.js'));
      return (await runKzg(this.started(), call, this.handles, task)) as KzgReply<Task>;
    });
  }

  tune(id: number, curves: readonly CurveId[], maxMs: number): Promise<PerformanceMap> {
    return this.run(id, PLANS.tune, async (call) => {
      const { backends, cache } = this.started();
      // The map is not to be replaced by one of field products alone.
      this.hasProbed = true;
      this.calls.get(PROBE_CALL)?.abort();
      const { measureDevice } = await loadTuning();
      const map = await measureDevice(backends, call, curves, maxMs);
      await cache.saveMap(map);
      return map;
    });
  }

  performanceMap(): PerformanceMap | undefined {
    return this.started().map;
  }

  release(handle: number): void {
    this.handles.release(handle);
  }

  abort(id: number): void {
    this.calls.get(id)?.abort();
  }

  async cacheWritten(): Promise<void> {
    await this.started().cache.settled();
  }

  async clearCache(): Promise<void> {
    await this.started().cache.clear();
  }

  async dispose(): Promise<void> {
    const calls = [...this.calls.values()];
    for (const call of calls) call.abort();
    const { context } = this;
    this.context = undefined;
    context?.precomputations.dispose();
    // What is being written to the cache may end.
    await Promise.all([context?.backends.dispose(), context?.cache.settled()]);
    // What calls hold is overwritten when they have ended.
    await withTimeout(LAST_CALLS_MS, 'the calls', () => Promise.all(calls.map(({ ended }) => ended))).catch(
      () => undefined,
    );
    await context?.witnesses.dispose();
    // A file that is being opened when its thread is ended would stay open.
    await context?.cache.close();
    await context?.sources.dispose();
  }

  /**
   * After the first result on a GPU of which nothing was measured, and that may be measured in idle moments: the kinds
   * of field product are compared (`probeProducts`), once in the life of an engine.
   */
  private probeProducts(curve: CurveId): void {
    const { context, calls } = this;
    if (this.hasProbed || context === undefined) return;
    const { backends, cache, config } = context;
    const isGiven = config.performanceMap !== undefined || config.memoryBudget !== undefined;
    if (isGiven || cache.kind === 'none' || !backends.isUnmeasured) return;
    this.hasProbed = true;
    const call = new Call((event) => this.emitNotice(event));
    calls.set(PROBE_CALL, call);
    loadTuning()
      .then((code) =>
        code.probeProducts(context, call, curve, () => untilAborted(this.idle.turn(QUIET_MS), call.signal)),
      )
      .catch(() => undefined)
      .finally(() => {
        calls.delete(PROBE_CALL);
        call.end();
      });
  }

  /** Tells a notice that belongs to no call. */
  private emitNotice(event: ProgressEvent): void {
    if (event.kind === 'notice') this.emit({ call: START_CALL, event });
  }

  private started(): EngineContext {
    if (this.context === undefined)
      throw new PippinError('DISPOSED', 'expected a running prover, got one that was disposed');
    return this.context;
  }

  /** @param plan the phases that the call may have. */
  private async run<T>(id: number, plan: ProgressPlan, work: (call: Call) => Promise<T>): Promise<T> {
    const memory = (): MemoryPeaks | undefined => this.context?.backends.memoryPeaks;
    const call = new Call((event) => this.emit({ call: id, event }), plan, memory);
    this.calls.set(id, call);
    try {
      const result = await this.idle.busyWith(() => work(call));
      call.finish();
      return result;
    } finally {
      this.calls.delete(id);
      // When the call has failed, parts of it that are still running are stopped.
      call.abort();
      call.end();
    }
  }
}

/** Starts an engine that the thread which started this worker can call. */
export function exposeEngine(platform: EnginePlatform, scope: WorkerScope): void {
  exposeMethods(new Engine(platform, scope.emit), scope.endpoint);
}

/** The performance map that the cache has; undefined if there is none, or if what reads it cannot be loaded. */
async function loadKeptMap(cache: BasesCache): Promise<PerformanceMap | undefined> {
  const kept = await cache.loadMap();
  if (kept === undefined) return undefined;
  const tuning = await loadTuning().catch(() => undefined);
  const map = tuning?.readMap(kept);
  return typeof map === 'string' ? undefined : map;
}

/** What unpacks keys on the workers and a GPU. `IO_FAILED` if the script cannot be loaded. */
function loadPackedKeys(): Promise<typeof import('./sources/load-unpacked.js')> {
  return loadPart('packed keys', () => import('./sources/load-unpacked.js'));
}

/**
 * What measures a device and reads what was measured; few provers do either. `IO_FAILED` if the script cannot be
 * loaded.
 */
function loadTuning(): Promise<typeof import('./tune/tune.js')> {
  return loadPart('performance maps', () => import('./tune/tune.js'));
}
