import type { CallOptions, Groth16Key, ProveResult, Prover } from '../../sdk/api/index.js';
import type { Phase } from '../../sdk/api/progress.js';
import { throwIfAborted } from '../../sdk/base/abort.js';
import { PippinError } from '../../sdk/base/errors.js';
import { Call } from '../../sdk/engine/call.js';
import { PLANS, type ProgressPlan } from '../../sdk/engine/call-progress.js';

/** A piece of work that a prover did: it loaded a key, or proved with it. */
export interface StagedWork {
  readonly kind: 'load' | 'proof';
  /** The key, as the test names it. */
  readonly key: string;
  /** The phases that it has had. */
  readonly phases: Set<Phase>;
  state: 'runs' | 'done' | 'failed';
}

/** How often a phase tells of a part that is done. */
const PARTS = 2;

/** The time that a part takes: whatever else waits is done meanwhile. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A prover that computes nothing. Its calls go through the phases of the engine's, and tell what the engine tells of
 * them.
 */
export class StagedProver {
  /** In the order in which it was begun. */
  readonly works: StagedWork[] = [];
  /** Keys that a cache would have. */
  private readonly prepared = new Set<string>();

  /**
   * @param hasGpu whether keys are copied to a GPU.
   * @param failLoad whether the load of this number fails half-way.
   * @param nameOf the name of the key that a file holds.
   */
  constructor(
    private readonly hasGpu: boolean,
    private readonly failLoad: (load: number) => boolean,
    private readonly nameOf: (file: unknown) => string = String,
  ) {}

  /** The prover, as far as its hosts use it. */
  get asProver(): Prover {
    const { groth16 } = this;
    const { loadKey } = groth16;
    return { groth16, loadKey, dispose: async () => undefined, clearCache: async () => undefined } as unknown as Prover;
  }

  private readonly groth16 = {
    loadKey: async (file: unknown, options: CallOptions = {}) => {
      const key = this.nameOf(file);
      const fails = this.failLoad(this.works.filter(({ kind }) => kind === 'load').length);
      const points: Phase = this.prepared.has(key) ? 'cache-read' : 'prepare';
      await this.run('load', key, ['read', 'hash', points, this.hasGpu ? 'upload' : 'distribute'], options, fails);
      this.prepared.add(key);
      return { key, protocol: 'groth16', report: {}, dispose: async () => undefined } as unknown as Groth16Key;
    },
    fullProve: async ({ key }: { key: string }, _inputs: unknown, _wasm: unknown, options: CallOptions = {}) => {
      const onWorkers: Phase[] = this.hasGpu ? [] : ['constraints'];
      await this.run('proof', key, ['read', 'witness', ...onWorkers, 'transform', 'msm', 'combine', 'verify'], options);
      return { proof: { protocol: 'groth16' }, publicSignals: ['1'], report: { backend: 'wasm' } } as ProveResult;
    },
  };

  private async run(
    kind: StagedWork['kind'],
    key: string,
    phases: readonly Phase[],
    { signal, onProgress }: CallOptions,
    fails = false,
  ): Promise<void> {
    const work: StagedWork = { kind, key, phases: new Set(), state: 'runs' };
    this.works.push(work);
    const plan: ProgressPlan = kind === 'load' ? PLANS.key : PLANS.proof;
    const call = new Call((event) => {
      if (!signal?.aborted) onProgress?.(event);
    }, plan);
    try {
      for (const [place, phase] of phases.entries()) {
        work.phases.add(phase);
        await call.span(phase, 'host', () => this.parts(call, phase, signal));
        if (fails && place > 0) throw new PippinError('IO_FAILED', 'expected a file, got none');
      }
      call.finish();
      work.state = 'done';
    } catch (error) {
      work.state = 'failed';
      throw error;
    }
  }

  private async parts(call: Call, phase: Phase, signal: AbortSignal | undefined): Promise<void> {
    const meter = call.meter(phase, 1);
    for (let part = 1; part <= PARTS; part++) {
      await turn();
      throwIfAborted(signal);
      meter(part / PARTS);
    }
  }
}
