import type { CircuitInputs } from '../api.js';
import type { CurveId } from '../curves/index.js';
import { calculateWitness } from '../snarkjs/witness-calculator.js';
import { moveResult } from '../transport/remote.js';

/** A witness to be computed: plain data that can be sent to a worker. */
export interface WitnessTask {
  readonly module: WebAssembly.Module;
  readonly inputs: CircuitInputs;
  readonly curve: CurveId;
  readonly strictInputs: boolean;
  /** The number of values that the key's witnesses have; undefined where there is no key. */
  readonly variables: number | undefined;
  /** The most bytes of a memory that the module imports. */
  readonly memoryBytes: number;
  /** Names of the circuit's inputs that are known, for errors. */
  readonly inputNames: readonly string[];
}

/** What the witness worker exposes. */
export interface WitnessHost {
  calculate(task: WitnessTask): Promise<Uint8Array>;
}

/** The worker's side. Its events are the lines that circuits log, each a string. */
export function witnessHost(emit: (line: string) => void): WitnessHost {
  return {
    calculate: async ({ module, inputs, curve, ...options }) =>
      moveResult(await calculateWitness(module, inputs, curve, { ...options, onLog: emit })),
  };
}
