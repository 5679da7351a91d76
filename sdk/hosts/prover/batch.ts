import type { BatchResult } from '../../api/index.js';
import { describeType, messageOf } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import type { OptionReader } from '../../base/option-reader.js';
import { errorOf } from '../../base/plain-error.js';
import type { ExpectedKey } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import type { Protocol } from '../../proofs/parts.js';
import type { EngineCalls } from './engine-calls.js';

/** The most proofs of a call: so many take the caller's thread some 0.1 s to copy. */
const MOST_PROOFS = 2 ** 16;

/** What is verified, as the caller gave it. */
interface GivenBatch {
  readonly protocol: Protocol;
  readonly verificationKey: unknown;
  readonly proofs: unknown;
}

/** `verifyBatch` of each proof system. Its other options have been read. */
export async function requestBatch(
  calls: EngineCalls,
  { protocol, verificationKey: givenKey, proofs: given }: GivenBatch,
  expected: ExpectedKey,
  reader: OptionReader,
): Promise<BatchResult> {
  const call = calls.begin('verifyBatch', reader);
  const verificationKey = plainCopy(givenKey, { code: 'MALFORMED_FILE', whole: 'a verification key', single: 'JSON' });
  if (!Array.isArray(given) || given.length > MOST_PROOFS) {
    const got = Array.isArray(given) ? `${given.length}` : `a ${describeType(given)}`;
    throw new PippinError('MALFORMED_FILE', `expected a list of at most ${MOST_PROOFS} proofs, got ${got}`, {
      hint: 'verifyBatch takes the verification key, then a list of pairs [publicSignals, proof]',
    });
  }
  /** The errors of proofs that cannot be copied. The engine gets null in their places, which is no proof either. */
  const refused = new Map<number, PippinError>();
  const proofs = Array.from({ length: given.length }, (_, i) => {
    try {
      return plainCopy(given[i], { code: 'MALFORMED_FILE', whole: `entry ${i} of the batch`, single: 'JSON' });
    } catch (error) {
      refused.set(i, error instanceof PippinError ? error : unreadable(i, error));
      return null;
    }
  });
  const { failed, errors } = await calls.run(call, (engine, number) =>
    engine.verifyBatch(number, protocol, { verificationKey, proofs }, expected),
  );
  return {
    valid: failed.length === 0,
    failed: [...failed],
    errors: errors.map(({ index, error }) => ({ index, error: refused.get(index) ?? errorOf(error) })),
  };
}

function unreadable(index: number, cause: unknown): PippinError {
  const message = `expected entry ${index} of the batch that can be read, got: ${messageOf(cause)}`;
  return new PippinError('MALFORMED_FILE', message, { cause });
}
