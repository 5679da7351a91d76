import type { CircuitCall, CircuitCode } from './circuit-code.js';

/** The largest memory that an instance is kept with. Larger circuits start in a small part of their time. */
export const MAX_KEPT_BYTES = 2 ** 22;

/**
 * The instance of the circuit whose witness was computed last, for its next one: starting and wiping an instance takes
 * longer than a small circuit. Nothing of the last witness is left in it (`CircuitCode.restore`), and its module has no
 * state besides (`LinkedCircuit.hasOnlyMemory`).
 */
export class KeptCircuit {
  private kept: { readonly as: number; readonly circuit: CircuitCode } | undefined;

  /** The instance, begun again, if it is this circuit's; one of another circuit is dropped. */
  take(as: number, call: CircuitCall): CircuitCode | undefined {
    const { kept } = this;
    this.kept = undefined;
    if (kept?.as !== as) return undefined;
    kept.circuit.restart?.(call);
    return kept.circuit;
  }

  keep(as: number, circuit: CircuitCode): void {
    this.kept = { as, circuit };
  }
}
