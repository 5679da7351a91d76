/** A word in memory, at an offset from the address that a parameter holds, or from 0. It is loaded where it is used. */
export interface Word {
  readonly parameter?: number;
  readonly offset: number;
}

/** A number in a function: a local by its index, a constant, or a word in memory. */
export type Operand = number | bigint | Word;

/** A number of 128 bits as two operands. */
export interface Wide {
  readonly low: Operand;
  readonly high: Operand;
}

/** Opcodes of i64. The last three belong to WebAssembly's proposal "Wide Arithmetic". */
const OPCODES = {
  lessUnsigned: [0x54],
  add: [0x7c],
  mul: [0x7e],
  and: [0x83],
  or: [0x84],
  shiftLeft: [0x86],
  shiftRight: [0x88],
  extend: [0xad],
  add128: [0xfc, 0x13],
  sub128: [0xfc, 0x14],
  mulWide: [0xfc, 0x16],
} as const;

type Operation = keyof typeof OPCODES;

/**
 * The body of a function of straight-line code on unsigned numbers of 64 bits. Its parameters are addresses (i32).
 * Every result gets a local of its own; compilers keep in registers what they can.
 */
export class Code {
  private readonly bytes: number[] = [];
  private locals = 0;

  constructor(private readonly parameters: number) {}

  /** A word in a local. */
  load(word: Word): Operand {
    this.push(word);
    return this.keep();
  }

  store(word: Word, value: Operand): void {
    this.pushAddress(word);
    this.push(value);
    this.bytes.push(0x37, 3, ...unsigned(word.offset));
  }

  add(a: Operand, b: Operand): Operand {
    return this.apply('add', a, b);
  }

  /** The lower half of a product. */
  mul(a: Operand, b: Operand): Operand {
    return this.apply('mul', a, b);
  }

  and(a: Operand, b: Operand): Operand {
    return this.apply('and', a, b);
  }

  or(a: Operand, b: Operand): Operand {
    return this.apply('or', a, b);
  }

  shiftLeft(a: Operand, bits: number): Operand {
    return this.apply('shiftLeft', a, BigInt(bits));
  }

  shiftRight(a: Operand, bits: number): Operand {
    return this.apply('shiftRight', a, BigInt(bits));
  }

  /** 1 if a < b, otherwise 0. */
  isLess(a: Operand, b: Operand): Operand {
    this.push(a, b);
    this.bytes.push(...OPCODES.lessUnsigned, ...OPCODES.extend);
    return this.keep();
  }

  mulWide(a: Operand, b: Operand): Wide {
    return this.applyWide('mulWide', a, b);
  }

  add128(a: Wide, b: Wide): Wide {
    return this.applyWide('add128', a.low, a.high, b.low, b.high);
  }

  sub128(a: Wide, b: Wide): Wide {
    return this.applyWide('sub128', a.low, a.high, b.low, b.high);
  }

  /** The function's body in a module: its size, its locals, its code. */
  finish(): number[] {
    const body = [1, ...unsigned(this.locals), 0x7e, ...this.bytes, 0x0b];
    return [...unsigned(body.length), ...body];
  }

  private apply(operation: Operation, ...operands: Operand[]): Operand {
    this.push(...operands);
    this.bytes.push(...OPCODES[operation]);
    return this.keep();
  }

  private applyWide(operation: Operation, ...operands: Operand[]): Wide {
    this.push(...operands);
    this.bytes.push(...OPCODES[operation]);
    const high = this.keep();
    return { low: this.keep(), high };
  }

  private push(...operands: Operand[]): void {
    for (const operand of operands) {
      if (typeof operand === 'number') this.bytes.push(0x20, ...unsigned(operand));
      else if (typeof operand === 'bigint') this.bytes.push(0x42, ...signed(operand));
      else {
        this.pushAddress(operand);
        this.bytes.push(0x29, 3, ...unsigned(operand.offset));
      }
    }
  }

  private pushAddress({ parameter }: Word): void {
    if (parameter === undefined) this.bytes.push(0x41, 0);
    else this.bytes.push(0x20, ...unsigned(parameter));
  }

  /** Takes the uppermost number off the stack into a new local. */
  private keep(): number {
    const index = this.parameters + this.locals;
    this.locals += 1;
    this.bytes.push(0x21, ...unsigned(index));
    return index;
  }
}

/** LEB128. */
export function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a number below 2^64, which i64.const takes as a signed one. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = BigInt.asIntN(64, value); ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest >= -64n && rest < 64n) return [...bytes, low];
    bytes.push(low | 128);
  }
}
