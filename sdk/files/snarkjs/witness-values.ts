import { PippinError } from '../../base/errors.js';
import { wipe } from '../../base/free-memory.js';
import { checkScalarsEvenly } from '../../bases/scalars.js';
import { type CurveId, SCALAR_BYTES } from '../../curves/index.js';

/** Checks that a witness has `variables` values below r, the first of them 1. */
export function expectWitness(values: Uint8Array, curve: CurveId, variables: number): void {
  checkScalarsEvenly(curve, values, variables);
  const isOne = values.subarray(0, SCALAR_BYTES).every((byte, i) => byte === (i === 0 ? 1 : 0));
  if (!isOne) throw new PippinError('MALFORMED_FILE', 'expected a witness whose first value is 1, got another value');
}

/** The witness itself if it passes `expectWitness`. One that does not is overwritten. */
export function checkedWitness(values: Uint8Array, curve: CurveId, variables: number): Uint8Array {
  try {
    expectWitness(values, curve, variables);
    return values;
  } catch (error) {
    wipe(values);
    throw error;
  }
}
