import type { LoadOptions } from './call-options.js';
import type { Report } from './reports.js';

/** Options of loading a circuit. */
export interface CircuitLoadOptions extends LoadOptions {
  /**
   * The SHA-256 of the circuit's file, as `KeyLoadOptions.sha256` of a key's. It is worth giving: the file is code that
   * sees all inputs.
   *
   * @defaultValue not checked
   */
  readonly sha256?: string;
  /**
   * The `witnessMemory` with which it will be used, so that it is compiled for that. Another one compiles it again.
   *
   * @defaultValue 2^30
   */
  readonly witnessMemory?: number;
  /**
   * The names of the circuit's inputs, from the `signal input` lines of its main component. With them an error can name
   * a missing input, since the WASM holds only hashes of the names. Names that the circuit does not have are ignored.
   * Names that a successful call of `fullProve` has given are known from then on.
   *
   * @defaultValue none
   */
  readonly inputs?: readonly string[];
}

/** A loaded circuit. Only the prover that loaded it can use it. */
export interface Circuit {
  /** Its `cached` says whether the file came from the cache. */
  readonly report: Report;
  /**
   * Frees the memory of the circuit. Later calls with it reject with `DISPOSED`. Idempotent.
   *
   * @returns when it is freed.
   * @throws {PippinError} WORKER_FAILED when the prover's coordinator has died.
   * @throws {PippinError} DISPOSED when the prover is disposed meanwhile.
   * @example
   * ```js
   * const circuit = await prover.groth16.loadCircuit('/keys/spend.wasm');
   * const result = await prover.groth16.fullProve(key, inputs, circuit);
   * await circuit.dispose();
   * ```
   */
  dispose(): Promise<void>;
}

/**
 * The values of a circuit's input signals, by name. Arrays may be nested in any way; a bus is an object. As in snarkjs,
 * a value is anything that `BigInt(value)` converts to an integer: a bigint, an integral number, a boolean, or a string
 * such as "12", "-1", "0x1f", "0b11", " 3 " or "". It is reduced modulo r. Write numbers beyond 2^53 as a bigint or
 * string, because JavaScript has rounded them before Pippin sees them.
 */
export type CircuitInputs = { readonly [name: string]: CircuitInput };
/** One value of an input signal, or an array or a bus of them; see `CircuitInputs`. */
export type CircuitInput =
  | bigint
  | number
  | boolean
  | string
  | readonly CircuitInput[]
  | { readonly [field: string]: CircuitInput };

/** `CircuitInputs`, or an object of an interface of the caller's own whose members are such values. */
export type InputsOf<T> = T extends CircuitInput
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { readonly [K in keyof T]: InputsOf<T[K]> }
      : never;
