import type { Prover, ProverOptions } from '../../sdk/api/index.js';

export type CreateProver = (options: ProverOptions) => Promise<Prover>;

/** `createProver` of the package as scripts/bench.mjs bundled it for Node. */
export async function bundledCreateProver(entry: URL): Promise<CreateProver> {
  return ((await import(entry.href)) as { createProver: CreateProver }).createProver;
}
