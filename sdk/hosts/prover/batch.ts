import type { BatchError, BatchResult } from '../../api/index.js';
import { describeType, messageOf } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import type { OptionReader } from '../../base/option-reader.js';
import { errorOf } from '../../base/plain-error.js';
import type { ExpectedKey } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import type { Protocol } from '../../proofs/parts.js';
import type { EngineCalls } from './engine-calls.js';

/** The most proofs of a call. */
const MOST_PROOFS = 2 ** 16;
/** Proofs that go to the engine together: a message of some 20 ms. */
const MESSAGE_PROOFS = 1024;
/** Proofs that are copied between two looks at the caller's own events: some 2 ms. */
const COPIED_AT_ONCE = 64;

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
  return calls.run(call, async (engine, number) => {
    const failed: number[] = [];
    const errors: BatchError[] = [];
    // A wrong key is refused whether there are proofs or not.
    for (let from = 0; from === 0 || from < given.length; from += MESSAGE_PROOFS) {
      const { proofs, refused } = await copyProofs(given, from, Math.min(given.length, from + MESSAGE_PROOFS));
      call.signal.throwIfAborted();
      const verdict = await engine.verifyBatch(number, protocol, { verificationKey, proofs }, expected);
      failed.push(...verdict.failed.map((index) => from + index));
      for (const { index, error } of verdict.errors) {
        errors.push({ index: from + index, error: refused.get(index) ?? errorOf(error) });
      }
    }
    return { valid: failed.length === 0, failed, errors };
  });
}

/**
 * Copies proofs from..to, with pauses for the caller's own work. The engine gets null, which is no proof either, in the
 * place of what cannot be copied, which is `refused`.
 */
async function copyProofs(
  given: readonly unknown[],
  from: number,
  to: number,
): Promise<{ readonly proofs: readonly unknown[]; readonly refused: ReadonlyMap<number, PippinError> }> {
  const refused = new Map<number, PippinError>();
  const proofs: unknown[] = [];
  for (let i = from; i < to; i++) {
    if (i % COPIED_AT_ONCE === COPIED_AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve));
    try {
      proofs.push(plainCopy(given[i], { code: 'MALFORMED_FILE', whole: `entry ${i} of the batch`, single: 'JSON' }));
    } catch (error) {
      refused.set(i - from, error instanceof PippinError ? error : unreadable(i, error));
      proofs.push(null);
    }
  }
  return { proofs, refused };
}

function unreadable(index: number, cause: unknown): PippinError {
  const message = `expected entry ${index} of the batch that can be read, got: ${messageOf(cause)}`;
  return new PippinError('MALFORMED_FILE', message, { cause });
}
