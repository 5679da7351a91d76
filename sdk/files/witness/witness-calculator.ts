import type { CircuitInputs } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { fieldName } from '../snarkjs/modulus.js';
import { writeWtns } from '../snarkjs/write-wtns.js';
import { startCircom2 } from './circom2.js';
import { boundedLog, type CircuitCall, type CircuitCode, type CircuitLog, circuitFailure } from './circuit-code.js';
import { flattenInputs } from './circuit-inputs.js';
import { isCircom1, loadCircom1 } from './compile-circuit.js';
import type { KeptCircuit } from './kept-circuit.js';

const DEFAULT_MEMORY_BYTES = 2 ** 30;

export interface WitnessOptions {
  /** Default false: inputs are accepted as in snarkjs. `flattenInputs` says which inputs are accepted with true. */
  readonly strictInputs?: boolean;
  /**
   * Called with each line that the circuit's own `log()` writes. The circuit's author decides what it shows, and it may
   * show signals.
   */
  readonly onLog?: CircuitLog;
  /** The number of values that the witness is to have; by default any number. */
  readonly variables?: number | undefined;
  /**
   * Names of the circuit's inputs, so that an error can name one that is missing. The WASM of circom 2 has only hashes
   * of them.
   */
  readonly inputNames?: readonly string[];
  /**
   * The most bytes of a memory that the module imports; by default 2^30. `boundedModule` bounds the module's own
   * memory.
   */
  readonly memoryBytes?: number;
  /** Where the circuit's instance is kept for its next witness, and the number that stands for the circuit there. */
  readonly kept?: { readonly circuits: KeptCircuit; readonly as: number } | undefined;
}

/**
 * Computes a circuit's witness, 32 canonical bytes for each value, with the WASM that circom 1 or 2 compiled from the
 * circuit. It runs without a break, so it should be called in a worker.
 *
 * `INVALID_INPUT` for inputs with a wrong name, type or number of values; `WITNESS_REJECTED` when the inputs fail one
 * of the circuit's constraints or assertions, with its place in the source if the module reports it; `WITNESS_FAILED`
 * when the module traps or breaks its interface; `UNSUPPORTED_FORMAT` when it is not circom's; `CURVE_MISMATCH` when it
 * is for another field than the curve's Fr; `INVALID_LENGTH` for another number of values than `variables`. No message
 * shows the value of a signal.
 */
export async function calculateWitness(
  module: WebAssembly.Module,
  inputs: CircuitInputs,
  curve: CurveId,
  options: WitnessOptions = {},
): Promise<Uint8Array> {
  const { modulus } = CURVES[curve].fr;
  const { values } = await calculateValues(module, inputs, options, (ofCircuit) => {
    if (ofCircuit === modulus) return;
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a circuit over ${fieldName(modulus)}, got one over ${fieldName(ofCircuit)}`,
    );
  });
  return values;
}

/**
 * The values of a witness, 32 canonical bytes each, and the modulus of the circuit's field, which `expectModulus` may
 * refuse by an error.
 */
export async function calculateValues(
  module: WebAssembly.Module,
  inputs: CircuitInputs,
  options: WitnessOptions,
  expectModulus: (ofCircuit: bigint) => void,
): Promise<{ modulus: bigint; values: Uint8Array }> {
  const { kept } = options;
  try {
    const call = callOf(options);
    const circuit = kept?.circuits.take(kept.as, call) ?? (await startCircuit(module, call, options));
    const { modulus } = circuit;
    expectModulus(modulus);
    let isDone = false;
    try {
      circuit.run(flattenInputs(inputs, modulus, options.strictInputs));
      const values = circuit.witness();
      isDone = true;
      return { modulus, values };
    } finally {
      if (isDone && kept !== undefined && circuit.restore?.()) kept.circuits.keep(kept.as, circuit);
      else circuit.wipe();
    }
  } catch (error) {
    throw circuitFailure(error);
  }
}

function callOf({ onLog = () => undefined, variables, inputNames = [] }: WitnessOptions): CircuitCall {
  return { log: boundedLog(onLog), variables, inputNames };
}

async function startCircuit(
  module: WebAssembly.Module,
  call: CircuitCall,
  { memoryBytes = DEFAULT_MEMORY_BYTES, kept }: WitnessOptions,
): Promise<CircuitCode> {
  if (!isCircom1(module)) return startCircom2(module, call, kept !== undefined);
  const { startCircom1 } = await loadCircom1();
  return startCircom1(module, call, memoryBytes);
}

/**
 * As `calculateWitness`, for a circuit over whichever field, and gives a .wtns file. `CURVE_MISMATCH` for a field whose
 * elements snarkjs does not write in 32 bytes, otherwise the errors of `calculateWitness`.
 */
export async function calculateWtns(
  module: WebAssembly.Module,
  inputs: CircuitInputs,
  options: WitnessOptions = {},
): Promise<Uint8Array> {
  const { modulus, values } = await calculateValues(module, inputs, options, (ofCircuit) => {
    if (Math.ceil(ofCircuit.toString(2).length / 64) * 8 === SCALAR_BYTES) return;
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a circuit over a field of 193 to 256 bits, got one over ${fieldName(ofCircuit)}`,
    );
  });
  return writeWtns(values, modulus);
}
