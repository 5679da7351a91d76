import type { ProvingKey } from 'pippin-prover';
import { type Subject, systemOf } from '../measure.js';
import type { SnarkjsWork } from '../measure-snarkjs.js';
import type { CircuitFacts } from '../results.js';
import type { OwnCircuit } from './own-files.js';

/**
 * A visitor's circuit as Pippin proves it: its WASM is compiled once, and computes the witness of each proof anew, as
 * in an application.
 */
export function ownSubject({ zkey, work }: OwnCircuit, onKey: (key: ProvingKey) => void): Subject {
  return {
    zkey,
    onKey,
    ready: async (prover, signal) => {
      if ('witness' in work) {
        return (key, options) => systemOf(prover, key.protocol).prove(key, work.witness, options);
      }
      const circuit = await prover.groth16.loadCircuit(work.wasm, { signal, inputs: Object.keys(work.inputs) });
      return (key, options) => systemOf(prover, key.protocol).fullProve(key, work.inputs, circuit, options);
    },
  };
}

/** The same for snarkjs. */
export async function ownSnarkjsWork({ zkey, work }: OwnCircuit): Promise<SnarkjsWork> {
  return 'witness' in work ? { zkey, witness: await bytesOf(work.witness) } : { zkey, ...work };
}

export function factsOf(circuit: OwnCircuit, key: ProvingKey): CircuitFacts {
  const { domainSize, variables, publicSignals } = key;
  return { name: circuit.name, keyBytes: circuit.zkey.size, domainSize, variables, publicSignals };
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
