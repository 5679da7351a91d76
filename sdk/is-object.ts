/** Whether a value that came from outside, such as parsed JSON, has members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The same for one that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/**
 * Whether an object has a member itself or from a prototype other than the last one, which is the `Object.prototype` of some realm: any script may
 * have put something there.
 */
export function hasMember(object: object, name: string): boolean {
  for (let each = object; ; ) {
    const prototype: object | null = Object.getPrototypeOf(each);
    if (Object.hasOwn(each, name)) return each === object || prototype !== null;
    if (prototype === null) return false;
    each = prototype;
  }
}

/**
 * The members that a record has itself, on an object without a prototype; none for any other value. Parsed JSON and what came from another thread
 * inherit from `Object.prototype`: what other code has put there must not count as a member that was left out.
 */
export function ownMembers<T extends object>(value: T): T;
export function ownMembers(value: unknown): Readonly<Record<string, unknown>>;
export function ownMembers(value: unknown): object {
  return { __proto__: null, ...(isRecord(value) ? value : undefined) };
}
