import { PippinError } from '../../base/errors.js';
import { wipe } from '../../base/free-memory.js';
import { CHECKED_AT_ONCE, checkScalars, checkScalarsEvenly, expectLength } from '../../bases/scalars.js';
import { type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { untilThere } from '../../transport/shared-bytes.js';

/** What a witness must be. */
export interface ExpectedWitness {
  readonly curve: CurveId;
  /** The number of its values. */
  readonly variables: number;
  /** Whether its check must take the same time for all values. */
  readonly constantWork?: boolean | undefined;
}

/**
 * The witness itself, of which some may still be being copied, if it has `variables` values below r, the first of them
 * 1. Any other is overwritten.
 */
export async function checkedWitness(values: Uint8Array, expected: ExpectedWitness): Promise<Uint8Array> {
  const { curve, variables, constantWork = false } = expected;
  try {
    expectLength(curve, values, variables);
    if (constantWork) {
      await untilThere(values);
      checkScalarsEvenly(curve, values, variables);
    } else {
      for (let from = 0; from < variables; from += CHECKED_AT_ONCE) {
        const to = Math.min(variables, from + CHECKED_AT_ONCE);
        await untilThere(values.subarray(0, to * SCALAR_BYTES));
        checkScalars(curve, values, from, to);
      }
    }
    const isOne = values.subarray(0, SCALAR_BYTES).every((byte, i) => byte === (i === 0 ? 1 : 0));
    if (!isOne) throw new PippinError('MALFORMED_FILE', 'expected a witness whose first value is 1, got another value');
    return values;
  } catch (error) {
    wipe(values);
    throw error;
  }
}
