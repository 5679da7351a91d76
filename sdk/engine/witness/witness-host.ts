import type { CircuitInputs } from '../../api/index.js';
import type { CurveId } from '../../curves/index.js';
import { KeptCircuit } from '../../files/witness/kept-circuit.js';
import { calculateWitness, calculateWtns } from '../../files/witness/witness-calculator.js';
import { moveResult } from '../../transport/remote.js';

/** A witness to be computed: plain data that can be sent to a worker. */
export interface WitnessTask {
  readonly module: WebAssembly.Module;
  readonly inputs: CircuitInputs;
  /** Undefined for whichever field: then the result is a .wtns file. */
  readonly curve: CurveId | undefined;
  readonly strictInputs: boolean;
  /** The number of values that the key's witnesses have; undefined where there is no key. */
  readonly variables: number | undefined;
  /** The most bytes of a memory that the module imports. */
  readonly memoryBytes: number;
  /** Names of the circuit's inputs that are known, for errors. */
  readonly inputNames: readonly string[];
  /**
   * The number that stands for the module, if its instance is to be kept for the next witness. undefined for a circuit
   * that is used once, and for one that has other state than its memory.
   */
  readonly keepAs?: number | undefined;
}

/** What the witness worker exposes. */
export interface WitnessHost {
  /** 32 canonical bytes a value, or a .wtns file. */
  calculate(task: WitnessTask): Promise<Uint8Array>;
}

/** The worker's side. Its events are the lines that circuits log, each a string. */
export function witnessHost(emit: (line: string) => void): WitnessHost {
  const circuits = new KeptCircuit();
  return {
    calculate: async ({ module, inputs, curve, keepAs, ...given }) => {
      const kept = keepAs === undefined ? undefined : { circuits, as: keepAs };
      const options = { ...given, kept, onLog: emit };
      if (curve !== undefined) return moveResult(await calculateWitness(module, inputs, curve, options));
      return moveResult(await calculateWtns(module, inputs, options));
    },
  };
}
