import { joinBytes } from '../../../base/bytes.js';
import { encodeU32, ifReadable, ModuleReader, unreadable } from '../module-reader.js';

export const OPCODE = {
  branchTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Add: 0x6a,
  i32Mul: 0x6c,
} as const;

/** How many numbers follow an instruction; of an address the first is the exponent of its alignment. */
const OPERANDS = { none: 1, one: 2, two: 3, address: 4, labels: 5, wide: 6 } as const;

/** The operands of each instruction that is read; 0 for all others. */
const OPERANDS_OF = new Uint8Array(256);
for (const [first, last, operands] of [
  // Control: unreachable, nop; block, loop, if; else; end; br, br_if; br_table; return; call; call_indirect.
  [0x00, 0x01, OPERANDS.none],
  [0x02, 0x04, OPERANDS.one],
  [0x05, 0x05, OPERANDS.none],
  [0x0b, 0x0b, OPERANDS.none],
  [0x0c, 0x0d, OPERANDS.one],
  [OPCODE.branchTable, OPCODE.branchTable, OPERANDS.labels],
  [0x0f, 0x0f, OPERANDS.none],
  [OPCODE.call, OPCODE.call, OPERANDS.one],
  [OPCODE.callIndirect, OPCODE.callIndirect, OPERANDS.two],
  // drop and select; variables; loads and stores; memory.size and memory.grow.
  [0x1a, 0x1b, OPERANDS.none],
  [0x20, 0x24, OPERANDS.one],
  [0x28, 0x3e, OPERANDS.address],
  [0x3f, 0x40, OPERANDS.one],
  // i32.const, i64.const; numeric instructions and sign extensions.
  [OPCODE.i32Const, OPCODE.i32Const, OPERANDS.one],
  [OPCODE.i64Const, OPCODE.i64Const, OPERANDS.wide],
  [0x45, 0xc4, OPERANDS.none],
] as const) {
  OPERANDS_OF.fill(operands, first, last + 1);
}

/** The exponent of the largest alignment. */
const MAX_ALIGNMENT = 3;

/** What becomes of the operands of a function's instructions. */
export interface Operands {
  /** The index of the function that a call of this one becomes. */
  call(index: number): number;
  /** The operand that an i64.const gets; all stay if it is left out. */
  constant?(value: bigint): bigint;
}

/**
 * A function's code (its local variables and its instructions) with other operands. `UNSUPPORTED_FORMAT` for an
 * instruction beyond the first version of WebAssembly with sign extensions, and for constants of floating point.
 */
export function withOperands(code: Uint8Array, { call, constant }: Operands): Uint8Array {
  const parts: Uint8Array[] = [];
  let copied = 0;
  readInstructions(code, (opcode, reader) => {
    const from = reader.at;
    let operand: number[] | undefined;
    if (opcode === OPCODE.call) operand = encodeU32(call(reader.u32()));
    else if (opcode === OPCODE.i64Const) {
      const value = signed(reader);
      if (constant !== undefined) operand = encodeSigned(constant(value));
    } else skipOperands(reader, opcode);
    if (operand === undefined) return;
    parts.push(code.subarray(copied, from), Uint8Array.from(operand));
    copied = reader.at;
  });
  return joinBytes([...parts, code.subarray(copied)]);
}

/** Whether a function's code has no instructions but the ones that `withOperands` reads. */
export function isPlainCode(code: Uint8Array): boolean {
  const read = ifReadable(() => {
    readInstructions(code, (opcode, reader) => skipOperands(reader, opcode));
    return true;
  });
  return read === true;
}

/** Calls `read` with each instruction of a function, to read its operands. */
export function readInstructions(code: Uint8Array, read: (opcode: number, reader: ModuleReader) => void): void {
  const reader = new ModuleReader(code);
  for (let groups = reader.u32(); groups > 0; groups--) {
    reader.u32();
    reader.byte();
  }
  while (!reader.isAtEnd()) read(reader.byte(), reader);
}

/** Reads the operands of an instruction. `UNSUPPORTED_FORMAT` for one that is not known. */
export function skipOperands(reader: ModuleReader, opcode: number): void {
  const operands = OPERANDS_OF[opcode];
  if (operands === OPERANDS.none) return;
  if (operands === OPERANDS.one) skipNumber(reader, 5);
  else if (operands === OPERANDS.wide) skipNumber(reader, 10);
  else if (operands === OPERANDS.address) {
    // A larger one would say that the number of a memory follows.
    if (reader.byte() > MAX_ALIGNMENT) throw unreadable('several memories');
    skipNumber(reader, 5);
  } else if (operands === OPERANDS.two) {
    skipNumber(reader, 5);
    skipNumber(reader, 5);
  } else if (operands === OPERANDS.labels) {
    for (let labels = reader.u32(); labels >= 0; labels--) skipNumber(reader, 5);
  } else throw unreadable(`an instruction ${opcode}`);
}

/** Skips a number in LEB128. Its last byte is below 0x80. */
function skipNumber(reader: ModuleReader, most: number): void {
  for (let bytes = 1; reader.byte() >= 0x80; bytes++)
    if (bytes === most) throw unreadable('a number of too many bytes');
}

/** A signed number of 32 bits in LEB128. */
export function signed32(reader: ModuleReader): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.byte();
    value |= (byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    return shift < 28 ? (value << (25 - shift)) >> (25 - shift) : value;
  }
  throw unreadable('a number of more than 32 bits');
}

/** A signed number in LEB128, of at most ten bytes. */
export function signed(reader: ModuleReader): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.byte();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
  }
  throw unreadable('a number of more than 64 bits');
}

/** A signed number in LEB128. */
export function encodeSigned(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest >> 6n === 0n || rest >> 6n === -1n) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
