import { describeType } from '../base/describe.js';
import { PippinError, type PippinErrorCode } from '../base/errors.js';

/** How deep arrays and objects may lie in each other: far more than any proof, key or circuit has. */
const MAX_DEPTH = 64;
/** The most values, nested ones included: more than any circuit has inputs. */
const MAX_VALUES = 2 ** 24;

/** How a value that cannot be copied is refused. */
export interface PlainForm {
  readonly code: PippinErrorCode;
  /** What the whole value is called in messages, such as "a proof". Its members are called by their own names. */
  readonly whole: string;
  /** What a single value must be, such as "a decimal string". */
  readonly single: string;
  /** Whether the values are secret, so that an error must not carry one that reading them gave. */
  readonly isSecret?: boolean;
}

/**
 * A copy of the caller's value that a message to a worker can carry: numbers, bigints, strings, booleans, null and
 * undefined, in arrays and objects. An object of any class, or a Proxy, becomes a plain object with the same members; a
 * hole of an array becomes undefined.
 *
 * The error of `form` names the place of anything else (a function, a symbol, a view of bytes), of a cycle, of a getter
 * that throws, and of nesting deeper than 64; it shows no value. It is also the error for more than 2^24 values.
 */
export function plainCopy(value: unknown, form: PlainForm): unknown {
  const above = new Set<object>();
  let values = 0;

  const refuse = (name: string, expected: string, got: string, cause?: unknown): PippinError =>
    new PippinError(
      form.code,
      `expected ${name || form.whole} ${expected}, got ${got}`,
      form.isSecret ? {} : { cause },
    );

  const copy = (value: unknown, name: string): unknown => {
    if (++values > MAX_VALUES) throw refuse('', `with at most ${MAX_VALUES} values`, 'more');
    if (typeof value === 'function' || typeof value === 'symbol' || ArrayBuffer.isView(value)) {
      throw refuse(name, `as ${form.single}`, `a ${describeType(value)}`);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (above.has(value)) throw refuse(name, 'without cycles', 'one');
    if (above.size === MAX_DEPTH) throw refuse('', `with a nesting of at most ${MAX_DEPTH}`, 'a deeper one');
    above.add(value);
    const copied = Array.isArray(value) ? copyArray(value, name) : copyObject(value, name);
    above.delete(value);
    return copied;
  };

  const copyArray = (array: readonly unknown[], name: string): unknown[] => {
    const { length } = array;
    if (length > MAX_VALUES) throw refuse(name, `with at most ${MAX_VALUES} values`, `${length}`);
    const copied: unknown[] = [];
    for (let i = 0; i < length; i++) copied.push(copy(array[i], `${name || form.whole}[${i}]`));
    return copied;
  };

  const copyObject = (object: object, name: string): object => {
    const members = Object.entries(object).map(
      ([key, member]) => [key, copy(member, name === '' ? key : `${name}.${key}`)] as const,
    );
    return Object.fromEntries(members);
  };

  try {
    return copy(value, '');
  } catch (error) {
    if (error instanceof PippinError) throw error;
    throw refuse('', 'that can be read', 'one with a member that throws', error);
  }
}
