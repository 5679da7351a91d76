import { CURVES, type FieldParameters } from '../../sdk/curves/index.js';

/** A field's name in generated code and errors, `bn254_fq`; by its size if no curve of the registry has it. */
export function fieldName(field: FieldParameters): string {
  for (const { id, fq, fr } of Object.values(CURVES)) {
    if (field === fq || field === fr) return `${id.replaceAll('-', '_')}_${field === fq ? 'fq' : 'fr'}`;
  }
  return `field_of_${field.bits}`;
}

/**
 * Throws unless value < limit. The error names the field or curve, and the bound, on which the generated code of a
 * kernel relies.
 */
export function expectBound(field: string, what: string, value: bigint, limit: bigint): void {
  if (value < limit) return;
  throw new Error(`${field}: expected ${what} below ${approximate(limit)}, got up to ${approximate(value)}`);
}

/** Throws unless a bound holds on which generated code relies; `bound` says it in words. */
export function requireBound(field: FieldParameters, bound: string, holds: boolean): void {
  if (!holds) throw new Error(`${fieldName(field)}: expected that ${bound}`);
}

/** The number of bits of a number that is 0 or positive. */
export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** A number as a power of two, to two digits. */
function approximate(value: bigint): string {
  const bits = bitLength(value);
  const shift = BigInt(Math.max(0, bits - 53));
  const exponent = Math.log2(Number(value >> shift)) + Number(shift);
  return `2^${Math.round(exponent * 100) / 100}`;
}
