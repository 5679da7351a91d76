/** Whether a value that came from outside, such as parsed JSON, has members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The same for one that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/**
 * The members that a record has itself, on an object without a prototype; none for any other value. Parsed JSON and
 * what came from another thread inherit from `Object.prototype`: what other code has put there must not count as a
 * member that was left out.
 */
export function ownMembers<T extends object>(value: T): T;
export function ownMembers(value: unknown): Readonly<Record<string, unknown>>;
export function ownMembers(value: unknown): object {
  return { __proto__: null, ...(isRecord(value) ? value : undefined) };
}

/** The object with these keys, in this order, and the value that `make` gives for each. */
export function record<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Readonly<Record<Key, Value>> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
