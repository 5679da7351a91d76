import type { AnyProveResult, ProveOptions, Prover, ProvingKey } from '../../sdk/api/index.js';
import { abortError } from '../../sdk/base/abort.js';
import type { PippinError } from '../../sdk/base/errors.js';

/** A proof that was asked for, which the test ends. */
export interface AskedProof {
  readonly how: 'prove' | 'fullProve';
  readonly key: ProvingKey;
  /** Inputs and the circuit's WASM, or the witness. */
  readonly given: readonly unknown[];
  readonly options: ProveOptions;
  succeed(result?: Partial<AnyProveResult>): void;
  fail(error: PippinError): void;
}

/** A prover that computes nothing: keys load at once, and proofs end when the test says so. */
export class FakeProver {
  readonly loaded: { readonly url: unknown; readonly options: unknown }[] = [];
  /** What a file is a key of, when `loadKey` of the prover loads it. */
  protocolOf: (url: unknown) => ProvingKey['protocol'] = () => 'groth16';
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
    const { groth16, plonk, fflonk, capabilities } = this;
    const loadKey = async (url: unknown, options: unknown) => this[this.protocolOf(url)].loadKey(url, options);
    const dispose = async (): Promise<void> => {
      this.isDisposed = true;
    };
    const cacheWritten = async (): Promise<void> => this.writing;
    const clearCache = async (): Promise<void> => undefined;
    return { groth16, plonk, fflonk, loadKey, capabilities, dispose, cacheWritten, clearCache } as unknown as Prover;
  }

  readonly capabilities = { backend: 'wasm', threads: 2 } as const;

  private readonly groth16 = this.systemOf('groth16');
  private readonly plonk = this.systemOf('plonk');
  private readonly fflonk = this.systemOf('fflonk');

  private systemOf(protocol: ProvingKey['protocol']) {
    return {
      loadKey: async (url: unknown, options: unknown) => {
        if (this.failNextLoad !== undefined) {
          const error = this.failNextLoad;
          this.failNextLoad = undefined;
          throw error;
        }
        this.loaded.push({ url, options });
        await this.loading;
        const dispose = async (): Promise<void> => void this.freed.push(url);
        return {
          protocol,
          variables: 4,
          publicSignals: 1,
          domainSize: 8,
          verificationKey: {},
          report: { cached: true },
          dispose,
        };
      },
      prove: (key: ProvingKey, witness: unknown, options: ProveOptions) =>
        this.ask(protocol, 'prove', key, [witness], options),
      fullProve: (key: ProvingKey, inputs: unknown, wasm: unknown, options: ProveOptions) =>
        this.ask(protocol, 'fullProve', key, [inputs, wasm], options),
      verify: async (_: unknown, signals: readonly string[]) => signals.length === 1,
    };
  }

  private ask(
    protocol: ProvingKey['protocol'],
    how: AskedProof['how'],
    key: ProvingKey,
    given: readonly unknown[],
    options: ProveOptions,
  ): Promise<AnyProveResult> {
    return new Promise((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(abortError(options.signal)));
      this.proofs.push({
        how,
        key,
        given,
        options,
        succeed: (result = {}) =>
          resolve({ proof: { protocol }, publicSignals: ['1'], report: {}, ...result } as AnyProveResult),
        fail: reject,
      });
      this.onProof();
    });
  }
}
