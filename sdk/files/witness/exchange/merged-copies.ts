import { joinBytes } from '../../../base/bytes.js';
import { encodeU32, type ModuleReader } from '../module-reader.js';
import { encodeSigned, OPCODE, readInstructions, signed32, skipOperands } from './instructions.js';

const NUMBER_BYTES = 40;

/** The instructions of a copy of a constant to a variable: at 40 i + local, from an address. */
const COPY = [
  OPCODE.i32Const,
  OPCODE.i32Const,
  OPCODE.i32Mul,
  OPCODE.localGet,
  OPCODE.i32Add,
  OPCODE.i32Const,
  OPCODE.call,
] as const;

/** Copies one after another, from byte `from` of the code to byte `to`. */
interface Copies {
  readonly from: number;
  to: number;
  readonly variable: number;
  readonly local: number;
  readonly address: number;
  count: number;
}

/**
 * A function's code with one call of `copies` (target, source, count) in the place of calls of `copy` (target, source)
 * that follow each other and copy neighbouring constants to neighbouring variables. circom puts whole tables of
 * constants into the variables of each template that takes one. undefined if there are none.
 */
export function withMergedCopies(code: Uint8Array, copy: number, copies: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let copied = 0;
  let last: Copies | undefined;
  const flush = (): void => {
    if (last === undefined || last.count < 2) return;
    parts.push(code.subarray(copied, last.from), merged(last, copies));
    copied = last.to;
  };
  /** How many instructions of a copy were read, where they begin, and their operands. */
  let stage = 0;
  const starts: number[] = [];
  const operands: number[] = [];
  readInstructions(code, (opcode, reader) => {
    const start = reader.at - 1;
    const operand = operandOf(opcode, reader);
    if (opcode !== COPY[stage] || (stage === 1 && operand !== NUMBER_BYTES)) stage = 0;
    if (opcode !== COPY[stage]) return;
    starts[stage] = start;
    operands[stage] = operand;
    stage++;
    if (stage < COPY.length) return;
    stage = 0;
    if (operands[6] !== copy) return;
    const from = starts[0]!;
    const [variable, , , local, , address] = operands as [number, number, number, number, number, number];
    if (
      last !== undefined &&
      last.to === from &&
      last.local === local &&
      last.variable + last.count === variable &&
      last.address + last.count * NUMBER_BYTES === address
    ) {
      last.count++;
      last.to = reader.at;
    } else {
      flush();
      last = { from, to: reader.at, variable, local, address, count: 1 };
    }
  });
  flush();
  return parts.length === 0 ? undefined : joinBytes([...parts, code.subarray(copied)]);
}

/** The operand of an instruction of a copy; 0 for all others, whose operands are skipped. */
function operandOf(opcode: number, reader: ModuleReader): number {
  if (opcode === OPCODE.i32Const) return signed32(reader);
  if (opcode === OPCODE.localGet || opcode === OPCODE.call) return reader.u32();
  skipOperands(reader, opcode);
  return 0;
}

function merged({ variable, local, address, count }: Copies, copies: number): Uint8Array {
  return Uint8Array.from([
    ...constant(variable),
    ...constant(NUMBER_BYTES),
    OPCODE.i32Mul,
    OPCODE.localGet,
    ...encodeU32(local),
    OPCODE.i32Add,
    ...constant(address),
    ...constant(count),
    OPCODE.call,
    ...encodeU32(copies),
  ]);
}

function constant(value: number): number[] {
  return [OPCODE.i32Const, ...encodeSigned(BigInt(value))];
}
