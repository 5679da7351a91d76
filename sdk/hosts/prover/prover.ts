import type {
  BackendChoice,
  Bases,
  BasesRequest,
  BinarySource,
  Capabilities,
  DeviceProcess,
  Fflonk,
  Groth16,
  Kzg,
  LoadOptions,
  MsmBatchOptions,
  MsmBatchResult,
  MsmOptions,
  MsmResult,
  PerformanceMap,
  Plonk,
  Prover,
  ProverEvent,
  ProverOptions,
  ProvingKey,
  ProvingKeyLoadOptions,
  TuneOptions,
} from '../../api/index.js';
import type { Notice } from '../../api/progress.js';
import { asPippinError } from '../../base/errors.js';
import { OptionReader } from '../../base/option-reader.js';
import { ownMembers } from '../../base/records.js';
import type { EngineConfig } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import { assetPlaces, type Locate, type WorkerScripts } from './asset-places.js';
import { requestBases } from './bases.js';
import { curvesOf } from './caller-curve.js';
import type { CallerPlatform } from './caller-platform.js';
import type { DescribeLocation } from './caller-source.js';
import { EngineCalls } from './engine-calls.js';
import type { MsmCalls } from './msm-calls.js';
import { loadBeyondProofs, proofSystemOf, requestKey } from './proof-systems.js';

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
  const onEvent = reader.listener<ProverEvent>('onEvent');
  const constantWork = reader.flag('constantWork', false);
  reader.expectNoOthers();
  const channel = config.threads === 0 ? await platform.startEngineHere() : platform.spawnCoordinator(scripts, config);
  const calls = new EngineCalls(platform, channel, onNotice, onEvent);
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
 * The calls are private by `#`: they work on when a caller freezes the prover with all that can be reached from it, as
 * `harden` of SES does.
 */
class EngineProver implements Prover {
  readonly groth16: Groth16;
  readonly plonk: Plonk;
  readonly fflonk: Fflonk;
  readonly kzg: Kzg;
  readonly #calls: EngineCalls;
  readonly #constantWork: boolean;
  #msmCalls: MsmCalls | undefined;

  constructor(
    calls: EngineCalls,
    private readonly describeLocation: DescribeLocation,
    constantWork: boolean,
  ) {
    this.#calls = calls;
    this.#constantWork = constantWork;
    this.groth16 = proofSystemOf('groth16', calls, describeLocation, constantWork);
    this.plonk = proofSystemOf('plonk', calls, describeLocation, constantWork);
    this.fflonk = proofSystemOf('fflonk', calls, describeLocation, constantWork);
    this.kzg = laterMethods(KZG_METHODS, async () => {
      const { CallerKzg } = await loadBeyondProofs('KZG');
      return new CallerKzg(calls, describeLocation, constantWork);
    });
  }

  get capabilities(): Capabilities {
    return this.#calls.capabilities;
  }

  async loadKey(zkey: BinarySource | readonly BinarySource[], options?: ProvingKeyLoadOptions): Promise<ProvingKey> {
    // Which description it has follows from its protocol.
    return (await requestKey(undefined, this.#calls, this.describeLocation, zkey, options)) as ProvingKey;
  }

  async loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases> {
    return requestBases(this.#calls, this.describeLocation, () => this.#loadMsmCalls(), request, options);
  }

  async msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions): Promise<MsmResult> {
    return (this.#msmCalls ?? (await this.#loadMsmCalls())).one(bases, scalars, options);
  }

  async msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult> {
    return (this.#msmCalls ?? (await this.#loadMsmCalls())).batch(bases, scalars, options);
  }

  async tune(options?: TuneOptions): Promise<PerformanceMap> {
    const reader = new OptionReader(options, 'the options of tune');
    const maxMs = reader.number('maxMs', LEAST_TUNE_MS, MOST_TUNE_MS, 'milliseconds') ?? TUNE_MS;
    const curves = curvesOf(reader);
    return this.#calls.run(this.#calls.begin('tune', reader), (engine, number) => engine.tune(number, curves, maxMs));
  }

  /** What computes MSMs, which few callers want. */
  async #loadMsmCalls(): Promise<MsmCalls> {
    const { MsmCalls } = await loadBeyondProofs('MSMs');
    this.#msmCalls ??= new MsmCalls(this.#calls, this.#constantWork);
    return this.#msmCalls;
  }

  async performanceMap(): Promise<PerformanceMap | undefined> {
    return this.#calls.ask((engine) => engine.performanceMap());
  }

  async cacheWritten(): Promise<void> {
    await this.#calls.ask((engine) => engine.cacheWritten());
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

const KZG_METHODS: readonly (keyof Kzg)[] = [
  'loadSrs',
  'commit',
  'commitBatch',
  'open',
  'openBatch',
  'verify',
  'verifyBatch',
];

/** The methods of an object that is loaded with the first call. Later calls read their arguments at once. */
function laterMethods<T extends object>(names: readonly (keyof T)[], load: () => Promise<T>): T {
  let loaded: T | undefined;
  const method =
    (name: keyof T) =>
    async (...args: unknown[]): Promise<unknown> => {
      loaded ??= await load();
      return (loaded[name] as (...args: unknown[]) => unknown)(...args);
    };
  return Object.fromEntries(names.map((name) => [name, method(name)])) as T;
}

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];

/**
 * Checks the options of createProver and makes plain data of them. `INVALID_ARGUMENT` names the option that is not what
 * it must be.
 *
 * @param standardAssets what counts as `assets` where the caller gives none.
 */
export function engineConfig(
  options: OptionReader,
  locate: Locate,
  standardAssets?: ProverOptions['assets'],
): { config: EngineConfig; scripts: WorkerScripts } {
  const backend = (options.read('backend') ?? 'auto') as BackendChoice;
  if (!BACKENDS.includes(backend)) throw options.wrong('backend', BACKENDS.join(', '), backend);
  const { scripts, assets } = assetPlaces(options, locate, standardAssets);
  const config = {
    backend,
    threads: options.integer('threads', 0, 64),
    cache: cacheOption(options),
    storageBudget: options.number('storageBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    memoryBudget: options.number('memoryBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    performanceMap: performanceMapOption(options),
    split: splitOption(options),
    devices: devicesOption(options, backend),
    assets,
  };
  return { config, scripts };
}

function cacheOption(options: OptionReader): EngineConfig['cache'] {
  const cache = options.read('cache') ?? true;
  if (typeof cache === 'boolean') return cache;
  if (typeof cache !== 'object') throw options.wrong('cache', 'true, false or { directory }', cache);
  const reader = new OptionReader(cache, 'cache');
  const directory = reader.read('directory');
  reader.expectNoOthers();
  if (typeof directory !== 'string') throw options.wrong('cache.directory', 'the path of a folder', directory);
  return { directory };
}

/** A map as plain data; the engine looks whether it is one. */
function performanceMapOption(options: OptionReader): unknown {
  const given = options.read('performanceMap') ?? undefined;
  if (given === undefined) return undefined;
  return plainCopy(given, { code: 'INVALID_ARGUMENT', whole: 'a performance map', single: 'JSON' });
}

function splitOption(options: OptionReader): 'auto' | boolean {
  const split = options.read('split') ?? 'auto';
  if (split !== 'auto' && typeof split !== 'boolean') throw options.wrong('split', "'auto', true or false", split);
  return split;
}

function devicesOption(options: OptionReader, backend: BackendChoice): readonly DeviceProcess[] {
  const devices = options.read('devices') ?? [];
  if (!Array.isArray(devices)) throw options.wrong('devices', 'a list of processes', devices);
  if (devices.length > 0 && backend === 'wasm') throw options.wrong('devices', 'an empty list for wasm', devices);
  return devices.map((device: unknown, i) => {
    const name = `devices[${i}]`;
    const reader = new OptionReader(device, name);
    const command = reader.read('command') ?? [];
    if (!Array.isArray(command) || !command.every((word) => typeof word === 'string') || command[0] === '') {
      throw options.wrong(`${name}.command`, 'a list of strings that begins with a program', command);
    }
    const given = new OptionReader(reader.read('env') ?? undefined, `${name}.env`);
    const env = Object.fromEntries(
      given.names().map((variable) => {
        const value = given.read(variable);
        if (typeof value !== 'string') throw options.wrong(`${name}.env.${variable}`, 'a string', value);
        return [variable, value];
      }),
    );
    reader.expectNoOthers();
    return { command: [...command], env };
  });
}
