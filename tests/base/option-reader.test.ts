import { describe, expect, it } from 'vitest';
import { nearestName } from '../../sdk/base/nearest-name.js';
import { OptionReader } from '../../sdk/base/option-reader.js';
import { polluted } from '../support/polluted.js';

/** Reads the options of a call that has `threads` and `cacheDirectory`. */
function readAll(options: unknown, others: readonly string[] = []): void {
  const reader = new OptionReader(options, 'the options of a test');
  reader.read('threads');
  reader.read('cacheDirectory');
  reader.expectNoOthers(others);
}

describe('unknown options', () => {
  it.each([
    ['thread', 'did you mean threads?'],
    ['THREADS', 'did you mean threads?'],
    ['cache_directory', 'did you mean cacheDirectory?'],
    ['cacheDirectroy', 'did you mean cacheDirectory?'],
    ['batchSize', 'leave it out'],
    ['', 'leave it out'],
    ['x'.repeat(1000), 'leave it out'],
  ])('are refused, with the name that was probably meant: %s', (name, hint) => {
    const message = expect.stringContaining('cacheDirectory, threads, got ');
    const refusal = expect.objectContaining({ code: 'INVALID_ARGUMENT', message, hint });
    for (const value of [1, null, false]) expect(() => readAll({ threads: 1, [name]: value })).toThrow(refusal);
    expect(() => readAll(Object.freeze({ [name]: 1 }))).toThrow(refusal);
    expect(() => readAll(Object.assign(Object.create(null), { [name]: 1 }))).toThrow(refusal);
  });

  class Settings {
    threads = 2;
    owner = 'me';
  }
  it.each<[what: string, options: unknown]>([
    ['no options', undefined],
    ['empty ones', {}],
    ['one that is undefined', { thread: undefined }],
    ['an object of a class', new Settings()],
    ['inherited ones', Object.create({ thread: 1 })],
    ['a symbol', { [Symbol('thread')]: 1 }],
    ['one that is not enumerable', Object.defineProperty({}, 'thread', { value: 1 })],
    ['frozen ones', Object.freeze({ threads: 1 })],
    ['one that another call has', { verify: true }],
    ['a Proxy', new Proxy({ threads: 1 }, {})],
  ])('are none of these: %s', (_, options) => {
    expect(() => readAll(options, ['verify'])).not.toThrow();
  });

  it('do not run a getter', () => {
    const options = {
      get thread() {
        throw new Error('read');
      },
    };
    expect(() => readAll(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('own members', () => {
  it('alone count: what Object.prototype has is left out', async () => {
    const read = await polluted({ threads: 8, verify: false }, () => {
      const reader = new OptionReader({}, 'the options of a test');
      return [
        reader.read('threads'),
        reader.flag('verify', true),
        new OptionReader(undefined, '').flag('verify', true),
      ];
    });
    expect(read).toEqual([undefined, true, true]);
  });

  class Inherited {
    get sha256() {
      return 'a pin';
    }
  }
  it.each([
    ['a class', new Inherited()],
    ['another object', Object.create({ sha256: 'a pin' })],
  ])('are expected: one that %s hands down is refused, so that no pin is lost', (_, options) => {
    expect(() => new OptionReader(options, 'the options of a test').read('sha256')).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('inherited') }),
    );
  });

  it('are never null where a check is switched', () => {
    expect(() => new OptionReader({ verify: null }, 'the options of a test').flag('verify', true)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: 'expected verify as true or false, got null' }),
    );
  });
});

describe('a member', () => {
  const reader = (options: unknown): OptionReader => new OptionReader(options, 'the options of a test');
  const refusal = (message: string) => expect.objectContaining({ code: 'INVALID_ARGUMENT', message });

  it('is left out where it is undefined or null, but for a flag', () => {
    for (const value of [undefined, null]) {
      const { number, integer, word, listener } = OptionReader.prototype;
      const options = reader({ a: value });
      expect(number.call(options, 'a', 0, 1, 'bytes')).toBeUndefined();
      expect(integer.call(options, 'a', 0, 1)).toBeUndefined();
      expect(word.call(options, 'a', ['x'])).toBeUndefined();
      expect(listener.call(options, 'a')).toBeUndefined();
    }
    expect(reader({ a: undefined }).flag('a', false)).toBe(false);
    expect(reader({ a: false }).flag('a', true)).toBe(false);
  });

  it('is a number from the least to the most', () => {
    for (const a of [2, 2.5, 3]) expect(reader({ a }).number('a', 2, 3, 'bytes')).toBe(a);
    for (const [a, got] of [
      [1.9, '1.9'],
      [3.1, '3.1'],
      [Number.NaN, 'NaN'],
    ] as const) {
      const message = `expected a as a number of bytes from 2 to 3, got ${got}`;
      expect(() => reader({ a }).number('a', 2, 3, 'bytes')).toThrow(refusal(message));
    }
    expect(() => reader({ a: 2n }).number('a', 2, 3, 'bytes')).toThrow(/^expected a as a number/);
  });

  it('is an integer from the least to the most', () => {
    for (const a of [2, 3]) expect(reader({ a }).integer('a', 2, 3)).toBe(a);
    for (const a of [1, 4, 2.5, '2', 2n]) {
      expect(() => reader({ a }).integer('a', 2, 3)).toThrow(/^expected a as an integer from 2 to 3, got /);
    }
  });

  it('is one of some words', () => {
    expect(reader({ a: 'y' }).word('a', ['x', 'y'])).toBe('y');
    for (const a of ['z', 1]) expect(() => reader({ a }).word('a', ['x', 'y'])).toThrow(/^expected a as x or y, got /);
  });

  it('is a function that is told of events', () => {
    const told: number[] = [];
    reader({ a: (event: number) => told.push(event) })
      .listener<number>('a')
      ?.tell(5);
    expect(told).toEqual([5]);
    expect(() => reader({ a: {} }).listener('a')).toThrow(/^expected a as a function, got /);
  });

  it('that cannot be read is named, with the reason', () => {
    const cause = new Error('no');
    const thrower = {
      get a() {
        throw cause;
      },
    };
    expect(() => reader(thrower).read('a')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', cause }));
  });

  it('is none of the names of an object that cannot be read', () => {
    const ownKeys = () => {
      throw new Error('no');
    };
    expect(() => reader(new Proxy({}, { ownKeys })).names()).toThrow(
      refusal('expected the options of a test that can be read, got an exception'),
    );
    expect(reader({ a: 1, b: 2 }).names()).toEqual(['a', 'b']);
    const getPrototypeOf = ownKeys;
    expect(() => readAll(new Proxy({ thread: 1 }, { getPrototypeOf }))).not.toThrow();
  });

  it('is looked for in an object alone', () => {
    for (const options of [null, 5, 'text', () => {}]) {
      expect(() => reader(options)).toThrow(/^expected the options of a test as an object, got /);
    }
    expect(reader({ a: 'own' }).read('a')).toBe('own');
  });
});

describe('the nearest name', () => {
  it.each([
    ['bn25', ['bn254', 'bls12-381'], 'bn254'],
    ['BLS12_381', ['bn254', 'bls12-377', 'bls12-381'], 'bls12-381'],
    ['curve', [], undefined],
    ['verify', ['signal', 'onProgress'], undefined],
  ])('of %s', (name, names, expected) => {
    expect(nearestName(name, names)).toBe(expected);
  });
});
