import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import { built } from './in-process-engine.js';

/** A prover of the built package, as a caller in Node gets it. */
export async function createProver(options: ProverOptions): Promise<Prover> {
  const entry = (await import(/* @vite-ignore */ built('node.js'))) as {
    createProver(options: ProverOptions): Promise<Prover>;
  };
  return entry.createProver(options);
}
