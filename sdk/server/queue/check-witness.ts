import { memorySource } from '../../files/byte-source.js';
import { curveOfName } from '../../files/snarkjs/known-curves.js';
import { wtnsValues } from '../../files/snarkjs/wtns.js';
import type { CircuitInfo } from './types.js';

/**
 * Refuses a .wtns file that no worker could prove the circuit with, so that it does not fill Redis until one finds out.
 * Its values are left to the worker. `MALFORMED_FILE`, `UNSUPPORTED_FORMAT`, `CURVE_MISMATCH` for another field,
 * `INVALID_LENGTH` for another number of values.
 */
export async function checkWitness(witness: Uint8Array, { curve, variables }: CircuitInfo): Promise<void> {
  const known = curveOfName(curve);
  if (known !== undefined) await wtnsValues(memorySource(witness), known.id, variables);
}
