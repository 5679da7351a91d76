import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../sdk/api.js';
import { bn254 } from '../../sdk/curves/index.js';
import { flattenInputs, signalHash } from '../../sdk/snarkjs/circuit-inputs.js';
import { edgeValues } from '../support/random.js';
import { failureOf } from '../support/section-bytes.js';

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

  it.each([
    ['a negative number', -1, 'x from 0 to r - 1, got -1'],
    ['a negative string', '-7', 'x from 0 to r - 1, got -7'],
    ['r', r, 'x from 0 to r - 1, got'],
    ['more than 256 bits', 1n << 300n, 'x from 0 to r - 1, got'],
    ['a fraction', 1.5, 'got 1.5'],
    ['a number beyond exactness', 2 ** 53, 'got 9007199254740992'],
    ['no number', Number.NaN, 'got NaN'],
    ['infinity', Number.POSITIVE_INFINITY, 'got Infinity'],
    ['an empty string', '', 'got ""'],
    ['spaces', ' 1', 'got " 1"'],
    ['a word', 'much', 'got "much"'],
    ['bare 0x', '0x', 'got "0x"'],
    ['an exponent', '1e3', 'got "1e3"'],
    ['a boolean', true, 'got boolean'],
    ['null', null, 'got null'],
    ['undefined', undefined, 'got undefined'],
    ['a symbol', Symbol('x'), 'got symbol'],
    ['a function', () => 1, 'got function'],
  ])('refuses %s', async (_, value, expected) => {
    for (const [name, input] of [
      ['x', value],
      ['x[1][0]', [0, [value]]],
      ['x.y', { y: value }],
    ] as const) {
      const { code, message } = await failureOf(() => flattenInputs({ x: input } as CircuitInputs, r));
      expect(code).toBe('INVALID_INPUT');
      expect(message).toContain(expected.replace(/^x /, `${name} `));
      expect(message.length).toBeLessThan(200);
    }
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

describe('signalHash', () => {
  // From the table of test vectors of the FNV reference code (Noll, lcn2/fnv), FNV-1a 64 bit.
  it.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
  ])('of "%s" is the published one', (name, expected) => {
    const { high, low } = signalHash(name);
    expect((BigInt(high) << 32n) | BigInt(low)).toBe(expected);
  });

  it('gives two words of 32 bits', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const { high, low } = signalHash(name);
        for (const word of [high, low]) expect(word).toBe(word >>> 0);
      }),
    );
  });
});
