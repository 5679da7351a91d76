import type { Groth16Key, Prover, ProverOptions } from '../../sdk/api/index.js';

/**
 * Functions that run in the page. Each is sent there as source text, so it must not use anything that is declared
 * outside of it.
 */

/** What the page keeps between calls. */
interface PageState {
  zkey: Uint8Array;
  witness: Uint8Array;
  createProver(options: ProverOptions): Promise<Prover>;
  ours?: { prover: Prover; key: Groth16Key };
  readonly snarkjs: {
    readonly groth16: { prove(zkey: Uint8Array, witness: Uint8Array): Promise<PageProof> };
  };
}

interface PageProof {
  readonly proof: unknown;
  readonly publicSignals: readonly string[];
}

/** Loads key, witness and the SDK's script into the page. The page's HTML has already loaded snarkjs' script. */
export async function fetchInPage(urls: { zkey: string; witness: string }): Promise<void> {
  const state = globalThis as unknown as PageState;
  const bytes = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(url)).arrayBuffer());
  state.zkey = await bytes(urls.zkey);
  state.witness = await bytes(urls.witness);
  const script = new URL('./index.js', document.baseURI).href;
  state.createProver = ((await import(script)) as { createProver: PageState['createProver'] }).createProver;
}

/** Makes one proof and gives its wall milliseconds. The first one includes starting the workers and reading the key. */
export async function proveInPage(request: {
  contender: 'pippin' | 'snarkjs';
  threads: number;
}): Promise<PageProof & { wall: number }> {
  const state = globalThis as unknown as PageState;
  const start = performance.now();
  let proved: PageProof;
  if (request.contender === 'pippin') {
    if (state.ours === undefined) {
      const prover = await state.createProver({ backend: 'wasm', threads: request.threads, cache: false });
      state.ours = { prover, key: await prover.groth16.loadKey(state.zkey) };
    }
    const { prover, key } = state.ours;
    proved = await prover.groth16.prove(key, state.witness, { verify: false });
  } else {
    proved = await state.snarkjs.groth16.prove(state.zkey, state.witness);
  }
  const wall = performance.now() - start;
  return { wall, proof: proved.proof, publicSignals: proved.publicSignals };
}
