import * as Comlink from 'comlink';
import type {
  Bases,
  BasesRequest,
  BinarySource,
  Capabilities,
  Circuit,
  Groth16,
  Groth16Key,
  LoadOptions,
  MsmBatchOptions,
  MsmBatchResult,
  MsmOptions,
  MsmPoint,
  MsmResult,
  NumberForm,
  PerformanceMap,
  ProveResult,
  Prover,
  ProverOptions,
  SumCheck,
  TuneOptions,
} from './api.js';
import type { CoordinatorScript, Locate } from './asset-places.js';
import { curvesOf, groupOf } from './caller-curve.js';
import { copyScalars } from './caller-scalars.js';
import { CallerSignal } from './caller-signal.js';
import { type DescribeLocation, describeKey, describeSource } from './caller-source.js';
import { CURVES, type CurveId, type GroupId } from './curves/index.js';
import { describeType } from './describe.js';
import {
  type CircuitDescription,
  type EngineApi,
  type EngineAssets,
  type EngineConfig,
  type EngineEvent,
  START_CALL,
  type SumsRequest,
  type WitnessRequest,
} from './engine/engine-api.js';
import { engineConfig } from './engine-config.js';
import { asPippinError, PippinError } from './errors.js';
import { decodePoint } from './field/point-bytes.js';
import { plainCopy } from './io/plain-copy.js';
import type { Listener } from './listener.js';
import { OptionReader } from './option-reader.js';
import type { Notice, ProgressEvent } from './progress.js';
import { plainInputs } from './snarkjs/circuit-inputs.js';
import type { WorkerChannel } from './transport/channel.js';
import { type Remote, remote } from './transport/remote.js';
import { Silence } from './transport/silence.js';
import { basesTuning, callTuning, keyTuning } from './tuning-options.js';
import { OF_CIRCUITS, witnessMemory, witnessTimeout } from './witness-limits.js';

/** What the caller's thread needs from its platform, a browser or Node. */
export interface CallerPlatform {
  /** @param script the script that the caller named, if any. @param assets where the caller says that the files lie. */
  spawnCoordinator(script: CoordinatorScript, assets: EngineAssets): WorkerChannel;
  /** The engine on the caller's own thread. What does it is loaded when it is first wanted. */
  startEngineHere(): Promise<WorkerChannel>;
  readonly locate: Locate;
  readonly describeLocation: DescribeLocation;
  /** Milliseconds that `dispose` waits for the engine to end by itself before it ends its worker. */
  readonly disposeTimeoutMs: number;
  /**
   * Only in Node: has `end` called when the process has nothing else to do. The function that is returned takes this back.
   */
  readonly beforeExit?: (end: () => void) => () => void;
}

/** The forms of scalars and coordinates. */
const NUMBER_FORMS = ['canonical', 'montgomery'] as const satisfies readonly NumberForm[];

/** What `check` of `msm` may be. */
const CHECKS: readonly SumCheck[] = ['curve', 'random', 'recompute'];

/** What a prover knows about loaded bases, a loaded key or a loaded circuit, beside what the caller sees. */
interface Loaded {
  readonly prover: EngineProver;
  readonly kind: keyof typeof KINDS;
  /** The number by which the engine knows it. */
  readonly handle: number;
  /** Of bases: what their sums are over. */
  readonly sums?: { readonly curve: CurveId; readonly group: GroupId; readonly count: number };
  isDisposed: boolean;
}

/** A call of the caller. */
interface Call {
  readonly number: number;
  readonly signal: CallerSignal;
  readonly listener: Listener<ProgressEvent> | undefined;
}

/** The words for what can be loaded, as messages use them. */
const KINDS = { bases: 'bases', key: 'a proving key', circuit: 'a circuit' } as const;

/** The calls that load them. */
const LOADERS = { bases: 'loadBases', key: 'loadKey', circuit: 'loadCircuit' } as const;

const loadedThings = new WeakMap<object, Loaded>();

/** Starts the engine in its worker and gives back the handle to it. */
export async function createProverOn(platform: CallerPlatform, options: ProverOptions): Promise<Prover> {
  const reader = new OptionReader(options, 'the options of createProver');
  const { config, coordinator } = engineConfig(reader, platform.locate);
  const onNotice = reader.listener<Notice>('onNotice');
  const constantWork = reader.flag('constantWork', false);
  reader.expectNoOthers();
  const channel =
    config.threads === 0 ? await platform.startEngineHere() : platform.spawnCoordinator(coordinator, config.assets);
  const prover = new EngineProver(platform, channel, onNotice, constantWork);
  try {
    await prover.start(config);
    prover.endBeforeExit();
  } catch (error) {
    await prover.dispose();
    throw asPippinError(error);
  }
  return prover;
}

/**
 * The caller's side of the engine: numbers the calls, passes on their events, and answers an abort at once while the engine is still
 * stopping the work. Nothing is computed here.
 *
 * What changes, and the channel, are private by `#`: they work on when a caller freezes the prover with all that can be reached from it, as
 * `harden` of SES does.
 */
class EngineProver implements Prover {
  private readonly engine: Remote<EngineApi>;
  private readonly listeners = new Map<number, Listener<ProgressEvent>>();
  private readonly pending = new Set<(error: PippinError) => void>();
  readonly #channel: WorkerChannel;
  #current: Capabilities | undefined;
  /** Whether a notice came that the capabilities of the start may not know of. */
  #noticedAtStart = false;
  #ended: PippinError | undefined;
  #staysAtExit: (() => void) | undefined;
  #nextCall = START_CALL + 1;

  constructor(
    private readonly platform: CallerPlatform,
    channel: WorkerChannel,
    onNotice: Listener<Notice> | undefined,
    /** What calls do that do not say it. */
    private readonly constantWork: boolean,
  ) {
    this.#channel = channel;
    this.engine = remote<EngineApi>(channel.endpoint);
    channel.onEvent((message) => {
      const { call, event } = message as EngineEvent;
      if (event.kind === 'notice') this.notice(call, () => onNotice?.tell(event.notice));
      this.listeners.get(call)?.tell(event);
    });
    channel.onFailure((error) => this.end(error));
  }

  async start(config: EngineConfig): Promise<void> {
    const onSilent = (): void =>
      this.end(new PippinError('WORKER_FAILED', 'expected a coordinator that runs, got none'));
    const silence = new Silence({ patienceMs: START_MS, startMs: START_MS, onSilent });
    silence.until(this.engine.hello()).catch(() => undefined);
    try {
      this.#current = await this.guard(() => this.engine.start(config));
    } finally {
      silence.end();
    }
    if (this.#noticedAtStart) await this.refreshCapabilities();
  }

  /** A prover that nobody disposes is disposed when the process has nothing else to do, so that the cache is written and the GPU let go. */
  endBeforeExit(): void {
    this.#staysAtExit = this.platform.beforeExit?.(() => void this.dispose());
  }

  get capabilities(): Capabilities {
    if (this.#current === undefined) throw new PippinError('INTERNAL', 'expected a started engine');
    return this.#current;
  }

  async loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases> {
    const asked = new OptionReader(request, 'the bases to load');
    const { curve, group } = groupOf(asked.read('curve'), asked.read('group') ?? 'g1');
    const id = asked.read('id') as string | undefined;
    const tuning = basesTuning(asked);
    const pointsForm = asked.word('pointsForm', NUMBER_FORMS) ?? 'canonical';
    const checkSubgroup = asked.flag('checkSubgroup', true);
    const source = asked.read('points') as BinarySource;
    asked.expectNoOthers();
    const reader = new OptionReader(options, 'the options of loadBases');
    const isMoved = reader.flag('transfer', false);
    const call = this.begin(reader);
    const points = describeSource(source, 'points', this.platform.describeLocation, isMoved);
    const asPlain = withItsBytes({ curve, group, points, pointsForm, checkSubgroup, tuning }, points);
    const { handle, count, report } = await this.load(call, (number) => this.engine.loadBases(number, asPlain));
    const bases: Bases = { curve, group, id, count, report, dispose: () => this.release(bases) };
    const sums = { curve, group, count };
    loadedThings.set(bases, { prover: this, kind: 'bases', handle, sums, isDisposed: false });
    return bases;
  }

  async msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions): Promise<MsmResult> {
    const reader = new OptionReader(options, 'the options of msm');
    const { points, report } = await this.multiply(bases, scalars, { batchSize: 1, sharedBases: true }, reader);
    return { ...points[0]!, report };
  }

  async msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult> {
    const reader = new OptionReader(options, 'the options of msmBatch');
    const batchSize = reader.integer('batchSize', 1, MAX_BATCH_SIZE);
    if (batchSize === undefined) throw reader.wrong('batchSize', `an integer from 1 to ${MAX_BATCH_SIZE}`, undefined);
    return this.multiply(bases, scalars, { batchSize, sharedBases: reader.flag('sharedBases', true) }, reader);
  }

  readonly groth16: Groth16 = {
    loadKey: async (zkey, options) => {
      const reader = new OptionReader(options, 'the options of loadKey');
      const tuning = keyTuning(reader);
      const pinned = reader.read('verificationKey') ?? undefined;
      const vkey = pinned && plainCopy(pinned, { code: 'MALFORMED_FILE', whole: 'a verification key', single: 'JSON' });
      const expected = {
        sha256: sha256Of(reader),
        allowUnfinished: reader.flag('allowUnfinished', false),
        ...(vkey === undefined ? {} : { verificationKey: vkey }),
      };
      const isMoved = reader.flag('transfer', false);
      const call = this.begin(reader);
      const source = describeKey(zkey, this.platform.describeLocation, isMoved);
      const { handle, description, report } = await this.load(call, (number) =>
        this.engine.loadKey(number, 'groth16', withItsBytes(source, source), tuning, expected),
      );
      const facts = description as Omit<Groth16Key, 'report' | 'dispose'>;
      const key: Groth16Key = { ...facts, report, dispose: () => this.release(key) };
      loadedThings.set(key, { prover: this, kind: 'key', handle, isDisposed: false });
      return key;
    },
    prove: async (key, witness, options) => {
      const reader = new OptionReader(options, 'the options of prove');
      const { describeLocation } = this.platform;
      return this.prove(key, reader, () => ({
        kind: 'file',
        source: describeSource(witness, 'a witness', describeLocation),
      }));
    },
    loadCircuit: async (wasm, options) => {
      const reader = new OptionReader(options, 'the options of loadCircuit');
      const sha256 = sha256Of(reader);
      const memoryBytes = witnessMemory(reader);
      const isMoved = reader.flag('transfer', false);
      const call = this.begin(reader);
      const source = describeSource(wasm, CIRCUIT_FILE, this.platform.describeLocation, isMoved);
      const request = withItsBytes({ wasm: source, sha256, memoryBytes }, source);
      const { handle, report } = await this.load(call, (number) => this.engine.loadCircuit(number, request));
      const circuit: Circuit = { report, dispose: () => this.release(circuit) };
      loadedThings.set(circuit, { prover: this, kind: 'circuit', handle, isDisposed: false });
      return circuit;
    },
    fullProve: async (key, inputs, circuit, options) => {
      const reader = new OptionReader(options, 'the options of fullProve');
      const limits = {
        strictInputs: reader.flag('strictInputs', false),
        timeoutMs: witnessTimeout(reader),
        memoryBytes: witnessMemory(reader),
      };
      const plain = plainInputs(inputs);
      return this.prove(key, reader, () => ({
        kind: 'inputs',
        inputs: plain,
        wasm: this.circuitOf(circuit),
        ...limits,
      }));
    },
    verify: async (verificationKey, publicSignals, proof, options) => {
      const reader = new OptionReader(options, 'the options of verify');
      const allowUnfinished = reader.flag('allowUnfinished', false);
      const call = this.begin(reader);
      const [keyJson, signalsJson, proofJson] = (
        [
          [verificationKey, 'a verification key'],
          [publicSignals, 'public signals'],
          [proof, 'a proof'],
        ] as const
      ).map(([json, whole]) => plainCopy(json, { code: 'MALFORMED_FILE', whole, single: 'JSON' }));
      return this.run(call, (number) =>
        this.engine.verify(number, 'groth16', keyJson, signalsJson, proofJson, allowUnfinished),
      );
    },
  };

  async tune(options?: TuneOptions): Promise<PerformanceMap> {
    const reader = new OptionReader(options, 'the options of tune');
    const maxMs = reader.number('maxMs', LEAST_TUNE_MS, MOST_TUNE_MS, 'milliseconds') ?? TUNE_MS;
    const curves = curvesOf(reader);
    return this.run(this.begin(reader), (number) => this.engine.tune(number, curves, maxMs));
  }

  async performanceMap(): Promise<PerformanceMap | undefined> {
    return this.guard(() => this.engine.performanceMap());
  }

  async clearCache(): Promise<void> {
    await this.guard(() => this.engine.clearCache());
  }

  async dispose(): Promise<void> {
    if (this.#ended !== undefined) return;
    this.end(new PippinError('DISPOSED', 'the prover was disposed'), false);
    this.#channel.setBusy?.(true);
    // The engine ends its own workers and frees the GPU. If it does not answer in time, its worker is ended from here.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.platform.disposeTimeoutMs);
    });
    await Promise.race([this.engine.dispose().catch(() => undefined), timeout]);
    clearTimeout(timer);
    this.#channel.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  private async multiply(
    bases: Bases,
    scalars: Uint8Array,
    batch: Pick<SumsRequest, 'batchSize' | 'sharedBases'>,
    options: OptionReader,
  ): Promise<MsmBatchResult> {
    const { handle, sums } = this.loadedOf(bases, 'bases');
    const { curve, group, count } = sums!;
    const bitSize = options.integer('bitSize', 1, CURVES[curve].fr.bits);
    const tuning = callTuning(options);
    const scalarsForm = options.word('scalarsForm', NUMBER_FORMS) ?? 'canonical';
    const check = options.word('check', CHECKS);
    const constantWork = options.flag('constantWork', this.constantWork);
    const call = this.begin(options);
    const copy = copyScalars(scalars, curve, count, batch);
    const request = { ...batch, bitSize, tuning, scalarsForm, check, constantWork };
    const { points, report } = await this.run(call, (number) =>
      this.engine.msm(number, handle, Comlink.transfer(copy, [copy.buffer]), request),
    );
    const decode = (bytes: Uint8Array): MsmPoint => ({ ...decodePoint(curve, group, bytes), bytes });
    return { points: points.map(decode), report };
  }

  /** @param requestOf called when everything else has been checked. */
  private async prove(key: Groth16Key, options: OptionReader, requestOf: () => WitnessRequest): Promise<ProveResult> {
    const { handle } = this.loadedOf(key, 'key');
    const verify = options.flag('verify', true);
    const constantWork = options.flag('constantWork', this.constantWork);
    const call = this.begin(options, OF_CIRCUITS);
    const plain = requestOf();
    const request = withItsBytes(plain, plain.kind === 'file' ? plain.source : plain.wasm);
    const made = await this.run(call, (number) => this.engine.prove(number, handle, request, verify, constantWork));
    return made as ProveResult;
  }

  /** A circuit as the engine knows it: a loaded one, or where its WASM is. */
  private circuitOf(circuit: Circuit | BinarySource): CircuitDescription {
    return loadedThings.has(circuit as object)
      ? { kind: 'circuit', handle: this.loadedOf(circuit as Circuit, 'circuit').handle }
      : describeSource(circuit as BinarySource, CIRCUIT_FILE, this.platform.describeLocation);
  }

  /** Passes a notice on; one that no call has caused is about the GPU, and comes when the capabilities say so, too. */
  private notice(call: number, tell: () => void): void {
    if (call !== START_CALL) tell();
    else if (this.#current !== undefined) void this.refreshCapabilities().then(tell);
    else {
      this.#noticedAtStart = true;
      tell();
    }
  }

  /** Asks for the capabilities again, since the GPU may have been opened or lost. */
  private async refreshCapabilities(): Promise<void> {
    if (this.#ended !== undefined) return;
    try {
      this.#current = await this.guard(() => this.engine.capabilities());
    } catch {
      // The prover has ended.
    }
  }

  /**
   * What is known of loaded bases, a loaded key or a loaded circuit. `INVALID_ARGUMENT` for anything else, `INVALID_HANDLE` for those of another prover
   * or of the other kind, `DISPOSED` for those that were disposed.
   */
  private loadedOf(thing: Bases | Groth16Key | Circuit, kind: Loaded['kind']): Loaded {
    const expected = `${KINDS[kind]} loaded by this prover`;
    const loaded = typeof thing === 'object' && thing !== null ? loadedThings.get(thing) : undefined;
    if (loaded === undefined) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${expected}, got ${describeType(thing)}`, {
        hint: `give what ${LOADERS[kind]} gave: awaited, and the object itself rather than a copy of it`,
      });
    }
    if (loaded.prover !== this) {
      throw new PippinError('INVALID_HANDLE', `expected ${expected}, got ${KINDS[loaded.kind]} of another prover`, {
        hint: 'load them again with this prover; its cache makes that quick',
      });
    }
    if (loaded.kind !== kind) {
      throw new PippinError('INVALID_HANDLE', `expected ${expected}, got ${KINDS[loaded.kind]}`);
    }
    if (loaded.isDisposed && this.#ended === undefined) {
      throw new PippinError('DISPOSED', `expected ${expected}, got what was disposed`);
    }
    return loaded;
  }

  private async release(thing: Bases | Groth16Key | Circuit): Promise<void> {
    const loaded = loadedThings.get(thing)!;
    loaded.isDisposed = true;
    if (this.#ended === undefined) await this.guard(() => this.engine.release(loaded.handle));
  }

  /**
   * Reads what every call's options have; the others have been read. Throws if there are members that no option has, if the signal has fired, or if the
   * prover has ended.
   *
   * @param others names of options that may be given and are not used.
   */
  private begin(options: OptionReader, others: readonly string[] = []): Call {
    const signal = new CallerSignal(options.read('signal'));
    const listener = options.listener<ProgressEvent>('onProgress');
    options.expectNoOthers(others);
    signal.throwIfAborted();
    if (this.#ended !== undefined) throw this.#ended;
    return { number: this.#nextCall++, signal, listener };
  }

  /** Runs a call that loads something. An answer that crosses an abort is released: the caller never gets to know of it. */
  private async load<T extends { readonly handle: number }>(
    call: Call,
    work: (call: number) => Promise<T>,
  ): Promise<T> {
    let loading: Promise<T> | undefined;
    try {
      return await this.run(call, (number) => {
        loading = work(number);
        return loading;
      });
    } catch (error) {
      loading?.then(({ handle }) => this.engine.release(handle)).catch(() => undefined);
      throw error;
    }
  }

  /** Runs one numbered call: its events go to its listener, its signal to the engine. */
  private async run<T>({ number, signal, listener }: Call, work: (call: number) => Promise<T>): Promise<T> {
    if (listener !== undefined) this.listeners.set(number, listener);
    let stopListening = (): void => undefined;
    try {
      return await this.guard(
        () => work(number),
        (reject) => {
          stopListening = signal.onAbort((error) => {
            void this.engine.abort(number);
            reject(error);
          });
        },
      );
    } finally {
      stopListening();
      this.listeners.delete(number);
      // Nobody waits for it, so that an abort is answered at once.
      void this.refreshCapabilities();
    }
  }

  /** The answer of `work`, or the error with which the engine ends before it. */
  private guard<T>(work: () => Promise<T>, onReject?: (reject: (error: PippinError) => void) => void): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise<T>((resolve, reject) => {
      onReject?.(reject);
      this.pending.add(reject);
      this.#channel.setBusy?.(true);
      work()
        .then(resolve, (error) => reject(asPippinError(error)))
        .finally(() => {
          this.pending.delete(reject);
          if (this.pending.size === 0 && this.#ended === undefined) this.#channel.setBusy?.(false);
        });
    });
  }

  private end(error: PippinError, terminate = true): void {
    this.#ended ??= error;
    this.#staysAtExit?.();
    for (const reject of this.pending) reject(error);
    this.pending.clear();
    if (terminate) this.#channel.terminate();
  }
}

/** Marks an argument for the engine so that the bytes of the source in it are moved instead of copied on the way. */
function withItsBytes<T>(argument: T, source: CircuitDescription): T {
  const buffers = buffersIn(source);
  return buffers.length === 0 ? argument : Comlink.transfer(argument, buffers);
}

function buffersIn(source: CircuitDescription): ArrayBuffer[] {
  if (source.kind === 'chunks') return [...new Set(source.chunks.flatMap(buffersIn))];
  return source.kind === 'bytes' ? [source.bytes.buffer] : [];
}

/**
 * Milliseconds until the engine's script runs; it is downloaded before. Firefox at times starts a worker and never runs its script, without an error
 * (seen in the background page of an extension).
 */
const START_MS = 120_000;

/** What a circuit's file is called in messages. */
const CIRCUIT_FILE = "a circuit's WASM";

/** What `tune` measures for: by default, at least and at most. */
const TUNE_MS = 3000;
const LEAST_TUNE_MS = 100;
const MOST_TUNE_MS = 600_000;

/** The SHA-256 that a key must have, in lower case, if it is given. */
function sha256Of(options: OptionReader): string | undefined {
  const value = options.read('sha256') ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) {
    throw options.wrong('sha256', '64 hexadecimal digits', value);
  }
  return value.toLowerCase();
}

/** The most multiplications in one call. Without it a batch over no points at all, which needs no scalars, could have any size. */
const MAX_BATCH_SIZE = 65_536;
