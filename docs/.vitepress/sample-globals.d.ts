/**
 * What the samples of the docs take as given: a sample may use these names without declaring them. tests/docs/samples.test.ts checks the samples with them.
 */

declare const prover: import('pippin-prover').Prover;
declare const key: import('pippin-prover').Groth16Key;
declare const proof: import('pippin-prover').Groth16Proof;
declare const publicSignals: string[];
declare const inputs: import('pippin-prover').CircuitInputs;
declare const witness: Uint8Array;
declare const points: Uint8Array;
declare const scalars: Uint8Array;
declare const srs: import('pippin-prover').KzgSrs;
declare const polynomial: Uint8Array;
declare const manyScalars: Uint8Array;
declare const queue: import('pippin-prover/queue').ProofQueue;
declare const file: File;
declare const controller: AbortController;
declare const SPEND_ZKEY_SHA256: string;
declare const SPEND_WASM_SHA256: string;

/** The page's own elements and functions. */
declare const bar: HTMLProgressElement;
declare const cancelButton: HTMLButtonElement;
declare function show(part: number): void;

/** What a wallet does with a proof. */
declare function finish(result: import('pippin-prover').ProveResult): Promise<void>;

declare const defineConfig: typeof import('vite').defineConfig;

declare module '*.json' {
  const value: import('pippin-prover').CircuitInputs;
  export default value;
}

/** What samples use of a service worker; the library `webworker` cannot stand beside `dom`. */
interface ServiceWorkerGlobalScope {
  readonly clients: {
    matchAll(options: { type: 'window' }): Promise<{ postMessage(message: unknown, transfer: Transferable[]): void }[]>;
  };
}
