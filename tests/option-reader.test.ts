import { describe, expect, it } from 'vitest';
import { nearestName } from '../sdk/nearest-name.js';
import { OptionReader } from '../sdk/option-reader.js';
import { polluted } from './support/polluted.js';

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
