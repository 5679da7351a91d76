import type { BinarySource } from '../../api/index.js';

/** Numbers of objects that are compared by what they are, such as a Blob. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/**
 * A text that is the same for two loads of the same thing: one URL or path, or one object of bytes, with options of the
 * same values. A list, as of a key in chunks, counts by its elements, so that a list or an object of options may be
 * written anew for each call.
 */
export function fileIdentity(source: BinarySource | readonly BinarySource[], options: object = {}): string {
  const sources = (Array.isArray(source) ? source : [source]) as readonly BinarySource[];
  return JSON.stringify([sources.map(identityOf), optionsIdentity(options)]);
}

/** A text that is the same for options of the same values. */
export function optionsIdentity(options: object): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function identityOf(source: BinarySource): string | number {
  if (typeof source === 'string' || source instanceof URL) return String(source);
  const number = numbers.get(source) ?? ++lastNumber;
  numbers.set(source, number);
  return number;
}
