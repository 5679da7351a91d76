import type { Executor, Phase, Span } from 'pippin-prover';

/** What the phases are called on the page, and what is said while they run. */
export const PHASES: Readonly<Record<Phase, { readonly name: string; readonly doing: string }>> = {
  read: { name: 'Read', doing: 'Reading the files' },
  hash: { name: 'Hash', doing: 'Checking the key’s bytes' },
  'cache-read': { name: 'From cache', doing: 'Reading the prepared key' },
  prepare: { name: 'Prepare', doing: 'Preparing the key’s points' },
  upload: { name: 'Upload', doing: 'Copying the points to the GPU' },
  distribute: { name: 'Distribute', doing: 'Handing the points to the workers' },
  witness: { name: 'Witness', doing: 'Computing the witness' },
  constraints: { name: 'Constraints', doing: 'Evaluating the constraints' },
  transform: { name: 'Transform', doing: 'Transforming the polynomials' },
  msm: { name: 'Multiply', doing: 'Multiplying points' },
  combine: { name: 'Combine', doing: 'Putting the proof together' },
  precompute: { name: 'Precompute', doing: 'Computing multiples of the key’s points' },
  tune: { name: 'Tune', doing: 'Measuring this device' },
  verify: { name: 'Verify', doing: 'Verifying the proof' },
};

export const EXECUTORS: Readonly<Record<Executor, string>> = {
  webgpu: 'GPU',
  wasm: 'Workers',
  host: 'Coordinator',
};

/** A span's name, with the part of the proof it works for: `Multiply B1`. */
export function spanName({ phase, part }: Span): string {
  return part === undefined ? PHASES[phase].name : `${PHASES[phase].name} ${part}`;
}
