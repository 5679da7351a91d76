import { readFileSync } from 'node:fs';
import * as snarkjs from 'snarkjs';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { circuitFile } from '../support/circuits.js';

/** The powers of tau for the circuit `chain`, and its first key, as snarkjs makes it: without a contribution. */
export async function firstKey(curve: CurveId): Promise<{ ptau: string; r1cs: string; zkey: Uint8Array }> {
  const name = CURVES[curve].snarkjs!.name;
  const ptau = await circuitFile(name === 'bn128' ? 'pot6.ptau' : `${name}/pot6-${name}.ptau`);
  const r1cs = await circuitFile(name === 'bn128' ? 'chain.r1cs' : `${name}/chain.r1cs`);
  const made: snarkjs.MemoryFile = { type: 'mem' };
  await snarkjs.zKey.newZKey(r1cs, ptau, made);
  return { ptau, r1cs, zkey: new Uint8Array(made.data!) };
}

export const readBytes = (path: string): Uint8Array => new Uint8Array(readFileSync(path));
