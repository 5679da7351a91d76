/** A circuit's inputs as JSON has them: a bigint becomes its decimal digits, which count as the same value. */
export function jsonInputs(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(jsonInputs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonInputs(member)]));
}
