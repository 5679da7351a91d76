/** The most characters of a text that a message quotes. */
const QUOTED = 40;

/**
 * The type of a value, for messages: "null", "string", or the name of an object's class. It never shows the value, and
 * never throws.
 */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  try {
    const name: unknown = value.constructor?.name;
    return typeof name === 'string' && name !== '' ? shortened(name) : 'an object';
  } catch {
    // A getter or a Proxy that throws.
    return 'an object';
  }
}

/**
 * A short text for a value that is not secret, for messages: numbers and texts themselves, and the type of anything
 * else. Never throws.
 */
export function describeValue(value: unknown): string {
  if (typeof value !== 'object' && typeof value !== 'function') return shortened(String(value));
  try {
    return Array.isArray(value) ? `an array of ${value.length}` : describeType(value);
  } catch {
    return 'an object';
  }
}

function shortened(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}...` : text;
}

/** The message of an error; the text of anything else that was thrown. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'an object without a text';
  }
}
