// Reads and changes functions of modules, of which each has its local variables and instructions from address `from` to
// `end`. It has no data: whoever calls it lays out its memory (sdk/files/witness/exchange/linker.ts).

import { LIMB_0 } from '../circuit/modulus';
import {
  behindLocals,
  behindNumber,
  behindOperands,
  CALL,
  I32_CONST,
  I64_CONST,
  signed64At,
  signedAt,
  unsignedAt,
  writeSigned,
  writeUnsigned,
} from './operands';

/** Bytes of circom's numbers. */
const NUMBER_BYTES: i32 = 40;
/** The bytes `i32.const 40, i32.mul, local.get`, and `i32.add, i32.const`, as words. */
const TIMES_NUMBER_BYTES: u32 = 0x206c2841;
const PLUS_CONSTANT: u32 = 0x416a;

/** In the place of a new index: no call of the function is allowed. */
const FORBIDDEN: u32 = 0xffffffff;

/** The most copies of one call: a bit for each, and one behind them. */
const MAX_COPIES: u32 = 63;

/**
 * Writes a function to `to` with one call of `copies` (target, run, fixed, pattern) in the place of calls of `copy`
 * (target, source) that follow each other, to neighbouring variables: each copies the neighbour of the last constant of
 * the run, or the one fixed constant. Bit k of the pattern says whether copy k has the fixed one, and a 1 follows the
 * last bit. A copy has the instructions i32.const variable, i32.const 40, i32.mul, local.get, i32.add, i32.const
 * address, call. The result never has more bytes than the function.
 *
 * The end of what was written: `to` if there is nothing to merge, and 0 for a function with an instruction that is not
 * known.
 */
export function mergeCopies(from: usize, end: usize, to: usize, copy: u32, copies: u32): usize {
  let out = to;
  let copied = from;
  /** The copies that are gathered: how many, the call of the first, and their end. */
  let count: u32 = 0;
  let firstCall: usize = 0;
  let last: usize = 0;
  /** What the next one would copy where. */
  let local: u32 = 0;
  let variable: i32 = 0;
  let run: i32 = 0;
  let fixed: i32 = 0;
  let pattern: u64 = 0;
  let at = behindLocals(from, end);
  if (at == 0) return 0;
  while (at < end) {
    const start = at;
    const opcode: u32 = load<u8>(at++);
    const operand = at;
    at = behindOperands(opcode, at, end);
    if (at == 0) return 0;
    if (opcode != I32_CONST || load<u32>(at) != TIMES_NUMBER_BYTES) continue;
    const plus = behindNumber(at + 4);
    const call = behindNumber(plus + 2);
    const behind = behindNumber(call + 1);
    const isCopy = load<u16>(plus) == PLUS_CONSTANT && load<u8>(call) == CALL && unsignedAt(call + 1) == copy;
    if (!isCopy || behind > end) continue;
    const itsLocal = unsignedAt(at + 4);
    const itsVariable = signedAt(operand);
    const itsAddress = signedAt(plus + 2);
    at = behind;
    const isNeighbour = last == start && local == itsLocal && variable == itsVariable && count < MAX_COPIES;
    if (isNeighbour && itsAddress == run) run += NUMBER_BYTES;
    else if (isNeighbour && (itsAddress == fixed || pattern == 0)) {
      fixed = itsAddress;
      pattern |= (<u64>1) << count;
    } else {
      if (count > 1) {
        out = writeMerged(out, copied, firstCall, fixed, pattern | ((<u64>1) << count), copies);
        copied = last;
      }
      count = 0;
      firstCall = call;
      local = itsLocal;
      run = itsAddress + NUMBER_BYTES;
      fixed = 0;
      pattern = 0;
    }
    count++;
    last = behind;
    variable = itsVariable + 1;
  }
  if (at != end) return 0;
  if (count > 1) {
    out = writeMerged(out, copied, firstCall, fixed, pattern | ((<u64>1) << count), copies);
    copied = last;
  }
  if (copied == from) return to;
  memory.copy(out, copied, end - copied);
  return out + (end - copied);
}

/** Writes what comes before the first of some copies, and one call for all. */
function writeMerged(to: usize, copied: usize, firstCall: usize, fixed: i32, pattern: u64, copies: u32): usize {
  memory.copy(to, copied, firstCall - copied);
  to += firstCall - copied;
  store<u8>(to, I32_CONST);
  to = writeSigned(to + 1, fixed);
  store<u8>(to, I64_CONST);
  to = writeSigned(to + 1, pattern);
  store<u8>(to, CALL);
  return writeUnsigned(to + 1, copies);
}

/**
 * Writes a function to `to` with other operands of calls and constants, and gives the end of what was written; 0 for a
 * function with an instruction that is not known, and for a call that is not allowed.
 *
 * `table` holds a counter n, the new index plus one of each of the module's `functions` functions, and a list. A
 * function with 0 gets the new index n when it is first called; its old index is appended to the list.
 *
 * An i64.const of the marks of wasm/circuit/modulus.ts gets the constants of 64 bits at `constants`, if there are any.
 */
export function relink(
  from: usize,
  end: usize,
  to: usize,
  table: usize,
  functions: u32,
  constants: usize,
  count: u32,
): usize {
  let copied = from;
  let at = behindLocals(from, end);
  if (at == 0) return 0;
  while (at < end) {
    const opcode: u32 = load<u8>(at++);
    const operand = at;
    at = behindOperands(opcode, at, end);
    if (at == 0 || at > end) return 0;
    if (opcode == CALL) {
      const index = unsignedAt(operand);
      if (index >= functions) return 0;
      const place = table + 4 + 4 * <usize>index;
      let renamed = load<u32>(place);
      if (renamed == FORBIDDEN) return 0;
      if (renamed == 0) {
        renamed = load<u32>(table) + 1;
        store<u32>(table, renamed);
        store<u32>(place, renamed);
        store<u32>(table + 4 * <usize>(functions + renamed), index);
      }
      memory.copy(to, copied, operand - copied);
      to = writeUnsigned(to + (operand - copied), renamed - 1);
      copied = at;
    } else if (opcode == I64_CONST) {
      const mark = <u64>signed64At(operand) - LIMB_0;
      if (mark >= count) continue;
      memory.copy(to, copied, operand - copied);
      to = writeSigned(to + (operand - copied), load<i64>(constants + 8 * <usize>mark));
      copied = at;
    }
  }
  if (at != end) return 0;
  memory.copy(to, copied, end - copied);
  return to + (end - copied);
}

/**
 * A 64-bit hash of byte strings with their lengths, by multiplication and rotation of 32-bit words: what it is after
 * `length` more bytes, behind which there are three zeros or more.
 */
export function hash(from: usize, length: u32, before: u64): u64 {
  let low = <u32>before;
  let high = <u32>(before >> 32);
  const end = from + ((length + 3) & ~3);
  for (let at = from; at <= end; at += 4) {
    const word = at < end ? load<u32>(at) : length;
    low = rotl<u32>(low ^ word, 13) * 0x9e3779b1;
    high = (rotl<u32>(high + word, 17) * 0x85ebca77) ^ low;
  }
  return ((<u64>high) << 32) | low;
}
