import * as Comlink from 'comlink';
import { abortError, throwIfAborted } from './abort.js';
import type {
  Bases,
  BasesRequest,
  BinarySource,
  CallOptions,
  Capabilities,
  CircuitInputs,
  Groth16,
  Groth16Key,
  Groth16Proof,
  Groth16VerificationKey,
  LoadOptions,
  MsmBatchOptions,
  MsmBatchResult,
  MsmPoint,
  MsmResult,
  ProveOptions,
  ProveResult,
  Prover,
  ProverOptions,
} from './api.js';
import { CURVES, type CurveId, type GroupId, SCALAR_BYTES, withoutG2 } from './curves/index.js';
import {
  type EngineApi,
  type EngineConfig,
  type EngineEvent,
  type SourceDescription,
  START_CALL,
  type WitnessRequest,
} from './engine/engine-api.js';
import { asPippinError, PippinError } from './errors.js';
import { decodePoint } from './field/point-bytes.js';
import { Listener } from './listener.js';
import type { Notice, ProgressEvent } from './progress.js';
import { expectPlainInputs } from './snarkjs/circuit-inputs.js';
import type { WorkerChannel } from './transport/channel.js';
import { type Remote, remote } from './transport/remote.js';

/** What the caller's thread needs from its platform, a browser or Node. */
export interface CallerPlatform {
  spawnCoordinator(options: ProverOptions): WorkerChannel;
  /** Turns a string or URL into what the engine reads. */
  describeLocation(location: string | URL): SourceDescription;
  /** Milliseconds that `dispose` waits for the engine to end by itself before it ends its worker. */
  readonly disposeTimeoutMs: number;
}

/** What a prover knows about loaded bases or a loaded key, beside what the caller sees. */
interface Loaded {
  readonly prover: EngineProver;
  readonly kind: keyof typeof KINDS;
  /** The number by which the engine knows it. */
  readonly handle: number;
  isDisposed: boolean;
}

/** The words for what can be loaded, as messages use them. */
const KINDS = { bases: 'bases', key: 'a proving key' } as const;

const loadedThings = new WeakMap<object, Loaded>();

/** Starts the engine in its worker and gives back the handle to it. */
export async function createProverOn(platform: CallerPlatform, options: ProverOptions): Promise<Prover> {
  const config = engineConfig(options);
  const { onNotice } = options;
  const listener = onNotice === undefined ? undefined : new Listener('onNotice', onNotice);
  const prover = new EngineProver(platform, platform.spawnCoordinator(options), listener);
  try {
    await prover.start(config);
  } catch (error) {
    await prover.dispose();
    throw asPippinError(error);
  }
  return prover;
}

/**
 * The caller's side of the engine: numbers the calls, passes on their events, and answers an abort at once while the engine is still
 * stopping the work. Nothing is computed here.
 */
class EngineProver implements Prover {
  private readonly engine: Remote<EngineApi>;
  private readonly listeners = new Map<number, Listener<ProgressEvent>>();
  private readonly pending = new Set<(error: PippinError) => void>();
  private current: Capabilities | undefined;
  /** Whether a notice came that the capabilities of the start may not know of. */
  private noticedAtStart = false;
  private ended: PippinError | undefined;
  private nextCall = START_CALL + 1;

  constructor(
    private readonly platform: CallerPlatform,
    private readonly channel: WorkerChannel,
    onNotice: Listener<Notice> | undefined,
  ) {
    this.engine = remote<EngineApi>(channel.endpoint);
    channel.onEvent((message) => {
      const { call, event } = message as EngineEvent;
      if (event.kind === 'notice') this.notice(call, () => onNotice?.tell(event.notice));
      this.listeners.get(call)?.tell(event);
    });
    channel.onFailure((error) => this.end(error));
  }

  async start(config: EngineConfig): Promise<void> {
    this.current = await this.guard(() => this.engine.start(config));
    if (this.noticedAtStart) await this.refreshCapabilities();
  }

  get capabilities(): Capabilities {
    if (this.current === undefined) throw new PippinError('INTERNAL', 'expected a started engine');
    return this.current;
  }

  async loadBases(request: BasesRequest, options: LoadOptions = {}): Promise<Bases> {
    const { curve, group = 'g1', id } = request;
    expectCurve(curve, group);
    const points = this.describe(request.points, 'points', options.transfer);
    const { handle, count, report } = await this.call(options, (call) =>
      this.engine.loadBases(call, curve, group, withItsBytes(points, points)),
    );
    const bases: Bases = { curve, group, id, count, report, dispose: () => this.release(bases) };
    loadedThings.set(bases, { prover: this, kind: 'bases', handle, isDisposed: false });
    return bases;
  }

  async msm(bases: Bases, scalars: Uint8Array, options: CallOptions = {}): Promise<MsmResult> {
    const { points, report } = await this.multiply(bases, scalars, 1, options);
    return { ...points[0]!, report };
  }

  async msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult> {
    // Callers without types may leave the options out.
    const batchSize: unknown = options?.batchSize;
    if (!isBatchSize(batchSize)) {
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected batchSize as an integer from 1 to ${MAX_BATCH_SIZE}, got ${String(batchSize)}`,
      );
    }
    return this.multiply(bases, scalars, batchSize, options);
  }

  readonly groth16: Groth16 = {
    loadKey: async (zkey, options = {}) => {
      const source: SourceDescription = isList(zkey)
        ? { kind: 'chunks', chunks: zkey.map((chunk) => this.describe(chunk, 'a chunk of a key', options.transfer)) }
        : this.describe(zkey, 'a .zkey', options.transfer);
      const { handle, description, report } = await this.call(options, (call) =>
        this.engine.loadKey(call, 'groth16', withItsBytes(source, source)),
      );
      const facts = description as Omit<Groth16Key, 'report' | 'dispose'>;
      const key: Groth16Key = { ...facts, report, dispose: () => this.release(key) };
      loadedThings.set(key, { prover: this, kind: 'key', handle, isDisposed: false });
      return key;
    },
    prove: (key, witness, options = {}) =>
      this.prove(key, witness, 'a witness', (source) => ({ kind: 'file', source }), options),
    fullProve: async (key, inputs: CircuitInputs, wasm, options = {}) => {
      expectPlainInputs(inputs);
      const { strictInputs = false } = options;
      const request = (source: SourceDescription) => ({ kind: 'inputs', inputs, wasm: source, strictInputs }) as const;
      return this.prove(key, wasm, "a circuit's WASM", request, options);
    },
    verify: (verificationKey: Groth16VerificationKey, publicSignals, proof: Groth16Proof, options = {}) =>
      this.call(options, (call) => this.engine.verify(call, 'groth16', verificationKey, publicSignals, proof)),
  };

  async clearCache(): Promise<void> {
    await this.guard(() => this.engine.clearCache());
  }

  async dispose(): Promise<void> {
    if (this.ended !== undefined) return;
    this.end(new PippinError('DISPOSED', 'the prover was disposed'), false);
    // The engine ends its own workers and frees the GPU. If it does not answer in time, its worker is ended from here.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.platform.disposeTimeoutMs);
    });
    await Promise.race([this.engine.dispose().catch(() => undefined), timeout]);
    clearTimeout(timer);
    this.channel.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  private async multiply(
    bases: Bases,
    scalars: Uint8Array,
    batchSize: number,
    options: CallOptions,
  ): Promise<MsmBatchResult> {
    const handle = this.handleOf(bases, 'bases');
    expectScalars(scalars, bases.count, batchSize);
    const copy = new Uint8Array(scalars);
    const { points, report } = await this.call(options, (call) =>
      this.engine.msm(call, handle, Comlink.transfer(copy, [copy.buffer]), batchSize),
    );
    const decode = (bytes: Uint8Array): MsmPoint => ({ ...decodePoint(bases.curve, bases.group, bytes), bytes });
    return { points: points.map(decode), report };
  }

  private async prove(
    key: Groth16Key,
    file: BinarySource,
    what: string,
    requestFor: (source: SourceDescription) => WitnessRequest,
    options: ProveOptions,
  ): Promise<ProveResult> {
    const handle = this.handleOf(key, 'key');
    const source = this.describe(file, what);
    const request = withItsBytes(requestFor(source), source);
    const made = await this.call(options, (call) => this.engine.prove(call, handle, request, options.verify ?? true));
    return made as ProveResult;
  }

  /** Passes a notice on; one that no call has caused is about the GPU, and comes when the capabilities say so, too. */
  private notice(call: number, tell: () => void): void {
    if (call !== START_CALL) tell();
    else if (this.current !== undefined) void this.refreshCapabilities().then(tell);
    else {
      this.noticedAtStart = true;
      tell();
    }
  }

  /** Asks for the capabilities again, since the GPU may have been opened or lost. */
  private async refreshCapabilities(): Promise<void> {
    if (this.ended !== undefined) return;
    try {
      this.current = await this.guard(() => this.engine.capabilities());
    } catch {
      // The prover has ended.
    }
  }

  /**
   * The engine's number for loaded bases or a loaded key. `INVALID_ARGUMENT` for anything else, `INVALID_HANDLE` for those of another prover
   * or of the other kind, `DISPOSED` for those that were disposed.
   */
  private handleOf(thing: Bases | Groth16Key, kind: Loaded['kind']): number {
    const expected = `${KINDS[kind]} loaded by this prover`;
    const loaded = typeof thing === 'object' && thing !== null ? loadedThings.get(thing) : undefined;
    if (loaded === undefined) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${expected}, got ${describeType(thing)}`);
    }
    if (loaded.prover !== this) {
      throw new PippinError('INVALID_HANDLE', `expected ${expected}, got ${KINDS[loaded.kind]} of another prover`, {
        hint: 'load them again with this prover; its cache makes that quick',
      });
    }
    if (loaded.kind !== kind) {
      throw new PippinError('INVALID_HANDLE', `expected ${expected}, got ${KINDS[loaded.kind]}`);
    }
    if (loaded.isDisposed && this.ended === undefined) {
      throw new PippinError('DISPOSED', `expected ${expected}, got what was disposed`);
    }
    return loaded.handle;
  }

  private async release(thing: Bases | Groth16Key): Promise<void> {
    const loaded = loadedThings.get(thing)!;
    loaded.isDisposed = true;
    if (this.ended === undefined) await this.guard(() => this.engine.release(loaded.handle));
  }

  /** Runs one numbered call: its events go to its listener, its signal to the engine. */
  private async call<T>(options: CallOptions, work: (call: number) => Promise<T>): Promise<T> {
    const { signal, onProgress } = options;
    const call = this.nextCall++;
    throwIfAborted(signal);
    if (onProgress !== undefined) this.listeners.set(call, new Listener('onProgress', onProgress));
    let onAbort: (() => void) | undefined;
    try {
      return await this.guard(
        () => work(call),
        (reject) => {
          onAbort = () => {
            void this.engine.abort(call);
            reject(abortError(signal));
          };
          signal?.addEventListener('abort', onAbort, { once: true });
        },
      );
    } finally {
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
      this.listeners.delete(call);
      // Nobody waits for it, so that an abort is answered at once.
      void this.refreshCapabilities();
    }
  }

  /** The answer of `work`, or the error with which the engine ends before it. */
  private guard<T>(work: () => Promise<T>, onReject?: (reject: (error: PippinError) => void) => void): Promise<T> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    return new Promise<T>((resolve, reject) => {
      onReject?.(reject);
      this.pending.add(reject);
      work()
        .then(resolve, (error) => reject(asPippinError(error)))
        .finally(() => this.pending.delete(reject));
    });
  }

  private end(error: PippinError, terminate = true): void {
    this.ended ??= error;
    for (const reject of this.pending) reject(error);
    this.pending.clear();
    if (terminate) this.channel.terminate();
  }

  /** A source as plain data for the engine. Bytes are copied, unless they fill their buffer and `take` allows to move them. */
  private describe(source: BinarySource, what: string, take = false): SourceDescription {
    if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
      const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
      const taken = take && bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;
      return { kind: 'bytes', bytes: taken ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes) };
    }
    if (typeof Blob !== 'undefined' && source instanceof Blob) return { kind: 'blob', blob: source };
    if (typeof source === 'string' || source instanceof URL) return this.platform.describeLocation(source);
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected ${what} as a Uint8Array, ArrayBuffer, Blob, URL or string, got ${describeType(source)}`,
    );
  }
}

/** Marks an argument for the engine so that the bytes of the source in it are moved instead of copied on the way. */
function withItsBytes<T>(argument: T, source: SourceDescription): T {
  const buffers = buffersIn(source);
  return buffers.length === 0 ? argument : Comlink.transfer(argument, buffers);
}

function buffersIn(source: SourceDescription): ArrayBuffer[] {
  if (source.kind === 'chunks') return [...new Set(source.chunks.flatMap(buffersIn))];
  return source.kind === 'bytes' ? [source.bytes.buffer] : [];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** The most multiplications in one call. Without it a batch over no points at all, which needs no scalars, could have any size. */
const MAX_BATCH_SIZE = 65_536;

function isBatchSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_BATCH_SIZE;
}

function expectScalars(scalars: unknown, count: number, batchSize: number): void {
  if (!(scalars instanceof Uint8Array)) {
    throw new PippinError('INVALID_ARGUMENT', `expected scalars as a Uint8Array, got ${describeType(scalars)}`);
  }
  const bytes = batchSize * count * SCALAR_BYTES;
  if (scalars.length === bytes) return;
  const times = batchSize === 1 ? '' : `${batchSize} times `;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${times}${count} scalars of ${SCALAR_BYTES} bytes (${bytes}), got ${scalars.length} bytes`,
  );
}

function describeType(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? (value.constructor?.name ?? 'an object') : typeof value;
}

function expectCurve(curve: CurveId, group: GroupId): void {
  if (!Object.hasOwn(CURVES, curve)) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected a curve of ${Object.keys(CURVES).join(', ')}, got ${String(curve)}`,
    );
  }
  if (group !== 'g1' && group !== 'g2') {
    throw new PippinError('INVALID_ARGUMENT', `expected a group of g1, g2, got ${String(group)}`);
  }
  if (group === 'g2' && CURVES[curve].g2 === undefined) throw withoutG2(curve);
}

/** Checks the options and makes plain data of them. */
function engineConfig(options: ProverOptions): EngineConfig {
  const { backend = 'auto', threads, cache = true, memoryBudget, assets = {} } = options;
  if (!['auto', 'webgpu', 'wasm'].includes(backend)) {
    throw new PippinError('INVALID_ARGUMENT', `expected a backend of auto, webgpu, wasm, got ${String(backend)}`);
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= 64)) {
    throw new PippinError('INVALID_ARGUMENT', `expected threads as an integer from 1 to 64, got ${String(threads)}`);
  }
  if (memoryBudget !== undefined && !(Number.isFinite(memoryBudget) && memoryBudget > 0)) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected memoryBudget as a positive number of bytes, got ${String(memoryBudget)}`,
    );
  }
  const plain = (url: string | URL | undefined): string | undefined => (url instanceof URL ? url.href : url);
  const wasm: Record<string, string | WebAssembly.Module> = {};
  for (const [curve, place] of Object.entries(assets.wasm ?? {})) {
    wasm[curve] = place instanceof URL ? place.href : place;
  }
  const urls = Object.fromEntries(
    (['coordinator', 'kernel', 'witness'] as const).flatMap((name) => {
      const url = plain(assets[name]);
      return url === undefined ? [] : [[name, url]];
    }),
  );
  return { backend, threads, cache, memoryBudget, assets: { ...urls, wasm } };
}
