import type { Capabilities, Groth16Proof, Groth16VerificationKey, Report } from '../api.js';
import type { CurveId, GroupId } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { checkScalars } from '../msm/scalars.js';
import { type LoadedKey, loadKey } from '../proofs/groth16/key.js';
import { prove } from '../proofs/groth16/prove.js';
import { verifyProof } from '../proofs/groth16/verify.js';
import { curveOfVerificationKey } from '../snarkjs/parse-proof.js';
import { Backends } from './backends.js';
import { BasesCache } from './bases-cache.js';
import { Call } from './call.js';
import type { EngineContext } from './context.js';
import type {
  EngineApi,
  EngineConfig,
  EngineEvent,
  LoadedBasesReply,
  LoadedKeyReply,
  MsmReply,
  SourceDescription,
  WitnessRequest,
} from './engine-api.js';
import { Handles } from './handles.js';
import { loadBases } from './load-bases.js';
import type { LoadedBases } from './loaded-bases.js';
import type { EnginePlatform } from './platform.js';
import { readWitness } from './witness.js';
import { WitnessWorkers } from './witness-workers.js';

/** Most kernel workers started unasked; beyond them a proof gains little and memory is lost. */
const MAX_DEFAULT_THREADS = 16;

/**
 * The engine: owns the GPU, the kernel workers, the cache and whatever was loaded. It lives in the coordinator worker; the
 * caller's thread talks to it through `EngineApi`.
 */
export class Engine implements EngineApi {
  private context: EngineContext | undefined;
  private readonly calls = new Map<number, Call>();
  private readonly bases = new Handles<LoadedBases>('bases');
  private readonly keys = new Handles<LoadedKey>('a proving key');

  constructor(
    private readonly platform: EnginePlatform,
    private readonly emit: (event: EngineEvent) => void,
  ) {}

  async start(config: EngineConfig): Promise<Capabilities> {
    const { platform } = this;
    const threads = config.threads ?? Math.max(1, Math.min(platform.threads, MAX_DEFAULT_THREADS));
    return this.run(0, async (call) => {
      const notice = call.notice.bind(call);
      const [backends, cache] = await Promise.all([
        Backends.start(platform, config, threads, notice),
        BasesCache.open(platform, config.cache, notice),
      ]);
      const witnesses = new WitnessWorkers(() => platform.spawnWitness(config.assets));
      this.context = { platform, config, backends, cache, witnesses };
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

  loadBases(id: number, curve: CurveId, group: GroupId, points: SourceDescription): Promise<LoadedBasesReply> {
    return this.run(id, async (call) => {
      const { bases, cached } = await loadBases(this.started(), call, curve, group, points);
      return { handle: this.bases.add(bases), count: bases.outline.count, report: call.report(cached) };
    });
  }

  msm(id: number, handle: number, scalars: Uint8Array, batchSize: number): Promise<MsmReply> {
    return this.run(id, async (call) => {
      const bases = this.bases.get(handle);
      checkScalars(bases.outline.curve, scalars, batchSize * bases.outline.count);
      const gpuOnly = this.started().config.backend === 'webgpu';
      const onProgress = call.meter('msm', 1);
      const points = await bases.multiplyBatch(scalars, batchSize, call, { onProgress, gpuOnly });
      onProgress(1);
      return { points, report: call.report() };
    });
  }

  loadKey(id: number, zkey: SourceDescription): Promise<LoadedKeyReply> {
    return this.run(id, async (call) => {
      const { key, cached } = await loadKey(this.started(), call, zkey);
      const { variables, publicSignals, domainSize, verificationKey } = key.facts;
      return {
        handle: this.keys.add(key),
        variables,
        publicSignals,
        domainSize,
        verificationKey,
        report: call.report(cached),
      };
    });
  }

  prove(
    id: number,
    handle: number,
    request: WitnessRequest,
    verify: boolean,
  ): Promise<{ proof: Groth16Proof; publicSignals: string[]; report: Report }> {
    return this.run(id, async (call) => {
      const context = this.started();
      const key = this.keys.get(handle);
      const witness = await readWitness(context, call, request, key.curve, key.facts.variables);
      const { proof, publicSignals } = await prove(context, key, witness, call, verify);
      return { proof, publicSignals, report: call.report() };
    });
  }

  verify(
    id: number,
    verificationKey: Groth16VerificationKey,
    publicSignals: readonly string[],
    proof: Groth16Proof,
  ): Promise<boolean> {
    return this.run(id, async (call) => {
      const { backends } = this.started();
      const curve = curveOfVerificationKey(verificationKey);
      await backends.open(curve);
      const arithmetic = backends.pairings(curve, call.signal);
      return call.span('verify', 'wasm', () => verifyProof(arithmetic, verificationKey, publicSignals, proof));
    });
  }

  release(handle: number): void {
    this.bases.release(handle);
    this.keys.release(handle);
  }

  abort(id: number): void {
    this.calls.get(id)?.abort();
  }

  async clearCache(): Promise<void> {
    await this.started().cache.clear();
  }

  async dispose(): Promise<void> {
    for (const call of this.calls.values()) call.abort();
    const { context } = this;
    this.context = undefined;
    context?.witnesses.dispose();
    await context?.backends.dispose();
  }

  private started(): EngineContext {
    if (this.context === undefined)
      throw new PippinError('DISPOSED', 'expected a running prover, got one that was disposed');
    return this.context;
  }

  private async run<T>(id: number, work: (call: Call) => Promise<T>): Promise<T> {
    const call = new Call((event) => this.emit({ call: id, event }));
    this.calls.set(id, call);
    try {
      return await work(call);
    } finally {
      this.calls.delete(id);
      // Whatever of a failed call still runs is of no use.
      call.abort();
    }
  }
}
