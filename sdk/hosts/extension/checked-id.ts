import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';

/** The most characters of an id. */
const MAX_ID = 200;

/** An id of a proof. `INVALID_ARGUMENT` for one that cannot be used. */
export function checkedId(id: unknown): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= MAX_ID) return id;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected id as a string of 1 to ${MAX_ID} characters, got ${describeType(id)}`,
  );
}

/** The error for an id that the document does not have. */
export function unknownId(): PippinError {
  return new PippinError('INVALID_HANDLE', 'expected the id of a proof that the document has, got another one', {
    hint: 'it was never begun, its time is over, it was discarded, or the document was closed: prove again',
  });
}
