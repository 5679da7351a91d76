import { throwIfAborted } from '../../base/abort.js';
import { freeMemory } from '../../base/free-memory.js';
import { MAX_CIRCUIT_BYTES } from '../../files/downloads.js';
import {
  type CircuitForm,
  type CompiledCircuit,
  compileCircuitAs,
  isCircom1,
  loadCircom1,
} from '../../files/witness/compile-circuit.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import type { CircuitRequest } from '../engine-api.js';
import { loadKept } from '../sources/kept-source.js';

/** A compiled circuit, and the number that stands for it where its instance may be kept. */
export interface RunnableCircuit extends CompiledCircuit {
  readonly keepAs?: number | undefined;
}

/** How many circuits were compiled whose instances may be kept. */
let numbered = 0;

/** The WASM of a circuit, compiled for the memory that it may take. */
export class LoadedCircuit {
  /** As it is, and with exchanged arithmetic, by `exchangeArithmetic`. */
  private readonly compiled = new Map<boolean, { memoryBytes: number; circuit: Promise<RunnableCircuit> }>();

  /** @param inputs names of its inputs, for errors. */
  constructor(
    private readonly bytes: Uint8Array,
    readonly inputs: Set<string>,
  ) {}

  /** Compiled in this form: once, unless its memory changes from call to call. */
  compile(form: Omit<CircuitForm, 'isReused'>): Promise<RunnableCircuit> {
    const { memoryBytes, exchangeArithmetic } = form;
    const known = this.compiled.get(exchangeArithmetic);
    if (known?.memoryBytes === memoryBytes) return known.circuit;
    const compiled = { memoryBytes, circuit: this.compileReused(form) };
    this.compiled.set(exchangeArithmetic, compiled);
    // It may have failed for want of memory.
    compiled.circuit.catch(() => {
      if (this.compiled.get(exchangeArithmetic) === compiled) this.compiled.delete(exchangeArithmetic);
    });
    return compiled.circuit;
  }

  private async compileReused(form: Omit<CircuitForm, 'isReused'>): Promise<RunnableCircuit> {
    const circuit = await compileCircuitAs(this.bytes, { ...form, isReused: true });
    return circuit.hasOnlyMemory ? { ...circuit, keepAs: ++numbered } : circuit;
  }

  /** Frees its memory. A calculation that has begun goes on. */
  release(): void {
    freeMemory(this.bytes);
  }
}

/**
 * Reads and compiles a circuit's WASM, or takes the file from the cache. `KEY_MISMATCH` for another SHA-256 than the
 * one that is expected, and the errors of `compileCircuit`.
 */
export async function openCircuit(
  context: EngineContext,
  call: Call,
  { wasm, sha256, maxBytes = MAX_CIRCUIT_BYTES, memoryBytes, inputs }: CircuitRequest,
): Promise<{ circuit: LoadedCircuit; cached: boolean }> {
  const file = { description: wasm, sha256, what: 'circuit', maxBytes, room: 1 };
  context.witnesses.prepare();
  return loadKept(context, call, file, async (source) => {
    const bytes = await call.span('read', 'host', () => source.read(0, source.size));
    const circuit = new LoadedCircuit(bytes, new Set(inputs));
    try {
      const form = { memoryBytes, exchangeArithmetic: true };
      const { module } = await call.span('prepare', 'host', () => circuit.compile(form));
      // Downloaded now, so that the witness worker has it without a network.
      if (isCircom1(module)) await loadCircom1();
      throwIfAborted(call.signal);
    } catch (error) {
      circuit.release();
      throw error;
    }
    void source.close();
    return { circuit, cached: source.records.length > 0 };
  });
}
