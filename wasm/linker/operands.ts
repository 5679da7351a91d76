// What follows the opcodes of WebAssembly's first version, in LEB128. Addresses go past the end of a function where its
// code is cut off: who reads it compares them with the end. Zeros behind all code end every number.

/** Opcodes. */
export const CALL: u32 = 0x10;
export const I32_CONST: u32 = 0x41;
export const I64_CONST: u32 = 0x42;

const BLOCK: u32 = 0x02;
const IF: u32 = 0x04;
const NO_VALUE: u32 = 0x40;
/** The types of numbers: i32, i64, f32, f64. All others, and vectors, came later. */
const LEAST_NUMBER_TYPE: u32 = 0x7c;
/** The exponent of the largest alignment. A larger one would say that the number of a memory follows. */
const MAX_ALIGNMENT: u32 = 3;

/** The address behind a number. */
export function behindNumber(at: usize): usize {
  while (load<u8>(at) >= 0x80) at++;
  return at + 1;
}

/** A signed number of 32 bits. */
export function signedAt(at: usize): i32 {
  let value: i32 = 0;
  let shift = 0;
  let byte: i32;
  do {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80 && shift < 35);
  return shift < 32 ? (value << (32 - shift)) >> (32 - shift) : value;
}

/** An unsigned number of 32 bits. */
export function unsignedAt(at: usize): u32 {
  let value: u32 = 0;
  let shift = 0;
  let byte: u32;
  do {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80 && shift < 35);
  return value;
}

/** A signed number of 64 bits. */
export function signed64At(at: usize): i64 {
  let value: i64 = 0;
  let shift: i64 = 0;
  let byte: i64;
  do {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80 && shift < 70);
  return shift < 64 ? (value << (64 - shift)) >> (64 - shift) : value;
}

/** Writes an unsigned number; the address behind it. */
export function writeUnsigned(to: usize, value: u32): usize {
  for (; value > 0x7f; value >>= 7) store<u8>(to++, value | 0x80);
  store<u8>(to, value);
  return to + 1;
}

/** Writes a signed number; the address behind it. */
export function writeSigned(to: usize, value: i64): usize {
  while (value < -64 || value > 63) {
    store<u8>(to++, (value & 0x7f) | 0x80);
    value >>= 7;
  }
  store<u8>(to, value & 0x7f);
  return to + 1;
}

/** The address behind a function's local variables, which are numbers; 0 for others. */
export function behindLocals(from: usize, end: usize): usize {
  let at = behindNumber(from);
  for (let groups = unsignedAt(from); groups > 0; groups--) {
    at = behindNumber(at);
    if (at >= end || load<u8>(at) < LEAST_NUMBER_TYPE) return 0;
    at++;
  }
  return at;
}

/**
 * The address behind an instruction's operands, which begin at `at`; 0 for an instruction beyond the first version with
 * sign extensions, and for constants of floating point.
 */
export function behindOperands(opcode: u32, at: usize, end: usize): usize {
  // Numeric instructions and sign extensions.
  if (opcode >= 0x45) return opcode <= 0xc4 ? at : 0;
  if (opcode >= 0x28) {
    if (opcode > I64_CONST) return 0;
    // Loads and stores.
    if (opcode < 0x3f && load<u8>(at++) > MAX_ALIGNMENT) return 0;
    return behindNumber(at);
  }
  // Variables.
  if (opcode >= 0x20) return opcode <= 0x24 ? behindNumber(at) : 0;
  switch (opcode) {
    // unreachable, nop, else, end, return, drop, select.
    case 0x00:
    case 0x01:
    case 0x05:
    case 0x0b:
    case 0x0f:
    case 0x1a:
    case 0x1b:
      return at;
    // br, br_if.
    case 0x0c:
    case 0x0d:
    case CALL:
      return behindNumber(at);
    // call_indirect.
    case 0x11:
      return behindNumber(behindNumber(at));
    // br_table.
    case 0x0e: {
      let labels = unsignedAt(at);
      for (at = behindNumber(at); labels > 0 && at < end; labels--) at = behindNumber(at);
      return behindNumber(at);
    }
    default:
      return opcode >= BLOCK && opcode <= IF ? behindBlockType(at) : 0;
  }
}

/** The type of a block: none, a number, or the index of a function type, which is not negative. */
function behindBlockType(at: usize): usize {
  const first: u32 = load<u8>(at);
  const next = behindNumber(at);
  if (first == NO_VALUE || (first >= LEAST_NUMBER_TYPE && first < 0x80)) return next;
  return load<u8>(next - 1) < 0x40 ? next : 0;
}
