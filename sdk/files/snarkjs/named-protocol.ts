import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { PROTOCOLS, type Protocol } from '../../proofs/parts.js';
import { expectObject } from './json-values.js';

/**
 * The proof system that JSON names; the first if it names none, as provers that leave the name out have no other.
 * `UNSUPPORTED_FORMAT` for one that snarkjs does not have, `MALFORMED_FILE` for anything else than an object.
 *
 * @param what how messages call it, such as "a proof".
 */
export function protocolNamedIn(json: unknown, what: string): Protocol {
  const { protocol = PROTOCOLS[0] } = expectObject(json, what);
  if (PROTOCOLS.includes(protocol as Protocol)) return protocol as Protocol;
  const names = `${PROTOCOLS.slice(0, -1).join(', ')} or ${PROTOCOLS.at(-1)}`;
  throw new PippinError('UNSUPPORTED_FORMAT', `expected ${what} of ${names}, got ${describeValue(protocol)}`);
}
