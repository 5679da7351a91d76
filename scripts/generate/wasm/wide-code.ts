/** A word of 64 bits in memory, at an offset from the address that a parameter holds. It is loaded where it is used. */
export interface Word {
  readonly parameter: string;
  readonly offset: number;
}

/** A number in a function: a local by its name, a constant, or a word in memory. */
export type Operand = string | bigint | Word;

/** A number of 128 bits as two operands. */
export interface Wide {
  readonly low: Operand;
  readonly high: Operand;
}

/** A number below 2^64 as one of 128 bits. */
export const widened = (low: Operand): Wide => ({ low, high: 0n });

/**
 * A straight-line function on u64 in WebAssembly's text format, with the instructions of the proposal "Wide Arithmetic".
 * Its parameters are addresses (i32). Every result has its own local; the engine allocates registers.
 */
export class WideCode {
  private readonly lines: string[] = [];
  private locals = 0;

  /** A word in a local. */
  load(word: Word): Operand {
    return this.keep(textOf(word));
  }

  store({ parameter, offset }: Word, value: Operand): void {
    this.lines.push(`(i64.store offset=${offset} (local.get $${parameter}) ${textOf(value)})`);
  }

  add(a: Operand, b: Operand): Operand {
    return this.apply('i64.add', a, b);
  }

  sub(a: Operand, b: Operand): Operand {
    return this.apply('i64.sub', a, b);
  }

  /** The lower half of a product. */
  mul(a: Operand, b: Operand): Operand {
    return this.apply('i64.mul', a, b);
  }

  and(a: Operand, b: Operand): Operand {
    return this.apply('i64.and', a, b);
  }

  or(a: Operand, b: Operand): Operand {
    return this.apply('i64.or', a, b);
  }

  shiftLeft(a: Operand, bits: number): Operand {
    return this.apply('i64.shl', a, BigInt(bits));
  }

  shiftRight(a: Operand, bits: number): Operand {
    return this.apply('i64.shr_u', a, BigInt(bits));
  }

  /** -1 for a number with a sign that is negative, otherwise 0. */
  signOf(a: Operand): Operand {
    return this.apply('i64.shr_s', a, 63n);
  }

  /** The first number where the condition is not 0, otherwise the second. */
  select(condition: Operand, a: Operand, b: Operand): Operand {
    return this.keep(`(select ${textOf(a)} ${textOf(b)} (i32.wrap_i64 ${textOf(condition)}))`);
  }

  mulWide(a: Operand, b: Operand): Wide {
    return this.applyWide('i64.mul_wide_u', a, b);
  }

  add128(a: Wide, b: Wide): Wide {
    return this.applyWide('i64.add128', a.low, a.high, b.low, b.high);
  }

  sub128(a: Wide, b: Wide): Wide {
    return this.applyWide('i64.sub128', a.low, a.high, b.low, b.high);
  }

  /** The function's text. */
  finish(name: string, parameters: readonly string[]): string {
    const locals = Array.from({ length: this.locals }, (_, i) => `(local $t${i} i64)`);
    return [
      `(func $${name} ${parameters.map((parameter) => `(param $${parameter} i32)`).join(' ')}`,
      ...[...locals, ...this.lines].map((line) => `  ${line}`),
      ')',
    ].join('\n');
  }

  private apply(instruction: string, a: Operand, b: Operand): Operand {
    return this.keep(`(${instruction} ${textOf(a)} ${textOf(b)})`);
  }

  private applyWide(instruction: string, ...operands: Operand[]): Wide {
    const [low, high] = [`t${this.locals++}`, `t${this.locals++}`];
    this.lines.push(`(${instruction} ${operands.map(textOf).join(' ')}) (local.set $${high}) (local.set $${low})`);
    return { low, high };
  }

  private keep(text: string): Operand {
    const name = `t${this.locals++}`;
    this.lines.push(`(local.set $${name} ${text})`);
    return name;
  }
}

/** The sum of numbers with as many limbs, modulo their R. */
export function addLimbs(code: WideCode, a: readonly Operand[], b: readonly Operand[]): Operand[] {
  let carry: Operand | undefined;
  return a.map((limb, i) => {
    if (i === a.length - 1) return code.add(code.add(limb, b[i]!), carry!);
    let sum: Wide = code.add128(widened(limb), widened(b[i]!));
    if (carry !== undefined) sum = code.add128(sum, widened(carry));
    carry = sum.high;
    return sum.low;
  });
}

/** The difference, likewise. A borrow is -1 or 0. */
export function subtractLimbs(code: WideCode, a: readonly Operand[], b: readonly Operand[]): Operand[] {
  let borrow: Operand | undefined;
  return a.map((limb, i) => {
    if (i === a.length - 1) return code.add(code.sub(limb, b[i]!), borrow!);
    let result: Wide = code.sub128(widened(limb), widened(b[i]!));
    if (borrow !== undefined) result = code.add128(result, { low: borrow, high: borrow });
    borrow = result.high;
    return result.low;
  });
}

function textOf(operand: Operand): string {
  if (typeof operand === 'string') return `(local.get $${operand})`;
  if (typeof operand === 'bigint') return `(i64.const ${operand})`;
  return `(i64.load offset=${operand.offset} (local.get $${operand.parameter}))`;
}
