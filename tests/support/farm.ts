import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CircuitRegistration, RegisteredCircuit } from '../../farm/src/circuits/circuits.js';
import { readCircuits } from '../../farm/src/circuits/circuits.js';
import { type CircuitName, circuitFile } from './circuits.js';
import { built } from './in-process-engine.js';

/** A circuit's Groth16 key, or its key of PLONK or FFLONK. */
type CircuitKey = CircuitName | `${CircuitName}.${'plonk' | 'fflonk'}`;

/** Registrations of test circuits, under their own names; with a PLONK key `chain.plonk` it is `chain-plonk`. */
export async function registrations(...names: readonly CircuitKey[]): Promise<CircuitRegistration[]> {
  const file = async (name: string) => {
    const source = await circuitFile(name);
    const sha256 = createHash('sha256')
      .update(await readFile(source))
      .digest('hex');
    return { source, sha256 };
  };
  return Promise.all(
    names.map(async (name) => ({
      id: name.replace('.', '-'),
      zkey: await file(`${name}.zkey`),
      wasm: await file(`${name.replace(/\..*/, '')}.wasm`),
      verificationKey: await file(`${name}.vkey.json`),
    })),
  );
}

/** The script of a worker's process, of the built package. */
export const workerScript = (): URL => new URL(built('../farm/dist/worker.js'));

/** Test circuits as workers take them. */
export async function registered(...names: readonly CircuitKey[]): Promise<readonly RegisteredCircuit[]> {
  return readCircuits(await registrations(...names));
}
