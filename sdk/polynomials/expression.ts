import { newBytes, writeBigint } from '../base/bytes.js';
import { SCALAR_BYTES } from '../curves/index.js';
import { mod } from '../curves/modular.js';

/** The operations of a program, as wasm/ntt/elements.ts numbers them. */
const OPERATIONS = { add: 0, subtract: 1, multiply: 2 } as const;

type Operation = keyof typeof OPERATIONS;

/**
 * An arithmetic expression over vectors: its value for index i follows from the operands' elements i. Subexpressions
 * that occur more than once are computed once.
 */
export class Expression {
  private constructor(
    readonly kind: 'operand' | 'constant' | Operation,
    /** The operand's number, or the constant. */
    readonly value: bigint,
    readonly of: readonly Expression[] = [],
  ) {}

  /** The expressions that stand for `count` operands. */
  static operands(count: number): Expression[] {
    return Array.from({ length: count }, (_, i) => new Expression('operand', BigInt(i)));
  }

  /** An integer, which is taken modulo r. */
  static constant(value: bigint): Expression {
    return new Expression('constant', value);
  }

  plus(other: Expression | bigint): Expression {
    return new Expression('add', 0n, [this, asExpression(other)]);
  }

  minus(other: Expression | bigint): Expression {
    return new Expression('subtract', 0n, [this, asExpression(other)]);
  }

  times(other: Expression | bigint): Expression {
    return new Expression('multiply', 0n, [this, asExpression(other)]);
  }
}

function asExpression(value: Expression | bigint): Expression {
  return value instanceof Expression ? value : Expression.constant(value);
}

/**
 * A straight-line program over registers: the operands come first, then the constants, then results. The result of the
 * last instruction is the program's.
 */
export interface Program {
  /** Instructions of four u32: operation (0 adds, 1 subtracts, 2 multiplies), target, first and second operand. */
  readonly code: Uint8Array;
  /** Canonical elements of `SCALAR_BYTES`. */
  readonly constants: Uint8Array;
}

/** The program of an expression over `operands` vectors. */
export function compile(expression: Expression, operands: number, modulus: bigint): Program {
  const order = inOrder(expression);
  const constants = order.filter(({ kind }) => kind === 'constant');
  const registers = new Map<Expression, number>(constants.map((constant, i) => [constant, operands + i]));
  const uses = new Map<Expression, number>();
  for (const { of } of order) for (const used of of) uses.set(used, (uses.get(used) ?? 0) + 1);
  const free: number[] = [];
  let next = operands + constants.length;
  const registerOf = (used: Expression): number =>
    used.kind === 'operand' ? Number(used.value) : registers.get(used)!;
  const code: number[] = [];
  for (const node of order) {
    if (node.kind === 'operand' || node.kind === 'constant') continue;
    const read = node.of.map(registerOf);
    for (const used of node.of) {
      const left = uses.get(used)! - 1;
      uses.set(used, left);
      // An instruction reads its operands before it writes: its target may be one of them.
      if (left === 0 && used.kind in OPERATIONS) free.push(registerOf(used));
    }
    const target = free.pop() ?? next++;
    registers.set(node, target);
    code.push(OPERATIONS[node.kind], target, ...read);
  }
  // An operand or a constant alone is not computed: 0 is added to it.
  if (code.length === 0) return compile(expression.plus(0n), operands, modulus);
  const bytes = newBytes(constants.length * SCALAR_BYTES);
  for (const [i, { value }] of constants.entries())
    writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, mod(value, modulus));
  return { code: new Uint8Array(new Uint32Array(code).buffer), constants: bytes };
}

/** All subexpressions, each once and after the ones that it is made of. */
function inOrder(expression: Expression): Expression[] {
  const found = new Set<Expression>();
  const visit = (node: Expression): void => {
    if (found.has(node)) return;
    for (const part of node.of) visit(part);
    found.add(node);
  };
  visit(expression);
  return [...found];
}
