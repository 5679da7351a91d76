import type { BackendChoice, Precompute, ProveResult } from '../../sdk/api/index.js';
import type * as Sdk from '../../sdk/index.js';

/** A visit of the page: a key is loaded and proofs are made, with a pause behind each. */
export interface VisitRequest {
  readonly backend: BackendChoice;
  readonly precompute: Precompute;
  /** By default as many as the machine has. */
  readonly threads: number | undefined;
  readonly proofs: number;
  /** Milliseconds without a call. */
  readonly pauseMs: number;
}

/** What the page tells of a visit. */
export interface Visit {
  /** What computes: the adapter's name, or the number of workers. */
  readonly executor: string;
  /** Milliseconds of loading the key, and whether its points were in the cache. */
  readonly load: number;
  readonly cached: boolean;
  /** Milliseconds of each proof, from a witness in memory to a verified proof. */
  readonly times: readonly number[];
  readonly proofs: readonly Pick<ProveResult, 'proof' | 'publicSignals'>[];
  /**
   * How many proofs had been made before the notice that multiples are used, and the notice; undefined if there was
   * none.
   */
  readonly grown: { readonly after: number; readonly message: string } | undefined;
  /** Other notices. */
  readonly notices: readonly string[];
}

/** Runs in the page, and is sent there as source text: it uses nothing that is declared outside of it. */
export async function visitInPage({ backend, precompute, threads, proofs, pauseMs }: VisitRequest): Promise<Visit> {
  const { createProver } = (await import(new URL('./index.js', document.baseURI).href)) as typeof Sdk;
  const zkey = await (await fetch('key.zkey')).blob();
  const witness = new Uint8Array(await (await fetch('witness.wtns')).arrayBuffer());
  const made: ProveResult[] = [];
  const times: number[] = [];
  const notices: string[] = [];
  let grown: Visit['grown'];
  const onNotice = ({ code, message }: Sdk.Notice): void => {
    if (code === 'PRECOMPUTED') grown = { after: made.length, message };
    else notices.push(`${code}: ${message}`);
  };
  const prover = await createProver({ backend, onNotice, ...(threads === undefined ? {} : { threads }) });
  const began = performance.now();
  const key = await prover.groth16.loadKey(zkey, { precompute });
  const load = performance.now() - began;
  while (made.length < proofs) {
    const start = performance.now();
    const proof = await prover.groth16.prove(key, witness);
    times.push(performance.now() - start);
    made.push(proof);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const { webgpu, threads: workers } = prover.capabilities;
  const executor = backend !== 'wasm' && webgpu.available ? webgpu.vendor : `${workers} workers`;
  await prover.dispose();
  const results = made.map(({ proof, publicSignals }) => ({ proof, publicSignals }));
  return { executor, load, cached: key.report.cached === true, times, proofs: results, grown, notices };
}
