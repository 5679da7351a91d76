import type { Groth16Key, ProveOptions, ProveResult, Prover } from '../../sdk/api/index.js';
import { abortError } from '../../sdk/base/abort.js';
import type { PippinError } from '../../sdk/base/errors.js';

/** A proof that was asked for, which the test ends. */
export interface AskedProof {
  readonly how: 'prove' | 'fullProve';
  readonly key: Groth16Key;
  /** Inputs and the circuit's WASM, or the witness. */
  readonly given: readonly unknown[];
  readonly options: ProveOptions;
  succeed(result?: Partial<ProveResult>): void;
  fail(error: PippinError): void;
}

/** A prover that computes nothing: keys load at once, and proofs end when the test says so. */
export class FakeProver {
  readonly loaded: { readonly url: unknown; readonly options: unknown }[] = [];
  readonly freed: unknown[] = [];
  readonly proofs: AskedProof[] = [];
  /** Told of each proof that is asked for. */
  onProof: () => void = () => undefined;
  isDisposed = false;
  failNextLoad: PippinError | undefined;
  /** What loading a key waits for. */
  loading: Promise<void> | undefined;
  /** What writing to the cache waits for. */
  writing: Promise<void> | undefined;

  /** The prover, as far as the document uses it. */
  get asProver(): Prover {
    const { groth16, capabilities } = this;
    const dispose = async (): Promise<void> => {
      this.isDisposed = true;
    };
    const cacheWritten = async (): Promise<void> => this.writing;
    return { groth16, capabilities, dispose, cacheWritten, clearCache: async () => undefined } as unknown as Prover;
  }

  readonly capabilities = { backend: 'wasm', threads: 2 } as const;

  private readonly groth16 = {
    loadKey: async (url: unknown, options: unknown) => {
      if (this.failNextLoad !== undefined) {
        const error = this.failNextLoad;
        this.failNextLoad = undefined;
        throw error;
      }
      this.loaded.push({ url, options });
      await this.loading;
      const dispose = async (): Promise<void> => void this.freed.push(url);
      return { variables: 4, publicSignals: 1, domainSize: 8, verificationKey: {}, report: { cached: true }, dispose };
    },
    prove: (key: Groth16Key, witness: unknown, options: ProveOptions) => this.ask('prove', key, [witness], options),
    fullProve: (key: Groth16Key, inputs: unknown, wasm: unknown, options: ProveOptions) =>
      this.ask('fullProve', key, [inputs, wasm], options),
    verify: async (_: unknown, signals: readonly string[]) => signals.length === 1,
  };

  private ask(
    how: AskedProof['how'],
    key: Groth16Key,
    given: readonly unknown[],
    options: ProveOptions,
  ): Promise<ProveResult> {
    return new Promise((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(abortError(options.signal)));
      this.proofs.push({
        how,
        key,
        given,
        options,
        succeed: (result = {}) =>
          resolve({ proof: { protocol: 'groth16' }, publicSignals: ['1'], report: {}, ...result } as ProveResult),
        fail: reject,
      });
      this.onProof();
    });
  }
}
