import { mod } from '../../sdk/curves/modular.js';
import type { Expression } from '../../sdk/polynomials/expression.js';

/** The value of an expression for one element of each operand: the reference of its compiled program. */
export function elementValue(expression: Expression, elements: readonly bigint[], modulus: bigint): bigint {
  const values = new Map<Expression, bigint>();
  const evaluate = (node: Expression): bigint => {
    const known = values.get(node);
    if (known !== undefined) return known;
    const [a, b] = node.of.map(evaluate);
    const results = {
      operand: () => elements[Number(node.value)]!,
      constant: () => node.value,
      add: () => a! + b!,
      subtract: () => a! - b!,
      multiply: () => a! * b!,
    };
    const value = mod(results[node.kind](), modulus);
    values.set(node, value);
    return value;
  };
  return evaluate(expression);
}
