import { describeType, describeValue } from './describe.js';
import { PippinError } from './errors.js';
import { Listener } from './listener.js';

/**
 * Reads the members of an object of options, which callers without types may fill with anything. A member is read once, so that what was
 * checked is what is used. `INVALID_ARGUMENT` names the member that is not what it must be.
 */
export class OptionReader {
  private readonly options: object;

  /**
   * @param options what the caller gave; undefined counts as no options.
   * @param what the object's name in messages, such as "the options of msm".
   */
  constructor(
    options: unknown,
    private readonly what: string,
  ) {
    if (options !== undefined && (typeof options !== 'object' || options === null)) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${what} as an object, got ${describeType(options)}`);
    }
    this.options = options ?? {};
  }

  /** A member as it is. */
  read(name: string): unknown {
    try {
      return (this.options as Record<string, unknown>)[name];
    } catch (cause) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${name} of ${this.what}, got an exception from reading it`, {
        cause,
      });
    }
  }

  /** The names of all members. */
  names(): string[] {
    try {
      return Object.keys(this.options);
    } catch (cause) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${this.what} that can be read, got an exception`, { cause });
    }
  }

  /** A boolean, `standard` if it is left out. */
  flag(name: string, standard: boolean): boolean {
    const value = this.read(name) ?? standard;
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false', value);
    return value;
  }

  /** A number from `least` to `most`, or undefined if it is left out. */
  number(name: string, least: number, most: number, unit: string): number | undefined {
    const value = this.read(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value >= least && value <= most)) {
      throw this.wrong(name, `a number of ${unit} from ${least} to ${most}`, value);
    }
    return value;
  }

  /** An integer from `least` to `most`, or undefined if it is left out. */
  integer(name: string, least: number, most: number): number | undefined {
    const value = this.read(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw this.wrong(name, `an integer from ${least} to ${most}`, value);
    }
    return value;
  }

  /** One of some words, or undefined if it is left out. */
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.read(name) ?? undefined;
    if (value === undefined) return undefined;
    const found = words.find((word) => word === value);
    if (found === undefined) throw this.wrong(name, words.join(' or '), value);
    return found;
  }

  /** A function that is told of events, or undefined if it is left out. */
  listener<T>(name: string): Listener<T> | undefined {
    const value = this.read(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'function') throw this.wrong(name, 'a function', value);
    return new Listener<T>(name, value as (event: T) => unknown);
  }

  /** The error for a member that is not what it must be. */
  wrong(name: string, expected: string, got: unknown): PippinError {
    return new PippinError('INVALID_ARGUMENT', `expected ${name} as ${expected}, got ${describeValue(got)}`);
  }
}
