import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { expectObject } from './json-values.js';
import type { ZkeyProtocol } from './zkey-header.js';

/**
 * The proof system that JSON names; Groth16 if it names none, as provers that leave the name out have no other.
 * `UNSUPPORTED_FORMAT` for one that snarkjs does not have, `MALFORMED_FILE` for anything else than an object.
 *
 * @param what how messages call it, such as "a proof".
 */
export function protocolNamedIn(json: unknown, what: string): ZkeyProtocol {
  const { protocol = 'groth16' } = expectObject(json, what);
  if (protocol === 'groth16' || protocol === 'plonk' || protocol === 'fflonk') return protocol;
  throw new PippinError(
    'UNSUPPORTED_FORMAT',
    `expected ${what} of groth16, plonk or fflonk, got ${describeValue(protocol)}`,
  );
}
