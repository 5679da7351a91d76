import type { CircuitInputs } from '../api.js';
import type { CurveId } from '../curves/index.js';
import { readSource } from '../encodings/read-source.js';
import { WitnessWorkers } from '../engine/witness-workers.js';
import { PippinError } from '../errors.js';
import { nodeEnginePlatform } from '../platform/node-engine.js';
import { nodeFiles } from '../platform/node-files.js';
import { plainInputs } from '../snarkjs/circuit-inputs.js';
import { compileCircuit } from '../snarkjs/compile-circuit.js';
import { GROTH16_CURVE_NAMES, GROTH16_CURVES } from '../snarkjs/known-curves.js';
import type { Context } from './context.js';

/** What a circuit's WASM gets, and may take. */
export interface WitnessRequest {
  /** A path or URL. */
  readonly wasm: string;
  readonly inputs: CircuitInputs;
  readonly strictInputs: boolean;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

export interface Witness {
  readonly curve: CurveId;
  /** 32 canonical bytes a value. */
  readonly values: Uint8Array;
}

/** A circuit's witness, computed in a worker without a prover. The errors are those of `fullProve`; `CURVE_MISMATCH` for an unknown field. */
export async function calculateWitness(request: WitnessRequest, context: Context): Promise<Witness> {
  const { wasm, memoryBytes, timeoutMs, strictInputs } = request;
  const inputs = plainInputs(request.inputs);
  const { signal } = context;
  const bytes = await readSource(nodeFiles, wasm, "the circuit's WASM", { signal }, (file) => file.read(0, file.size));
  const module = await compileCircuit(bytes, memoryBytes);
  const workers = new WitnessWorkers(() => nodeEnginePlatform.spawnWitness({}));
  try {
    // The circuit knows its field, and says so before it computes anything.
    for (const { id: curve } of GROTH16_CURVES) {
      const task = { module, inputs, curve, strictInputs, variables: undefined, memoryBytes, inputNames: [] };
      const onLog = (line: string): void => context.note(`CIRCUIT_LOG: ${line}`);
      try {
        return { curve, values: await workers.calculate(task, context.signal, timeoutMs, onLog) };
      } catch (error) {
        if (!(error instanceof PippinError) || error.code !== 'CURVE_MISMATCH') throw error;
      }
    }
  } finally {
    workers.dispose();
  }
  throw new PippinError(
    'CURVE_MISMATCH',
    `expected a circuit over ${GROTH16_CURVE_NAMES}, got one over another field`,
    {
      hint: 'compile it with circom --prime bn128',
    },
  );
}
