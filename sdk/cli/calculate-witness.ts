import type { CircuitInputs } from '../api/index.js';
import { PippinError } from '../base/errors.js';
import type { CurveId } from '../curves/index.js';
import { readSource } from '../encodings/read-source.js';
import { WitnessWorkers } from '../engine/witness-workers.js';
import { GROTH16_CURVE_NAMES, GROTH16_CURVES } from '../files/snarkjs/known-curves.js';
import { plainInputs } from '../files/witness/circuit-inputs.js';
import { compileCircuit } from '../files/witness/compile-circuit.js';
import { nodeEnginePlatform } from '../hosts/node/node-engine.js';
import { nodeFiles } from '../hosts/node/node-files.js';
import type { Context } from './context.js';

/** What a circuit's WASM gets, and may take. */
export interface WitnessRequest {
  /** A path or URL. */
  readonly wasm: string;
  readonly inputs: CircuitInputs;
  readonly strictInputs: boolean;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** The most bytes that are downloaded of the WASM. */
  readonly maxBytes: number;
}

export interface Witness {
  readonly curve: CurveId;
  /** 32 canonical bytes a value. */
  readonly values: Uint8Array;
}

/** A circuit's witness, computed in a worker without a prover. The errors are those of `fullProve`; `CURVE_MISMATCH` for an unknown field. */
export async function calculateWitness(request: WitnessRequest, context: Context): Promise<Witness> {
  const { wasm, memoryBytes, maxBytes, timeoutMs, strictInputs } = request;
  const inputs = plainInputs(request.inputs);
  const reading = { signal: context.signal, maxBytes };
  const bytes = await readSource(nodeFiles, wasm, "the circuit's WASM", reading, (file) => file.read(0, file.size));
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
