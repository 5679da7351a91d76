import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../../sdk/api/index.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { flattenInputs, plainInputs } from '../../../sdk/files/witness/circuit-inputs.js';
import { edgeValues } from '../../support/random.js';
import { failureOf } from '../../support/section-bytes.js';

const r = bn254.fr.modulus;
const flat = (inputs: CircuitInputs): Record<string, readonly bigint[]> =>
  Object.fromEntries(flattenInputs(inputs, r).map(({ name, values }) => [name, values]));

describe('flattenInputs', () => {
  it('reads every form of an integer', () => {
    for (const value of edgeValues(r)) {
      expect(flat({ x: value, y: String(value), z: `0x${value.toString(16)}` })).toEqual({
        x: [value],
        y: [value],
        z: [value],
      });
    }
    expect(flat({ x: 0, y: Number.MAX_SAFE_INTEGER, z: '0xAbC', w: '007' })).toEqual({
      x: [0n],
      y: [BigInt(Number.MAX_SAFE_INTEGER)],
      z: [0xabcn],
      w: [7n],
    });
  });

  it('flattens arrays of any nesting in order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.array(fc.nat()), { maxLength: 4 }), { maxLength: 4 }), (nested) => {
        expect(flat({ x: nested })).toEqual({ x: nested.flat(2).map(BigInt) });
      }),
    );
  });

  it('names the fields of buses', () => {
    expect(flat({ p: { x: 1, y: [2, 3] }, q: [{ x: 4 }, { x: 5 }], r: [[{ s: { t: 6 } }]], n: [] })).toEqual({
      'p.x': [1n],
      'p.y': [2n, 3n],
      'q[0].x': [4n],
      'q[1].x': [5n],
      'r[0][0].s.t': [6n],
      n: [],
    });
  });

  it('takes what snarkjs takes, modulo r', () => {
    for (const [value, expected] of [
      [-1, r - 1n],
      ['-7', r - 7n],
      [-(1n << 300n), (-(1n << 300n) % r) + r],
      [r, 0n],
      [String(r + 5n), 5n],
      [1n << 300n, (1n << 300n) % r],
      [true, 1n],
      [false, 0n],
      ['', 0n],
      [' \n', 0n],
      [' 3 ', 3n],
      ['+3', 3n],
      ['0X1f', 31n],
      ['0b11', 3n],
      ['0o17', 15n],
      [2 ** 53, 2n ** 53n],
      [1e21, 10n ** 21n],
      [-0, 0n],
    ] as const) {
      expect(flat({ x: value, y: [[value], value] })).toEqual({ x: [expected], y: [expected, expected] });
    }
  });

  const NEVER_TAKEN = [
    ['a fraction', 1.5, 'got a number that is no integer'],
    ['no number', Number.NaN, 'got a number that is no integer'],
    ['infinity', Number.POSITIVE_INFINITY, 'got a number that is no integer'],
    ['a word', 'much', 'got a string of 4 characters'],
    ['bare 0x', '0x', 'got a string of 2 characters'],
    ['negative hexadecimal', '-0x3', 'got a string of 4 characters'],
    ['an exponent', '1e3', 'got a string of 3 characters'],
    ['a separator', '1_000', 'got a string of 5 characters'],
    ['a suffix', '3n', 'got a string of 2 characters'],
    ['null', null, 'got null'],
    ['undefined', undefined, 'got undefined'],
    ['a symbol', Symbol('x'), 'got a symbol'],
    ['a function', () => 1, 'got a function'],
  ] as const;
  const NOT_TAKEN_STRICTLY = [
    ['a negative number', -1, 'got a number out of this range'],
    ['a negative string', '-7', 'got a string of 2 characters out of this range'],
    ['r', r, 'got a bigint out of this range'],
    ['more than 256 bits', 1n << 300n, 'got a bigint out of this range'],
    ['a number beyond exactness', 2 ** 53, 'got a number'],
    ['an empty string', '', 'got a string of 0 characters'],
    ['spaces', ' 1', 'got a string of 2 characters'],
    ['a sign', '+1', 'got a string of 2 characters'],
    ['binary digits', '0b1', 'got a string of 3 characters'],
    ['a capital X', '0X1', 'got a string of 3 characters'],
    ['a boolean', true, 'got a boolean'],
  ] as const;

  it.each([
    ...NEVER_TAKEN.map((row) => [...row, false] as const),
    ...NEVER_TAKEN.map((row) => [...row, true] as const),
    ...NOT_TAKEN_STRICTLY.map((row) => [...row, true] as const),
  ])('refuses %s by its name: %o, %s, strict: %s', async (_, value, expected, strict) => {
    for (const [name, input] of [
      ['x', value],
      ['x[1][0]', [0, [value]]],
      ['x.y', { y: value }],
    ] as const) {
      const { code, message } = await failureOf(() => flattenInputs({ x: input } as CircuitInputs, r, strict));
      expect(code).toBe('INVALID_INPUT');
      expect(message).toContain(`expected ${name} `);
      expect(message).toContain(expected);
    }
  });

  it('takes strictly what lies from 0 to r - 1', () => {
    const inputs = { x: [0, 0n, '0', '0x0', r - 1n, String(r - 1n), Number.MAX_SAFE_INTEGER, '0xAbC', '007'] };
    expect(flattenInputs(inputs, r, true)).toEqual(flattenInputs(inputs, r));
  });

  it('wants an object', async () => {
    for (const inputs of [undefined, null, 7, 'x', [1]]) {
      expect((await failureOf(() => flattenInputs(inputs as never, r))).code).toBe('INVALID_INPUT');
    }
  });

  it('refuses a bus that is given twice', async () => {
    for (const inputs of [
      { p: [1, 2], 'p.x': 1 },
      { p: { x: 1 }, 'p.x': 1 },
      { q: [1], 'q[0].x': 1 },
    ]) {
      const { code, message } = await failureOf(() => flattenInputs(inputs, r));
      expect(code).toBe('INVALID_INPUT');
      expect(message).toContain('once');
    }
    expect(Object.keys(flat({ p: 1, px: 2, 'q.x': 3, 'q.xy': 4 }))).toHaveLength(4);
  });
});

describe('plainInputs', () => {
  it('takes whatever can be copied to a worker', () => {
    const shared = [1, 2];
    plainInputs({
      a: 1,
      b: [shared, shared],
      c: { x: shared, y: null },
      d: undefined,
    } as unknown as CircuitInputs);
    plainInputs({});
  });

  it('names what cannot', async () => {
    const cycle: unknown[] = [1];
    cycle.push({ y: cycle });
    for (const [inputs, expected] of [
      [{ x: [0, () => 1] }, 'expected x[1] as an integer'],
      [{ x: { y: Symbol('x') } }, 'expected x.y as an integer'],
      [{ x: cycle }, 'expected x[1].y without cycles'],
      ['x', 'expected inputs as an object'],
      [null, 'expected inputs as an object'],
    ] as const) {
      const { code, message } = await failureOf(() => plainInputs(inputs as unknown as CircuitInputs));
      expect(code).toBe('INVALID_INPUT');
      expect(message).toContain(expected);
    }
  });
});
