import type { Groth16Key } from 'pippin-prover';
import type { Subject } from '../measure.js';
import type { SnarkjsWork } from '../measure-snarkjs.js';
import type { CircuitFacts } from '../results.js';
import type { OwnCircuit } from './own-files.js';

/**
 * A visitor's circuit as Pippin proves it: its WASM is compiled once, and computes the witness of each proof anew, as
 * in an application.
 */
export function ownSubject({ zkey, work }: OwnCircuit, onKey: (key: Groth16Key) => void): Subject {
  return {
    zkey,
    onKey,
    ready: async (prover, signal) => {
      if ('witness' in work) return (key, options) => prover.groth16.prove(key, work.witness, options);
      const circuit = await prover.groth16.loadCircuit(work.wasm, { signal, inputs: Object.keys(work.inputs) });
      // Pippin checks each value, and names the input that is wrong.
      return (key, options) => prover.groth16.fullProve(key, work.inputs as Record<string, string>, circuit, options);
    },
  };
}

/** The same for snarkjs. */
export async function ownSnarkjsWork({ zkey, work }: OwnCircuit): Promise<SnarkjsWork> {
  return 'witness' in work ? { zkey, witness: await bytesOf(work.witness) } : { zkey, ...work };
}

export function factsOf(circuit: OwnCircuit, key: Groth16Key): CircuitFacts {
  const { domainSize, variables, publicSignals } = key;
  return { name: circuit.name, keyBytes: circuit.zkey.size, domainSize, variables, publicSignals };
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
