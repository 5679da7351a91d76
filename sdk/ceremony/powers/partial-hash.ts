import { PippinError } from '../../base/errors.js';
import { viewOf } from '../../files/snarkjs/section-file.js';
import { HASH_BYTES, newBlake2b } from '../contributions.js';

/** Bytes of a state as snarkjs writes it. */
export const PARTIAL_HASH_BYTES = 216;
const BLOCK_BYTES = 128;
const WORDS_AT = BLOCK_BYTES;
const LENGTH_AT = WORDS_AT + HASH_BYTES;
const POSITION_AT = LENGTH_AT + 8;

/** The members of a Blake2b of @noble/hashes that are its state. */
interface State {
  readonly buffer: Uint8Array;
  pos: number;
  length: number;
  get(): number[];
  set(...words: number[]): void;
}

export type Blake2b = ReturnType<typeof newBlake2b>;

/**
 * The state of a Blake2b-512 as a .ptau file keeps it: the block that is not full (128 bytes; those behind its end are
 * of an earlier block), the chain value (64 bytes), the bytes before the block and in it (u64 each), and 8 zeros.
 */
export function partialHash(hash: Blake2b): Uint8Array {
  const { buffer, pos, length, get } = hash as unknown as State;
  const bytes = new Uint8Array(PARTIAL_HASH_BYTES);
  const view = viewOf(bytes);
  bytes.set(buffer);
  for (const [i, word] of get.call(hash).entries()) view.setInt32(WORDS_AT + 4 * i, word, true);
  view.setBigUint64(LENGTH_AT, BigInt(length - pos), true);
  view.setBigUint64(POSITION_AT, BigInt(pos), true);
  return bytes;
}

/** The hash of a state and of what follows. `MALFORMED_FILE` for what is no state. */
export function finishedHash(state: Uint8Array, rest: Uint8Array, what: string): Uint8Array {
  const view = viewOf(state);
  const [before, pos] = [view.getBigUint64(LENGTH_AT, true), view.getBigUint64(POSITION_AT, true)];
  if (pos > BLOCK_BYTES || before > Number.MAX_SAFE_INTEGER - BLOCK_BYTES || before % BigInt(BLOCK_BYTES) !== 0n) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected ${what} as the state of a Blake2b, got one of ${before} and ${pos} bytes`,
    );
  }
  const hash = newBlake2b();
  const inner = hash as unknown as State;
  inner.set(...Array.from({ length: HASH_BYTES / 4 }, (_, i) => view.getInt32(WORDS_AT + 4 * i, true)));
  inner.buffer.set(state.subarray(0, BLOCK_BYTES));
  inner.pos = Number(pos);
  inner.length = Number(before + pos);
  return hash.update(rest).digest();
}
