import type { OptionReader } from '../../base/option-reader.js';

/** The SHA-256 that a file must have, in lower case, if it is given. Null is refused: a pin that got lost must not count as none. */
export function sha256Of(options: OptionReader): string | undefined {
  const value = options.read('sha256');
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) {
    throw options.wrong('sha256', '64 hexadecimal digits', value);
  }
  return value.toLowerCase();
}
