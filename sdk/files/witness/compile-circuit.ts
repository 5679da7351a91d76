import type { WitnessArithmetic } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { laterPart } from '../../base/load-part.js';
import { fileHint } from '../file-hint.js';
import { boundedModule } from './bounded-module.js';

/** The arithmetic of a smaller circuit is not exchanged for one witness, which takes a few milliseconds. */
const LEAST_EXCHANGED_BYTES = 2 ** 17;

/** A circuit's compiled WASM. */
export interface CompiledCircuit {
  readonly module: WebAssembly.Module;
  readonly arithmetic: WitnessArithmetic;
  /** Whether an instance may compute several witnesses (`LinkedCircuit`). false for a circuit that is used once. */
  readonly hasOnlyMemory: boolean;
}

/** How a circuit is compiled. */
export interface CircuitForm {
  /** The most memory that it may take. */
  readonly memoryBytes: number;
  /** Whether our arithmetic takes the place of circom's where that is known (`exchangeArithmetic`). */
  readonly exchangeArithmetic: boolean;
  /** Whether it may compute several witnesses. */
  readonly isReused: boolean;
}

/** Compiles a circuit in a form. The errors of `compileCircuit`. */
export async function compileCircuitAs(wasm: Uint8Array, form: CircuitForm): Promise<CompiledCircuit> {
  const { memoryBytes, exchangeArithmetic, isReused } = form;
  const isSmall = !isReused && wasm.length < LEAST_EXCHANGED_BYTES;
  // Without the code that reads and changes modules the circuit is compiled as it is.
  const code = isReused || (exchangeArithmetic && !isSmall) ? await loadExchange().catch(() => undefined) : undefined;
  const { exchanged, hasOnlyMemory = false } =
    code?.linkCircuit(wasm, {
      exchangeArithmetic: exchangeArithmetic && !isSmall,
      isReused,
    }) ?? {};
  if (exchanged !== undefined) {
    try {
      const module = await compileCircuit(exchanged.wasm, memoryBytes);
      return { module, arithmetic: { by: 'pippin', functions: exchanged.functions }, hasOnlyMemory };
    } catch {
      // The circuit as it is may compile, or shows the error.
    } finally {
      freeMemory(exchanged.wasm);
    }
  }
  const because = exchangeArithmetic ? (isSmall ? 'small' : 'unknown') : 'option';
  return { module: await compileCircuit(wasm, memoryBytes), arithmetic: { by: 'circuit', because }, hasOnlyMemory };
}

const loadExchange = laterPart("a circuit's arithmetic", () => import('./exchange/exchange-arithmetic.js'));

/**
 * Compiles a circuit's WASM, which then takes at most so many bytes of memory. It is done before the module goes to a
 * worker, so that a file that is no WASM gets an error that says so (`UNSUPPORTED_FORMAT`). The errors of
 * `boundedModule`.
 */
export async function compileCircuit(wasm: Uint8Array, memoryBytes: number): Promise<WebAssembly.Module> {
  const bounded = boundedModule(wasm, memoryBytes);
  try {
    return await WebAssembly.compile(bounded as Uint8Array<ArrayBuffer>);
  } catch (error) {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected a circuit's WASM, got: ${(error as Error).message}`, {
      cause: error,
      ...fileHint(bounded),
    });
  } finally {
    if (bounded !== wasm) freeMemory(bounded);
  }
}

/** Whether a circuit's WASM is circom 1's. */
export function isCircom1(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.exports(module).some(({ name }) => name === 'getSignalOffset32');
}

/** What runs circuits of circom 1, of which there are few. `IO_FAILED` if the script cannot be loaded. */
export const loadCircom1 = laterPart('circuits of circom 1', () => import('./circom1.js'));
