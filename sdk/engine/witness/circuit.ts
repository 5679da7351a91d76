import { throwIfAborted } from '../../base/abort.js';
import { freeMemory } from '../../base/free-memory.js';
import { MAX_CIRCUIT_BYTES } from '../../files/downloads.js';
import { compileCircuit, isCircom1, loadCircom1 } from '../../files/witness/compile-circuit.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import type { CircuitRequest } from '../engine-api.js';
import { loadKept } from '../kept-source.js';

/** The WASM of a circuit, compiled for the memory that it may take. */
export class LoadedCircuit {
  private compiled: { readonly memoryBytes: number; readonly module: Promise<WebAssembly.Module> } | undefined;

  /** @param inputs names of its inputs, for errors. */
  constructor(
    private readonly bytes: Uint8Array,
    readonly inputs: Set<string>,
  ) {}

  /** Compiled for a memory of at most so many bytes: once, unless it changes from call to call. */
  module(memoryBytes: number): Promise<WebAssembly.Module> {
    if (this.compiled?.memoryBytes !== memoryBytes) {
      const compiled = { memoryBytes, module: compileCircuit(this.bytes, memoryBytes) };
      this.compiled = compiled;
      // It may have failed for want of memory.
      compiled.module.catch(() => {
        if (this.compiled === compiled) this.compiled = undefined;
      });
    }
    return this.compiled.module;
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
  return loadKept(context, call, file, async (source) => {
    const bytes = await call.span('read', 'host', () => source.read(0, source.size));
    const circuit = new LoadedCircuit(bytes, new Set(inputs));
    try {
      const module = await call.span('prepare', 'host', () => circuit.module(memoryBytes));
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
