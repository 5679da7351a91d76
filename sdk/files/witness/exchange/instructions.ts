import { encodeU32, ModuleReader, unreadable } from '../module-reader.js';

const OPCODE = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  branch: 0x0c,
  branchIf: 0x0d,
  branchTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  firstVariable: 0x20,
  lastVariable: 0x24,
  firstMemory: 0x28,
  lastMemory: 0x3e,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
} as const;

/** Instructions without operands besides: control (unreachable to return), drop and select, numeric ones. */
const PLAIN: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x01],
  [0x05, 0x05],
  [0x0b, 0x0b],
  [0x0f, 0x0f],
  [0x1a, 0x1b],
  [0x45, 0xc4],
];

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
  const reader = new ModuleReader(code);
  const parts: (Uint8Array | number[])[] = [];
  let copied = 0;
  const replace = (from: number, operand: number[]): void => {
    parts.push(code.subarray(copied, from), operand);
    copied = reader.at;
  };
  for (let groups = reader.u32(); groups > 0; groups--) {
    reader.u32();
    reader.byte();
  }
  while (!reader.isAtEnd()) {
    const opcode = reader.byte();
    const from = reader.at;
    if (opcode === OPCODE.call) {
      const index = reader.u32();
      replace(from, encodeU32(call(index)));
    } else if (opcode === OPCODE.i64Const) {
      const value = signed(reader);
      if (constant !== undefined) replace(from, encodeSigned(constant(value)));
    } else skipOperands(reader, opcode);
  }
  parts.push(code.subarray(copied));
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function skipOperands(reader: ModuleReader, opcode: number): void {
  const { firstVariable, lastVariable, firstMemory, lastMemory } = OPCODE;
  if (PLAIN.some(([first, last]) => first <= opcode && opcode <= last)) return;
  if (opcode === OPCODE.i32Const || opcode === OPCODE.block || opcode === OPCODE.loop || opcode === OPCODE.if) {
    signed(reader);
  } else if (opcode === OPCODE.branch || opcode === OPCODE.branchIf) reader.u32();
  else if (opcode === OPCODE.memorySize || opcode === OPCODE.memoryGrow) reader.u32();
  else if (firstVariable <= opcode && opcode <= lastVariable) reader.u32();
  else if ((firstMemory <= opcode && opcode <= lastMemory) || opcode === OPCODE.callIndirect) {
    reader.u32();
    reader.u32();
  } else if (opcode === OPCODE.branchTable) for (let labels = reader.u32(); labels >= 0; labels--) reader.u32();
  else throw unreadable(`an instruction ${opcode}`);
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

function encodeSigned(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest >> 6n === 0n || rest >> 6n === -1n) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
