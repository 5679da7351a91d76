import type {
  BinarySource,
  CircuitInputs,
  Groth16Key,
  KeyLoadOptions,
  ProveOptions,
  ProveResult,
  Prover,
} from '../../api/index.js';
import type { Phase } from '../../api/progress.js';
import { loadThenProve } from '../../api/progress-scale.js';
import { untilAborted } from '../../base/abort.js';

/** A circuit that the page can prove, and what its calls are given besides. */
export interface WebviewCircuit {
  readonly zkey: BinarySource | readonly BinarySource[];
  /** The WASM that circom compiled. */
  readonly wasm: BinarySource;
  readonly keyOptions?: Omit<KeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
  readonly proveOptions?: Omit<ProveOptions, 'signal' | 'onProgress'>;
}

export interface ProofRequest {
  readonly circuit: WebviewCircuit;
  readonly inputs: CircuitInputs;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number, phase: Phase) => void;
}

/**
 * A prover that is opened when a proof is asked for, and holds the key of one circuit at a time: what is not loaded takes no memory, and the
 * cache makes loading again quick.
 */
export class PageProver {
  private opened: Promise<Prover> | undefined;
  private closing: Promise<unknown> = Promise.resolve();
  private loaded: { readonly circuit: WebviewCircuit; readonly key: Groth16Key } | undefined;

  constructor(private readonly open: () => Promise<Prover>) {}

  /** Makes one proof. The caller waits for one before it asks for another. */
  async prove({ circuit, inputs, signal, onProgress }: ProofRequest): Promise<ProveResult> {
    await untilAborted(this.closing, signal);
    const prover = await untilAborted(this.prover(), signal);
    const { loading, proving } = loadThenProve(this.loaded?.circuit === circuit, (event) => {
      if (event.kind === 'progress') onProgress(event.done / event.total, event.phase);
    });
    const key = await this.key(prover, circuit, { signal, onProgress: loading });
    const options = { ...circuit.proveOptions, signal, onProgress: proving };
    return prover.groth16.fullProve(key, inputs, circuit.wasm, options);
  }

  /** Ends the prover and frees its memory; the next proof opens another. */
  close(): void {
    const { opened } = this;
    this.opened = undefined;
    this.loaded = undefined;
    if (opened === undefined) return;
    this.closing = opened.then(
      (prover) => prover.dispose(),
      () => undefined,
    );
  }

  private prover(): Promise<Prover> {
    if (this.opened === undefined) {
      const opened = this.open();
      this.opened = opened;
      // One that could not be opened is tried again by the next proof.
      opened.catch(() => {
        if (this.opened === opened) this.opened = undefined;
      });
    }
    return this.opened;
  }

  private async key(
    prover: Prover,
    circuit: WebviewCircuit,
    options: Pick<KeyLoadOptions, 'signal' | 'onProgress'>,
  ): Promise<Groth16Key> {
    if (this.loaded?.circuit === circuit) return this.loaded.key;
    const before = this.loaded;
    this.loaded = undefined;
    await before?.key.dispose();
    const key = await prover.groth16.loadKey(circuit.zkey, { ...circuit.keyOptions, ...options });
    this.loaded = { circuit, key };
    return key;
  }
}
