import type { ProveOptions, ProveResult, Prover } from '../../sdk/api/index.js';
import { compare, type Measurement } from '../lib/measure.js';
import { warmUp } from '../lib/warm-up.js';
import { bufferBytes } from './buffer-bytes.js';
import type { KeyedCircuit } from './circuits.js';
import type { Snarkjs } from './snarkjs.js';

/** A prover with its name in the table. */
export interface NamedProver {
  readonly name: string;
  readonly prover: Prover;
  /** How it makes proofs. */
  readonly options?: ProveOptions;
}

/** What was measured of a circuit, and the report of the last proof of each prover. */
export interface LaterProofs {
  readonly measurements: readonly Measurement[];
  readonly last: ReadonlyMap<string, ProveResult>;
  /** Bytes of all buffers on the GPU behind the last proof. */
  readonly gpuBytes: number;
}

/**
 * Times verified proofs of loaded keys: those of each prover one after another, behind others that are not timed, since
 * an idle GPU lowers its clock. Every proof is checked by snarkjs. snarkjs reads the key from memory each time, does
 * not verify, and is timed `snarkjsRuns` times only, 0 to leave it out.
 */
export async function laterProofs(
  { zkey, witness }: KeyedCircuit,
  provers: readonly NamedProver[],
  snarkjs: Snarkjs,
  runs: number,
  snarkjsRuns: number,
): Promise<LaterProofs> {
  const verificationKey = await snarkjs.exportVerificationKey(zkey);
  const last = new Map<string, ProveResult>();
  const check = async (result: unknown): Promise<void> => {
    const { proof, publicSignals } = result as ProveResult;
    if (!(await snarkjs.verify(verificationKey, publicSignals, proof))) {
      throw new Error('expected a proof that snarkjs accepts, got one that it does not');
    }
  };
  const keys = await Promise.all(provers.map(({ prover }) => prover.groth16.loadKey(zkey)));
  const contenders = provers.map(({ name, prover, options }, i) => ({
    name,
    run: async () => {
      const result = await prover.groth16.prove(keys[i]!, witness, options);
      last.set(name, result);
      return result;
    },
    check,
  }));
  const measurements: Measurement[] = [];
  for (const contender of contenders) {
    await warmUp(contender.run);
    measurements.push(...(await compare([contender], runs)));
  }
  const { now: gpuBytes } = await bufferBytes();
  for (const key of keys) await key.dispose();
  if (snarkjsRuns > 0) {
    const run = () => snarkjs.prove(zkey, witness);
    measurements.push(...(await compare([{ name: 'snarkjs', run, check }], snarkjsRuns)));
  }
  return { measurements, last, gpuBytes };
}
