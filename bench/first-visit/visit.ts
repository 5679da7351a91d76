import type { BackendChoice, CircuitInputs, Groth16Proof } from '../../sdk/api/index.js';
import type * as Sdk from '../../sdk/index.js';

export interface VisitRequest {
  readonly prover: 'pippin' | 'snarkjs';
  /** The key's URL: `key.zkey`, `key.pzkey` as `pippin pack` writes it, or another origin's. */
  readonly key: string;
  /** As JSON. */
  readonly inputs: string;
  /** What Pippin computes with. */
  readonly backend: BackendChoice;
  /** Threads of Pippin; by default as many as it chooses. snarkjs starts a worker for each processor. */
  readonly threads: number | undefined;
  /** Bytes that Pippin may hold; by default there is no limit. */
  readonly memoryBudget: number | undefined;
  /** How many proofs are made after the first one. */
  readonly later: number;
  /** Whether the browser is asked again and again what the page takes, which slows it down. */
  readonly asksMemory: boolean;
}

/** Milliseconds of a visit. */
export interface Visit {
  /** From the click, before any script of the prover is loaded, to the first verified proof. */
  readonly first: number;
  /** When that proof was there, since 1970. */
  readonly firstAt: number;
  /** Of the first proof alone, from inputs with all loaded, verified. */
  readonly firstProof: number;
  /** Of each later proof from inputs, verified. */
  readonly later: readonly number[];
  /** The most bytes that the page, with its workers, was seen to take; undefined if nobody looked. */
  readonly mostBytes: number | undefined;
  readonly proof: unknown;
  readonly publicSignals: readonly string[];
}

/** `performance` of a page that is isolated across origins, in Chromium. */
interface MeasuringPerformance {
  measureUserAgentSpecificMemory(): Promise<{ readonly bytes: number }>;
}

interface Made {
  readonly proof: unknown;
  readonly publicSignals: readonly string[];
}

interface Snarkjs {
  readonly groth16: {
    fullProve(
      inputs: CircuitInputs,
      wasm: string,
      zkey: string,
    ): Promise<{ proof: Groth16Proof; publicSignals: string[] }>;
    verify(verificationKey: unknown, publicSignals: readonly string[], proof: unknown): Promise<boolean>;
  };
}

/** Runs in the page, and is sent there as source text: it uses nothing that is declared outside of it. */
export async function visitInPage(request: VisitRequest): Promise<Visit> {
  const { prover, key, backend, threads, memoryBudget, later } = request;
  const inputs = JSON.parse(request.inputs) as CircuitInputs;
  /** A visitor stays for longer than a proof takes, and the cache is written meanwhile. */
  let stay = async (): Promise<void> => undefined;
  const pippin = async (): Promise<() => Promise<Made>> => {
    const { createProver } = (await import(new URL('./index.js', document.baseURI).href)) as typeof Sdk;
    const own = await createProver({
      backend,
      ...(threads === undefined ? {} : { threads }),
      ...(memoryBudget === undefined ? {} : { memoryBudget }),
    });
    const loaded = own.groth16.loadKey(key);
    const circuit = await own.groth16.loadCircuit('circuit.wasm');
    const ready = await loaded;
    stay = () => own.cacheWritten();
    // A proof is verified before it is given.
    return () => own.groth16.fullProve(ready, inputs, circuit);
  };
  const snarkjs = async (): Promise<() => Promise<Made>> => {
    const script = document.createElement('script');
    script.src = 'snarkjs.min.js';
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    const { groth16 } = (globalThis as unknown as { readonly snarkjs: Snarkjs }).snarkjs;
    const verificationKey: unknown = await (await fetch('vkey.json')).json();
    return async () => {
      const made = await groth16.fullProve(inputs, 'circuit.wasm', key);
      if (!(await groth16.verify(verificationKey, made.publicSignals, made.proof))) throw new Error('no valid proof');
      return made;
    };
  };
  let mostBytes: number | undefined;
  let isWatching = request.asksMemory;
  const watching = (async () => {
    while (isWatching) {
      const { bytes } = await (performance as unknown as MeasuringPerformance).measureUserAgentSpecificMemory();
      mostBytes = Math.max(mostBytes ?? 0, bytes);
    }
  })();
  const began = performance.now();
  const prove = await (prover === 'pippin' ? pippin() : snarkjs());
  const loadedAt = performance.now();
  const { proof, publicSignals } = await prove();
  const first = performance.now() - began;
  const firstProof = performance.now() - loadedAt;
  const firstAt = performance.timeOrigin + began + first;
  const times: number[] = [];
  for (let i = 0; i < later; i++) {
    const start = performance.now();
    await prove();
    times.push(performance.now() - start);
  }
  await stay();
  isWatching = false;
  await watching;
  return { first, firstAt, firstProof, later: times, mostBytes, proof, publicSignals };
}
