import { asPippinError, PippinError, type PippinErrorCode } from '../errors.js';
import type { SignalValues } from './circuit-inputs.js';

/** A circuit's own code, instantiated for one calculation. This interface hides the differences between circom's versions. */
export interface CircuitCode {
  /** The modulus of the field that the circuit was compiled for. */
  readonly modulus: bigint;
  /**
   * Sets the inputs, which makes the circuit run. `INVALID_INPUT` for unknown inputs or too few or too many values, `WITNESS_REJECTED` for a
   * failed constraint or assertion.
   */
  run(signals: readonly SignalValues[]): void;
  /** The witness afterwards: 32 canonical little-endian bytes a value. */
  witness(): Uint8Array;
}

/** Takes a line that the circuit logs. */
export type CircuitLog = (line: string) => void;

/** The meaning of each number by which a circuit's code reports a fault. */
export type CircuitFaults = Readonly<Record<number, readonly [code: PippinErrorCode, meaning: string]>>;

/** The error for such a number. `where` is the place in the circuit's source, empty where it is not known. */
export function circuitFault(faults: CircuitFaults, fault: number, where: string): PippinError {
  const [code, meaning] = faults[fault] ?? ['WITNESS_REJECTED', `fault ${fault}`];
  const place = where === '' ? '' : ` (${where})`;
  return new PippinError(code, `expected inputs that the circuit accepts, got: ${meaning}${place}`);
}

/** The error for an input that the circuit does not have. */
export function unknownSignal(name: string): PippinError {
  return new PippinError('INVALID_INPUT', `expected inputs that the circuit has, got ${name}, which it does not have`);
}

/** Sets a value of an input. If that fails because of the inputs, the error names this input. */
export function setNamed(name: string, set: () => void): void {
  try {
    set();
  } catch (error) {
    if (!(error instanceof PippinError) || error.code !== 'INVALID_INPUT') throw error;
    throw new PippinError('INVALID_INPUT', `${error.message}, when ${name} was set`);
  }
}

/** Instantiates a circuit's WASM. `OUT_OF_MEMORY` when there is no room for its memory, `UNSUPPORTED_FORMAT` when it has other imports. */
export async function instantiateCircuit(
  module: WebAssembly.Module,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Exports> {
  try {
    return (await WebAssembly.instantiate(module, imports)).exports;
  } catch (error) {
    if (error instanceof RangeError) throw asPippinError(error, 'OUT_OF_MEMORY', "expected to run a circuit's WASM");
    throw new PippinError('UNSUPPORTED_FORMAT', "expected circom's witness WASM, got a module of another kind", {
      cause: error,
    });
  }
}
