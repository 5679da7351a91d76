import type { BackendChoice } from 'pippin-prover';

/** What can prove on this page: three ways of Pippin, and snarkjs. */
export type ContestantId = 'webgpu' | 'workers' | 'one' | 'snarkjs';

export interface Contestant {
  readonly id: ContestantId;
  readonly name: string;
  /** The rest of a sentence that begins with "Proving". */
  readonly adverb: string;
}

export const CONTESTANTS: readonly Contestant[] = [
  { id: 'webgpu', name: 'Graphics processor', adverb: 'on the graphics processor' },
  { id: 'workers', name: 'All workers', adverb: 'with all workers' },
  { id: 'one', name: 'One worker', adverb: 'with one worker' },
  { id: 'snarkjs', name: 'snarkjs', adverb: 'with snarkjs' },
];

/** How a prover of Pippin is made for it. */
export function proverChoice(id: Exclude<ContestantId, 'snarkjs'>): { backend: BackendChoice; threads?: number } {
  if (id === 'webgpu') return { backend: 'webgpu' };
  return id === 'one' ? { backend: 'wasm', threads: 1 } : { backend: 'wasm' };
}

export function contestant(id: ContestantId): Contestant {
  return CONTESTANTS.find((one) => one.id === id)!;
}
