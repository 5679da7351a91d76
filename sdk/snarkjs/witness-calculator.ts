import type { CircuitInputs } from '../api.js';
import { CURVES, type CurveId } from '../curves/index.js';
import { asPippinError, PippinError } from '../errors.js';
import { startCircom1 } from './circom1.js';
import { startCircom2 } from './circom2.js';
import type { CircuitCode, CircuitLog } from './circuit-code.js';
import { flattenInputs } from './circuit-inputs.js';
import { fieldName } from './modulus.js';

export interface WitnessOptions {
  /** Default false: inputs are accepted as in snarkjs. `flattenInputs` says which inputs are accepted with true. */
  readonly strictInputs?: boolean;
  /** Called with each line that the circuit's own `log()` writes. The circuit's author decides what it shows, and it may show signals. */
  readonly onLog?: CircuitLog;
}

/**
 * Computes a circuit's witness, 32 canonical bytes for each value, with the WASM that circom 1 or 2 compiled from the circuit. It runs without
 * a break, so it should be called in a worker.
 *
 * `INVALID_INPUT` for inputs with a wrong name, type or number of values; `WITNESS_REJECTED` when the inputs fail one of the circuit's
 * constraints or assertions, with its place in the source if the module reports it; `UNSUPPORTED_FORMAT` when the module is not circom's;
 * `CURVE_MISMATCH` when it is for another field than the curve's Fr. No message shows the value of a signal.
 */
export async function calculateWitness(
  module: WebAssembly.Module,
  inputs: CircuitInputs,
  curve: CurveId,
  { strictInputs = false, onLog = () => undefined }: WitnessOptions = {},
): Promise<Uint8Array> {
  const circuit = await startCircuit(module, onLog);
  const { modulus } = CURVES[curve].fr;
  if (circuit.modulus !== modulus) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a circuit over ${fieldName(modulus)}, got one over ${fieldName(circuit.modulus)}`,
    );
  }
  try {
    circuit.run(flattenInputs(inputs, modulus, strictInputs));
    return circuit.witness();
  } catch (error) {
    throw asPippinError(error, 'WITNESS_REJECTED', 'expected inputs that the circuit accepts');
  }
}

function startCircuit(module: WebAssembly.Module, log: CircuitLog): Promise<CircuitCode> {
  const isCircom1 = WebAssembly.Module.exports(module).some(({ name }) => name === 'getSignalOffset32');
  return isCircom1 ? startCircom1(module, log) : startCircom2(module, log);
}
