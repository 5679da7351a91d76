import type { ProveResult, Prover } from '../../sdk/api/index.js';
import { compare } from '../lib/measure.js';
import { warmUp } from '../lib/warm-up.js';
import { bufferBytes } from './buffer-bytes.js';
import type { KeyedCircuit } from './circuits.js';
import type { CreateProver } from './create-prover.js';
import type { Snarkjs } from './snarkjs.js';

const MIB = 2 ** 20;

/** Budgets in MiB; 0 for none. */
export const USUAL_BUDGETS = [0, 1024, 512, 256, 64];

/**
 * Tells for each memory budget what the buffers on the GPU take at most, and of what kinds they are, how long a later
 * proof takes and who computes its parts; or the error that names the least budget. Every last proof is checked by
 * snarkjs.
 */
export async function proofsByBudget(
  { zkey, witness }: KeyedCircuit,
  create: CreateProver,
  budgets: readonly number[],
  runs: number,
  snarkjs: Snarkjs,
): Promise<void> {
  const verificationKey = await snarkjs.exportVerificationKey(zkey);
  for (const budget of budgets) {
    const name = budget === 0 ? 'no memoryBudget' : `${budget} MiB`;
    const limit = budget === 0 ? {} : { memoryBudget: budget * MIB };
    const prover = await create({ cache: false, backend: 'webgpu', ...limit });
    try {
      console.log(`  ${name}: ${await proofs(prover, name)}`);
    } catch (error) {
      console.log(`  ${name}: ${String(error)}`);
    }
    await prover.dispose();
  }

  async function proofs(prover: Prover, name: string): Promise<string> {
    const key = await prover.groth16.loadKey(zkey);
    let last: ProveResult | undefined;
    const run = async (): Promise<ProveResult> => {
      last = await prover.groth16.prove(key, witness);
      return last;
    };
    await warmUp(run);
    const [measured] = await compare([{ name, run, check: async () => undefined }], runs);
    const { proof, publicSignals, report } = last!;
    if (!(await snarkjs.verify(verificationKey, [...publicSignals], proof))) {
      throw new Error('expected a proof that snarkjs accepts, got one that it does not');
    }
    const { now, peak, peakByKind } = await bufferBytes();
    const kinds = Object.entries(peakByKind).flatMap(([kind, bytes]) => (bytes > 0 ? [`${kind} ${inMib(bytes)}`] : []));
    const parts = Object.entries(report.parts).map(([part, by]) => `${part} ${by}`);
    const times = `a later proof ${measured!.median.toFixed(1)} ms (${parts.join(', ')})`;
    return `at most ${inMib(peak)} MiB (${kinds.join(', ')}), now ${inMib(now)}; ${times}`;
  }
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < MIB ? 2 : 0);
}
