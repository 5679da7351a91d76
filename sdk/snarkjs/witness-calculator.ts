import type { CircuitInputs } from '../api.js';
import { CURVES, type CurveId } from '../curves/index.js';
import { asPippinError, PippinError } from '../errors.js';
import { startCircom1 } from './circom1.js';
import { startCircom2 } from './circom2.js';
import type { CircuitCode, CircuitLog } from './circuit-code.js';
import { flattenInputs } from './circuit-inputs.js';
import { fieldName } from './modulus.js';

export interface WitnessOptions {
  /** Default false: inputs are taken as snarkjs takes them; `flattenInputs` says what strict ones are. */
  readonly strictInputs?: boolean;
  /** Told of each line that the circuit's own `log()` writes. What it shows is its author's choice: signals, if they like. */
  readonly onLog?: CircuitLog;
}

/**
 * Computes a circuit's witness with the WASM that circom 1 or 2 made for it: 32 canonical bytes a value. `INVALID_INPUT` for
 * inputs that are wrong by name, count or type; `WITNESS_REJECTED` tells which of the circuit's assertions they fail, with
 * the place in the source as far as the module reports it; `UNSUPPORTED_FORMAT` when the module is not circom's, `CURVE_MISMATCH` when
 * it is for another field than the curve's Fr. No message shows the value of a signal. The module runs the circuit in one go, so
 * this belongs into a worker.
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
