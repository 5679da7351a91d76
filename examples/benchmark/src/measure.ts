import { createProver, type Groth16Key, type ProveResult, type Prover } from 'pippin-prover';
import { type ContestantId, proverChoice } from './contestants.js';
import type { TestKey } from './key/test-key.js';
import type { Result } from './results.js';

/** Later proofs that are measured, and the time after which no further one is begun, in milliseconds. */
const LATER_PROOFS = 3;
const LATER_MS = 8000;

/** What is told while a contestant is measured: which proof it makes, and how far this one is, from 0 to 1. */
export interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: 'load' | 'first' | 'later', fraction: number): void;
}

export type Measured = Pick<Result, 'executor' | 'openMs' | 'loadMs' | 'firstMs' | 'laterMs' | 'timeline'>;

/** A proof that was made, and does not hold. It is never shown as a result. */
export class WrongProof extends Error {}

/** Measures one way of proving with Pippin: from nothing to a first proof, then later ones. */
export async function measurePippin(
  id: Exclude<ContestantId, 'snarkjs'>,
  { zkey, witness }: TestKey,
  { signal, onStage }: Watch,
): Promise<Measured> {
  onStage('load', 0);
  const began = performance.now();
  const prover = await createProver({ ...proverChoice(id), cache: false });
  try {
    const opened = performance.now();
    const key = await prover.groth16.loadKey(zkey, { signal, onProgress: fractions((f) => onStage('load', f)) });
    const loaded = performance.now();
    const prove = (stage: 'first' | 'later') => {
      onStage(stage, 0);
      return timedProof(prover, key, witness, signal, (fraction) => onStage(stage, fraction));
    };
    const first = await prove('first');
    const later: number[] = [];
    let last = first.result;
    for (let spent = 0; later.length < LATER_PROOFS && spent < LATER_MS; ) {
      const { ms, result } = await prove('later');
      later.push(ms);
      spent += ms;
      last = result;
    }
    return {
      executor: executorOf(id, prover),
      openMs: opened - began,
      loadMs: loaded - opened,
      firstMs: first.ms,
      laterMs: later,
      timeline: last.report.timeline,
    };
  } finally {
    await prover.dispose();
  }
}

/** Times a proof, and then verifies it by itself. */
async function timedProof(
  prover: Prover,
  key: Groth16Key,
  witness: Uint8Array,
  signal: AbortSignal,
  onFraction: (fraction: number) => void,
): Promise<{ readonly ms: number; readonly result: ProveResult }> {
  const began = performance.now();
  const result = await prover.groth16.prove(key, witness, { signal, onProgress: fractions(onFraction) });
  const ms = performance.now() - began;
  if (!(await prover.groth16.verify(key.verificationKey, result.publicSignals, result.proof, { signal }))) {
    throw new WrongProof('expected a proof that holds, got one that does not');
  }
  return { ms, result };
}

/** A listener that passes on the fraction that is done. */
function fractions(
  onFraction: (fraction: number) => void,
): (event: { kind: string; done?: number; total?: number | undefined }) => void {
  return ({ kind, done = 0, total = 0 }) => {
    if (kind === 'progress' && total > 0) onFraction(done / total);
  };
}

function executorOf(id: ContestantId, { capabilities: { webgpu, threads } }: Prover): string {
  if (id !== 'webgpu') return threads === 1 ? '1 worker' : `${threads} workers`;
  if (!webgpu.available) return 'unknown GPU';
  const name = [webgpu.vendor, webgpu.architecture].filter((text) => text !== '').join(' ') || 'unnamed GPU';
  return webgpu.software ? `${name} (in software)` : name;
}
