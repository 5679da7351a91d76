import type { CircuitInputs } from '../../sdk/api/index.js';
import { measureCircuit } from './measure-circuit.js';

/** What the bench calls in its page: the WASM's address, and the inputs as JSON. */
Object.assign(globalThis, {
  measureCircuit: async (url: string, inputs: string, runs: number) => {
    const wasm = new Uint8Array(await (await fetch(url)).arrayBuffer());
    return measureCircuit(wasm, JSON.parse(inputs) as CircuitInputs, runs, () => 0);
  },
});
