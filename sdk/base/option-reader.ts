import { describeType, describeValue } from './describe.js';
import { PippinError } from './errors.js';
import { Listener } from './listener.js';
import { nearestName } from './nearest-name.js';

/**
 * Reads the members of an object of options, which callers without types may fill with anything. A member is read once,
 * so that what was checked is what is used. `INVALID_ARGUMENT` names the member that is not what it must be.
 *
 * Only own members count. Members of `Object.prototype` are ignored, since any script of a page can put them there; a
 * member inherited from a class or another object is refused, since its caller means it.
 */
export class OptionReader {
  private readonly options: object;
  /** The names of the members that were asked for. */
  private readonly known = new Set<string>();

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
    this.known.add(name);
    try {
      const member = (this.options as Record<string, unknown>)[name];
      if (Object.hasOwn(this.options, name)) return member;
      if (Object.is(member, (Object.prototype as Record<string, unknown>)[name])) return undefined;
    } catch (cause) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${name} of ${this.what}, got an exception from reading it`, {
        cause,
      });
    }
    throw this.wrong(name, 'an own member', 'an inherited one');
  }

  /**
   * Throws for a member that nothing has asked for, which is probably misspelt. It is called when everything else has
   * been read. Members that are undefined count as left out, and an object of a class may have members of its own.
   *
   * @param others names that may be there although this call does not use them.
   */
  expectNoOthers(others: readonly string[] = []): void {
    const { what } = this;
    for (const name of this.names()) {
      if (this.known.has(name) || others.includes(name) || !this.isGiven(name)) continue;
      const names = [...this.known, ...others].sort();
      const near = nearestName(name, names);
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected ${what} with no other members than ${names.join(', ')}, got ${describeValue(name)}`,
        { hint: near === undefined ? 'leave it out' : `did you mean ${near}?` },
      );
    }
  }

  /** Whether a member is one that the caller has written. */
  private isGiven(name: string): boolean {
    try {
      const prototype: unknown = Object.getPrototypeOf(this.options);
      // Another realm's `Object.prototype` has no prototype either.
      const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
      const descriptor = Object.getOwnPropertyDescriptor(this.options, name);
      return isPlain && descriptor !== undefined && !('value' in descriptor && descriptor.value === undefined);
    } catch {
      // A Proxy that throws.
      return false;
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

  /** A boolean, `standard` if it is left out. Null is refused: many a flag switches a check on. */
  flag(name: string, standard: boolean): boolean {
    const given = this.read(name);
    const value = given === undefined ? standard : given;
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
  word<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.read(name) ?? undefined;
    if (value === undefined) return undefined;
    const word = words.find((each) => each === value);
    if (word === undefined) throw this.wrong(name, words.join(' or '), value);
    return word;
  }

  /** A function that gets events, or undefined if it is left out. */
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
