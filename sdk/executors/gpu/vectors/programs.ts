import { bytesToBigint } from '../../../base/bytes.js';
import { wipeAndFree } from '../../../base/free-memory.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { compile, type Expression } from '../../../polynomials/expression.js';
import { elementBytes, kernelR } from '../polynomials/scalar-field.js';
import type { Write } from '../runtime/steps.js';
import type { GpuVector } from './gpu-vector.js';
import type { Operation, VectorStep } from './operation.js';
import { programStage } from './vector-stages.js';

/** The bit that marks the number of a constant. */
const CONSTANT = 2 ** 31;

const INSTRUCTION_WORDS = 4;

/** An operand: a vector, or elements that the host sends, which are overwritten. */
type Operand = GpuVector | Uint8Array;

/** Expressions over vectors, element by element. */
export class Programs {
  /** @param registerBytes all registers of a program together: a longer vector is computed in parts. */
  constructor(
    private readonly curve: CurveId,
    private readonly registerBytes: number,
  ) {}

  /**
   * The operation that computes an expression's values, as many as the target has. Operands that are shorter are
   * followed by zeros.
   */
  operation(
    expression: Expression,
    operands: readonly Operand[],
    target: GpuVector,
    signal: AbortSignal | undefined,
  ): Operation {
    const { bytes, instructions, registers } = encodeProgram(this.curve, expression, operands.length);
    const rows = Math.min(target.length, Math.max(1, Math.floor(this.registerBytes / (registers * SCALAR_BYTES))));
    const sent = operands.filter((operand): operand is Uint8Array => operand instanceof Uint8Array);
    return {
      reads: operands.filter((operand): operand is GpuVector => !(operand instanceof Uint8Array)),
      target,
      scratch: { program: bytes.length, registers: registers * rows * SCALAR_BYTES },
      signal,
      onFailure: () => wipeAndFree(...sent),
      *steps() {
        if (target.length === 0) return;
        yield { kind: 'upload', buffer: 'program', run: (write) => write(0, bytes) };
        for (let offset = 0; offset < target.length; offset += rows) {
          const count = Math.min(rows, target.length - offset);
          yield* operandSteps(operands, { offset, count, rows });
          yield* runProgram({ instructions, rows, offset, count }, target);
        }
      },
    };
  }
}

/** Brings elements of the operands to the first registers. */
function* operandSteps(
  operands: readonly Operand[],
  { offset, count, rows }: { readonly offset: number; readonly count: number; readonly rows: number },
): Generator<VectorStep, void> {
  const [from, end] = [offset * SCALAR_BYTES, (offset + count) * SCALAR_BYTES];
  for (const [i, operand] of operands.entries()) {
    const at = i * rows * SCALAR_BYTES;
    if (operand instanceof Uint8Array) {
      const run = async (write: Write): Promise<void> => {
        await write(at, operand.subarray(from, end));
        if (end >= operand.length) wipeAndFree(operand);
      };
      yield { kind: 'upload', buffer: 'registers', run };
      continue;
    }
    yield copyToRegisters(operand, { offset, count, at });
  }
}

/** Copies elements from number `offset` on to byte `at` of the registers; zeros follow a shorter vector's. */
export function copyToRegisters(
  vector: GpuVector,
  { offset, count, at }: { readonly offset: number; readonly count: number; readonly at: number },
): VectorStep {
  const end = Math.max(offset, Math.min(offset + count, vector.length));
  const parts = [...vector.expectElements().parts(offset, end)];
  return {
    kind: 'encode',
    run: (encoder, get) => {
      const registers = get('registers');
      for (const { buffer, first, from, count: copied } of parts) {
        const to = at + (first - offset) * SCALAR_BYTES;
        encoder.copyBufferToBuffer(buffer, from * SCALAR_BYTES, registers, to, copied * SCALAR_BYTES);
      }
      const zeros = (offset + count - end) * SCALAR_BYTES;
      if (zeros > 0) encoder.clearBuffer(registers, at + (end - offset) * SCALAR_BYTES, zeros);
    },
  };
}

/** Runs a program on the first `count` elements of the registers, which gives the target's from number `offset` on. */
export function* runProgram(
  run: { readonly instructions: number; readonly rows: number; readonly offset: number; readonly count: number },
  target: GpuVector,
): Generator<VectorStep, void> {
  const { instructions, rows, offset, count } = run;
  for (const { buffer, first, from, count: own } of target.expectElements().parts(offset, offset + count)) {
    const row = first - offset;
    const work = { instructions, rows, first: row, end: row + own, offset: from - row, result: buffer };
    for (const dispatch of programStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
  }
}

/** The kernel's program: instructions, then constants in Montgomery form. */
export function encodeProgram(
  curve: CurveId,
  expression: Expression,
  operands: number,
): { readonly bytes: Uint8Array; readonly instructions: number; readonly registers: number } {
  const { code, constants } = compile(expression, operands, CURVES[curve].fr.modulus);
  const values = Array.from({ length: constants.length / SCALAR_BYTES }, (_, i) =>
    bytesToBigint(constants, i * SCALAR_BYTES, SCALAR_BYTES),
  );
  const words = new Uint32Array(code.buffer.slice(code.byteOffset, code.byteOffset + code.length));
  let registers = operands;
  for (let at = 0; at < words.length; at += INSTRUCTION_WORDS) {
    for (let i = 1; i < INSTRUCTION_WORDS; i++) {
      const number = words[at + i]!;
      if (number < operands) continue;
      const isConstant = number < operands + values.length;
      words[at + i] = isConstant ? CONSTANT + number - operands : number - values.length;
      if (!isConstant) registers = Math.max(registers, number - values.length + 1);
    }
  }
  const r = kernelR(curve);
  const bytes = new Uint8Array(code.length + constants.length);
  bytes.set(new Uint8Array(words.buffer));
  bytes.set(
    elementBytes(
      curve,
      values.map((value) => value * r),
    ),
    code.length,
  );
  return { bytes, instructions: words.length / INSTRUCTION_WORDS, registers };
}
