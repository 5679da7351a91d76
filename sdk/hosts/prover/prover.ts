import type {
  Bases,
  BasesRequest,
  Capabilities,
  Groth16,
  LoadOptions,
  MsmBatchOptions,
  MsmBatchResult,
  MsmOptions,
  MsmResult,
  PerformanceMap,
  Prover,
  ProverOptions,
  TuneOptions,
} from '../../api/index.js';
import type { Notice } from '../../api/progress.js';
import { asPippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/is-object.js';
import { loadPart } from '../../base/load-part.js';
import { OptionReader } from '../../base/option-reader.js';
import { requestBases } from './bases.js';
import { curvesOf } from './caller-curve.js';
import type { CallerPlatform } from './caller-platform.js';
import type { DescribeLocation } from './caller-source.js';
import { EngineCalls } from './engine-calls.js';
import { engineConfig } from './engine-config.js';
import { groth16Of } from './groth16.js';
import type { Sums } from './sums.js';

/** What `tune` measures for: by default, at least and at most. */
const TUNE_MS = 3000;
const LEAST_TUNE_MS = 100;
const MOST_TUNE_MS = 600_000;

/** Starts the engine in its worker and gives back the handle to it. */
export async function createProverOn(callerPlatform: CallerPlatform, options: ProverOptions): Promise<Prover> {
  const platform = ownMembers(callerPlatform);
  const reader = new OptionReader(options, 'the options of createProver');
  const { config, scripts } = engineConfig(reader, platform.locate, platform.assets);
  const onNotice = reader.listener<Notice>('onNotice');
  const constantWork = reader.flag('constantWork', false);
  reader.expectNoOthers();
  const channel = config.threads === 0 ? await platform.startEngineHere() : platform.spawnCoordinator(scripts, config);
  const calls = new EngineCalls(platform, channel, onNotice);
  try {
    await calls.start(config);
    calls.endBeforeExit();
  } catch (error) {
    await calls.dispose();
    throw asPippinError(error);
  }
  return new EngineProver(calls, platform.describeLocation, constantWork);
}

/**
 * The caller's side of the engine: reads what the caller gives, and has the engine do it. Nothing is computed here.
 *
 * The calls are private by `#`: they work on when a caller freezes the prover with all that can be reached from it, as `harden` of SES does.
 */
class EngineProver implements Prover {
  readonly groth16: Groth16;
  readonly #calls: EngineCalls;
  readonly #constantWork: boolean;
  #sums: Sums | undefined;

  constructor(
    calls: EngineCalls,
    private readonly describeLocation: DescribeLocation,
    constantWork: boolean,
  ) {
    this.#calls = calls;
    this.#constantWork = constantWork;
    this.groth16 = groth16Of(calls, describeLocation, constantWork);
  }

  get capabilities(): Capabilities {
    return this.#calls.capabilities;
  }

  async loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases> {
    return requestBases(this.#calls, this.describeLocation, () => this.#loadSums(), request, options);
  }

  async msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions): Promise<MsmResult> {
    return (this.#sums ?? (await this.#loadSums())).one(bases, scalars, options);
  }

  async msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult> {
    return (this.#sums ?? (await this.#loadSums())).batch(bases, scalars, options);
  }

  async tune(options?: TuneOptions): Promise<PerformanceMap> {
    const reader = new OptionReader(options, 'the options of tune');
    const maxMs = reader.number('maxMs', LEAST_TUNE_MS, MOST_TUNE_MS, 'milliseconds') ?? TUNE_MS;
    const curves = curvesOf(reader);
    return this.#calls.run(this.#calls.begin(reader), (engine, number) => engine.tune(number, curves, maxMs));
  }

  /** What computes sums, which few callers want. */
  async #loadSums(): Promise<Sums> {
    const { Sums } = await loadPart('sums', () => import('./sums.js'));
    this.#sums ??= new Sums(this.#calls, this.#constantWork);
    return this.#sums;
  }

  async performanceMap(): Promise<PerformanceMap | undefined> {
    return this.#calls.ask((engine) => engine.performanceMap());
  }

  async clearCache(): Promise<void> {
    await this.#calls.ask((engine) => engine.clearCache());
  }

  dispose(): Promise<void> {
    return this.#calls.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}
