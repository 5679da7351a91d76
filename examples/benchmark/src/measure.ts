import { type AnyProveResult, createProver, type ProveOptions, type Prover, type ProvingKey } from 'pippin-prover';
import { type ContestantId, proverChoice } from './contestants.js';
import { memoryOf } from './memory.js';
import type { Protocol } from './protocols.js';
import type { Result } from './results.js';

/** The time in milliseconds after which no further proof is begun, where few are asked for. */
const FEW = 3;
const FEW_MS = 8000;

/** What is proved: a key, and how a prover that has loaded it makes a proof. */
export interface Subject {
  /** A Blob, which the browser may keep on disk. */
  readonly zkey: Blob;
  /** Loads what a proof needs beside the key, and gives the function that makes one. */
  ready(
    prover: Prover,
    signal: AbortSignal,
  ): Promise<(key: ProvingKey, options: ProveOptions) => Promise<AnyProveResult>>;
  /** Is told of the key when it is loaded. */
  onKey?(key: ProvingKey): void;
}

/** What is told while a contestant is measured: which proof it makes, and how far this one is, from 0 to 1. */
export interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: 'load' | 'first' | 'later' | 'memory', fraction: number): void;
}

export type Measured = Pick<Result, 'executor' | 'openMs' | 'loadMs' | 'firstMs' | 'laterMs' | 'memory' | 'timeline'>;

/** A proof that was made, and does not hold. It is never shown as a result. */
export class WrongProof extends Error {}

/**
 * Measures one way of proving with Pippin: from nothing to a first proof, then later ones. A run that is stopped during
 * these gives what it has.
 */
export async function measurePippin(
  id: Exclude<ContestantId, 'snarkjs'>,
  subject: Subject,
  repeats: number,
  { signal, onStage }: Watch,
): Promise<Measured> {
  onStage('load', 0);
  const began = performance.now();
  const prover = await createProver({ ...proverChoice(id), cache: false });
  try {
    const opened = performance.now();
    const key = await prover.loadKey(subject.zkey, {
      signal,
      // A Groth16 key for tests may have no contribution, and nothing depends on these proofs.
      allowUnfinished: true,
      onProgress: fractions((f) => onStage('load', f)),
    });
    const makeProof = await subject.ready(prover, signal);
    const loaded = performance.now();
    subject.onKey?.(key);
    const prove = (stage: 'first' | 'later', from: number, to: number) => {
      onStage(stage, from);
      const onProgress = fractions((fraction) => onStage(stage, from + (to - from) * fraction));
      return timedProof(prover, key, () => makeProof(key, { signal, onProgress }));
    };
    const first = await prove('first', 0, 1);
    const later: number[] = [];
    let last = first.result;
    for (let spent = 0; later.length < repeats && (repeats > FEW || spent < FEW_MS); ) {
      try {
        const { ms, result } = await prove('later', later.length / repeats, (later.length + 1) / repeats);
        later.push(ms);
        spent += ms;
        last = result;
      } catch (error) {
        if (signal.aborted && later.length > 0) break;
        throw error;
      }
    }
    onStage('memory', 0);
    const memory = await memoryOf(last.report, signal);
    return {
      ...(memory === undefined ? {} : { memory }),
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

/** What this page uses of every proof system; keys and proofs are always of the same one. */
interface ProofSystem {
  loadCircuit: Prover['groth16']['loadCircuit'];
  prove(key: ProvingKey, witness: Blob | Uint8Array, options: ProveOptions): Promise<AnyProveResult>;
  fullProve(key: ProvingKey, inputs: object, circuit: object, options: ProveOptions): Promise<AnyProveResult>;
  verify(
    verificationKey: object,
    publicSignals: readonly string[],
    proof: object,
    options: { readonly allowUnfinished?: boolean },
  ): Promise<boolean>;
}

export function systemOf(prover: Prover, protocol: Protocol): ProofSystem {
  return prover[protocol] as unknown as ProofSystem;
}

/** Times a proof, and then verifies it by itself. */
async function timedProof(
  prover: Prover,
  key: ProvingKey,
  makeProof: () => Promise<AnyProveResult>,
): Promise<{ readonly ms: number; readonly result: AnyProveResult }> {
  const began = performance.now();
  const result = await makeProof();
  const ms = performance.now() - began;
  const { publicSignals, proof } = result;
  const options = key.protocol === 'groth16' ? { allowUnfinished: true } : {};
  if (!(await systemOf(prover, key.protocol).verify(key.verificationKey, publicSignals, proof, options))) {
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
