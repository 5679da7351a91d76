import type { FieldParameters } from '../../../sdk/curves/index.js';

/** Throws unless a bound holds on which generated code relies; `bound` says it in words. */
export function requireBound(field: FieldParameters, bound: string, holds: boolean): void {
  if (!holds) throw new Error(`${field.name}: expected that ${bound}`);
}
