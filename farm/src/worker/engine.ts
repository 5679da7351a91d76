import type {
  AnyProveResult,
  Circuit,
  Notice,
  ProgressListener,
  Prover,
  ProverOptions,
  ProvingKey,
} from 'pippin-prover';
import type { LocatedFile } from '../circuits/circuit-file.js';
import type { RegisteredCircuit } from '../circuits/circuits.js';
import type { JobInput } from '../sealing/sealed-input.js';
import { LruCache } from './lru-cache.js';
import { proveWith } from './prove-with.js';

/** A circuit whose key is loaded. */
interface LoadedCircuit {
  readonly key: ProvingKey;
  readonly circuit: Circuit | undefined;
}

/** The parts of an engine. */
interface EngineOptions {
  readonly createProver: (options: ProverOptions) => Promise<Prover>;
  readonly prover: ProverOptions;
  readonly circuits: ReadonlyMap<string, RegisteredCircuit>;
  /** Bytes of loaded keys. */
  readonly keyMemory: number;
  /** Called once, when a GPU has computed wrong. */
  readonly onDistrust: (message: string) => void;
}

/** One proof. */
interface EngineCall {
  readonly circuit: string;
  readonly input: JobInput;
  readonly signal: AbortSignal;
  /** Called when the proof waits for its key, with the progress of loading, and when the key is loaded. */
  readonly onLoad: () => void;
  readonly onLoadProgress: ProgressListener;
  readonly onLoaded: (ms: number) => void;
  /** Called with the proof's own progress. */
  readonly onProveProgress: ProgressListener;
}

/** A circuit's files could not be loaded on this machine: not a fault of a job, whatever the reason. */
export class LoadFailure extends Error {
  constructor(readonly reason: unknown) {
    super('the circuit could not be loaded');
  }
}

/** Bytes assumed for a key whose size no server reports. */
const UNKNOWN_BYTES = 2 ** 28;

/** One prover and its loaded keys. It is replaced when the machine below it fails. */
export class Engine {
  private prover: Promise<Prover> | undefined;
  private cache: LruCache<LoadedCircuit>;
  private proving = 0;
  /** Whether a GPU has computed wrong here. Then no GPU is used any more. */
  private distrusted = false;
  /** Whether the prover must be replaced before the next proof. */
  private mustReplace = false;
  private latest: Prover | undefined;
  /** The proofs that wait for their key. */
  private readonly waiting = new Set<EngineCall>();

  constructor(private readonly options: EngineOptions) {
    this.cache = this.newCache();
  }

  /** The circuits whose keys are loaded, most recently used first. */
  get keys(): readonly string[] {
    return this.cache.ids();
  }

  get gpu(): 'trusted' | 'distrusted' | 'none' {
    if (this.distrusted) return 'distrusted';
    return this.latest?.capabilities.webgpu.available ? 'trusted' : 'none';
  }

  get backend(): 'webgpu' | 'wasm' {
    return this.latest?.capabilities.backend ?? 'wasm';
  }

  /** The GPU's name, or the number of threads. */
  get device(): string {
    if (this.latest === undefined) return 'not opened yet';
    const { webgpu, threads, backend } = this.latest.capabilities;
    const isGpu = backend === 'webgpu' && webgpu.available;
    return isGpu ? `${webgpu.vendor} ${webgpu.description || webgpu.architecture}`.trim() : `${threads} threads`;
  }

  /** Opens the prover, or its replacement. Rejects with the errors of `createProver`. */
  async ready(): Promise<void> {
    if (this.mustReplace && this.proving === 0) await this.close();
    this.prover ??= this.open();
    await this.prover;
  }

  /**
   * Makes and verifies a proof, loading its key first if necessary. Rejects with `LoadFailure` if that fails, and with
   * the errors of `prove`.
   */
  async prove(call: EngineCall): Promise<AnyProveResult> {
    await this.ready();
    const prover = await this.prover!;
    this.proving++;
    try {
      const began = performance.now();
      const isLoaded = this.cache.has(call.circuit);
      if (!isLoaded) {
        this.waiting.add(call);
        call.onLoad();
      }
      return await this.cache.use(call.circuit, (loaded) => {
        this.waiting.delete(call);
        if (!isLoaded) call.onLoaded(performance.now() - began);
        return this.proveWith(prover, loaded, call);
      });
    } finally {
      this.waiting.delete(call);
      this.proving--;
    }
  }

  /** Marks the prover for replacement before the next proof. */
  replaceProver(): void {
    this.mustReplace = true;
  }

  /** A GPU has computed wrong: the next prover uses none, and this one is replaced if it requires one. */
  distrust(message: string): void {
    if (this.distrusted) return;
    this.distrusted = true;
    if (this.options.prover.backend === 'webgpu') this.mustReplace = true;
    this.options.onDistrust(message);
  }

  async close(): Promise<void> {
    const { prover } = this;
    this.prover = undefined;
    this.latest = undefined;
    this.mustReplace = false;
    // The keys go with their prover.
    this.cache = this.newCache();
    await (await prover?.catch(() => undefined))?.dispose();
  }

  private async open(): Promise<Prover> {
    const backend = this.distrusted ? { backend: 'wasm' as const } : {};
    const onNotice = (notice: Notice) => this.noted(notice);
    const opening = this.options.createProver({ ...this.options.prover, ...backend, onNotice });
    opening.catch(() => {
      this.prover = undefined;
    });
    this.latest = await opening;
    return this.latest;
  }

  private noted({ code, message }: Notice): void {
    if (code === 'WEBGPU_DISTRUSTED') this.distrust(message);
  }

  private proveWith(prover: Prover, { key, circuit }: LoadedCircuit, call: EngineCall): Promise<AnyProveResult> {
    const { signal, onProveProgress: onProgress, input } = call;
    const given = 'witness' in input ? input : { inputs: input.inputs, circuit: circuit! };
    return proveWith(prover, key, given, { signal, onProgress });
  }

  private newCache(): LruCache<LoadedCircuit> {
    const { circuits, keyMemory } = this.options;
    return new LruCache({
      budget: keyMemory,
      bytesOf: (id) => circuits.get(id)!.zkey.bytes ?? UNKNOWN_BYTES,
      load: (id) => this.load(circuits.get(id)!),
      drop: async ({ key, circuit }) => {
        await Promise.all([key.dispose(), circuit?.dispose()]);
      },
    });
  }

  private async load({ info, zkey, wasm, verificationKey }: RegisteredCircuit): Promise<LoadedCircuit> {
    const onProgress: ProgressListener = (event) => {
      for (const call of this.waiting) if (call.circuit === info.id) call.onLoadProgress(event);
    };
    try {
      const prover = await this.prover!;
      // A circuit's WASM serves every proof system.
      const circuit = wasm === undefined ? undefined : await prover.groth16.loadCircuit(wasm.source, expectedOf(wasm));
      const key = await prover.loadKey(zkey.source, { ...expectedOf(zkey), verificationKey, onProgress });
      return { key, circuit };
    } catch (error) {
      throw new LoadFailure(error);
    }
  }
}

function expectedOf({ sha256, maxBytes }: LocatedFile): { sha256: string; maxBytes?: number } {
  return { sha256, ...(maxBytes === undefined ? {} : { maxBytes }) };
}
