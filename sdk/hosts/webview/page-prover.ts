import type {
  AnyProveResult,
  BinarySource,
  CircuitInputs,
  ProveOptions,
  Prover,
  ProvingKeyLoadOptions,
} from '../../api/index.js';
import type { Phase, ProgressListener } from '../../api/progress.js';
import type { KeySource } from '../session/kept-keys.js';
import { KeptProver } from '../session/kept-prover.js';
import { proveWith } from '../session/proof-system-of.js';

/** A circuit that the page can prove, and options of its calls. */
export interface WebviewCircuit {
  /**
   * The proving key of any proof system: its bytes, or where to read them; a key in chunks is the list of its chunks.
   */
  readonly zkey: BinarySource | readonly BinarySource[];
  /** The WASM that circom compiled. */
  readonly wasm: BinarySource;
  /**
   * Options of loading the key.
   *
   * @defaultValue none
   */
  readonly keyOptions?: Omit<ProvingKeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
  /**
   * Options of each proof.
   *
   * @defaultValue none
   */
  readonly proveOptions?: Omit<ProveOptions, 'signal' | 'onProgress'>;
}

export interface PageProofRequest {
  readonly circuit: WebviewCircuit;
  readonly inputs: CircuitInputs;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number, phase: Phase) => void;
}

/**
 * A session that holds the key of one circuit at a time: unloaded keys take no memory, and reload quickly from the
 * cache.
 */
export class PageProver {
  private readonly session: KeptProver;

  /** @param idleMs milliseconds that the prover and its key stay loaded after the last proof. */
  constructor(open: () => Promise<Prover>, idleMs: number) {
    this.session = new KeptProver(open, () => ({ maxKeys: 1, idleMs }));
  }

  /** Makes one proof. The caller waits for one before it asks for another. */
  prove({ circuit, inputs, signal, onProgress }: PageProofRequest): Promise<AnyProveResult> {
    const listener: ProgressListener = (event) => {
      if (event.kind === 'progress') onProgress(event.done / event.total, event.phase);
    };
    return this.session.use((prover, keys) => {
      const load: KeySource['load'] = (loadSignal, loading) =>
        prover.loadKey(circuit.zkey, { ...circuit.keyOptions, signal: loadSignal, onProgress: loading });
      return keys.use({ id: circuit, load }, { signal, onProgress: listener }, (key, proving) =>
        proveWith(
          prover,
          key,
          { inputs, circuit: circuit.wasm },
          { ...circuit.proveOptions, signal, onProgress: proving },
        ),
      );
    }, signal);
  }

  /** Ends the prover and frees its memory; the next proof opens another. */
  close(): void {
    void this.session.close();
  }
}
