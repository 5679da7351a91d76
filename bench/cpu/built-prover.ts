import type { Prover, ProverOptions } from '../../sdk/api/index.js';

type CreateProver = (options: ProverOptions) => Promise<Prover>;

/** `createProver` of the built package. */
export async function builtCreateProver(): Promise<CreateProver> {
  const url = new URL('../../dist/node.js', import.meta.url);
  return ((await import(url.href)) as { createProver: CreateProver }).createProver;
}
