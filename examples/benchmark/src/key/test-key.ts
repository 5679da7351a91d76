import wasmUrl from 'pippin-prover/bn254.wasm?url';
import scalarsWasmUrl from 'pippin-prover/bn254-scalars.wasm?url';
import type { Protocol } from '../protocols.js';
import type { KeyAnswer, KeyRequest } from './messages.js';

/** A key for timing, and a witness for its circuit. */
export interface TestKey {
  /** A Blob, which the browser may keep on disk. */
  readonly zkey: Blob;
  readonly witness: Uint8Array;
  /** Milliseconds that making it took. */
  readonly ms: number;
}

type Two = [string, string];

/** Workers that make a key; more would only take memory. */
const MOST_WORKERS = 8;

/** The worker, which is built from bench/page-key: an application gets its keys from a ceremony, so there is nothing in the package to make any. */
const MAKER = new URL('./key-maker.js', location.href);

/** Makes keys in a worker, which keeps its tables from one key to the next. */
export class TestKeyMaker {
  private readonly worker = new Worker(MAKER, { type: 'module' });

  /** Makes one key at a time. Rejects with the signal's reason when it is aborted; then the maker is to be ended. */
  make(protocol: Protocol, log: number, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<TestKey> {
    signal.throwIfAborted();
    const began = performance.now();
    return new Promise<TestKey>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.worker.onerror = ({ message }) =>
        reject(new Error(message ?? 'a script of this page could not be loaded; reload the page'));
      this.worker.onmessage = ({ data }: MessageEvent<KeyAnswer>) => {
        if (data.kind === 'progress') onProgress(data.fraction);
        else if (data.kind === 'failed') reject(new Error(data.message));
        else {
          const { zkey, witness } = data;
          resolve({ zkey: new Blob([zkey]), witness: new Uint8Array(witness), ms: performance.now() - began });
        }
      };
      const threads = Math.min(navigator.hardwareConcurrency, MOST_WORKERS);
      const [wasm, scalarsWasm] = [wasmUrl, scalarsWasmUrl].map((url) => new URL(url, location.href).href) as Two;
      const request: KeyRequest = { protocol, log, threads, wasm, scalarsWasm };
      this.worker.postMessage(request);
    });
  }

  /** Ends the worker and those that it has started. */
  end(): void {
    this.worker.terminate();
  }
}
