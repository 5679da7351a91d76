import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../support/scalar-bytes.js';

const ORDER = 1024;
const SIGNS = 2048;
const SCALARS = 8192;

describe.each(ALL_CURVES)('centring scalars of $id', ({ scalarBytes, fr: { modulus } }) => {
  let wasm: AssemblyExports;
  beforeAll(async () => {
    wasm = await assemble(
      `test-centre-${scalarBytes}`,
      `import { centreScalars } from './msm/centre';
      class Scalars { @inline get size(): i32 { return ${scalarBytes}; } }
      export function centre(scalars: usize, from: i32, to: i32, order: usize, signs: usize): i32 {
        return centreScalars<Scalars>(scalars, from, to, order, signs);
      }`,
    );
  });

  const centre = (values: readonly bigint[], from = 0) => {
    const memory = new Uint8Array(wasm.memory.buffer);
    memory.set(scalarsToBytes([modulus], scalarBytes), ORDER);
    memory.set(scalarsToBytes(values, scalarBytes), SCALARS);
    memory.fill(7, SIGNS, SIGNS + values.length);
    const bits = wasm.centre!(SCALARS, from, values.length, ORDER, SIGNS);
    const left = scalarsFromBytes(memory.slice(SCALARS, SCALARS + values.length * scalarBytes), scalarBytes);
    return { bits, left, signs: [...memory.slice(SIGNS, SIGNS + values.length)] };
  };

  const half = (modulus - 1n) / 2n;
  const random = new Random(5);
  const values = [
    ...edgeValues(modulus),
    ...[half - 1n, half, half + 1n, half + 2n, modulus - 1n, modulus - 5n],
    ...[1n << 64n, modulus - (1n << 64n), modulus - (1n << 192n), (1n << 128n) - 1n],
    ...Array.from({ length: 40 }, () => random.below(modulus)),
  ].filter((value) => value < modulus);

  it('takes the smaller of s and r - s, and tells which', () => {
    const { left, signs, bits } = centre(values);
    expect(left).toEqual(values.map((value) => (value > half ? modulus - value : value)));
    expect(signs).toEqual(values.map((value) => (value > half ? 1 : 0)));
    expect(bits).toBe(half.toString(2).length);
  });

  it('keeps k up to its sign, for any scalars', () => {
    const scalar = fc.bigInt({ min: 0n, max: modulus - 1n });
    fc.assert(
      fc.property(fc.array(scalar, { maxLength: 9 }), (some) => {
        const { left, signs, bits } = centre(some);
        expect(left.map((value, i) => (signs[i] === 1 ? modulus - value : value))).toEqual(some);
        expect(left.every((value) => value <= half)).toBe(true);
        const most = left.reduce((largest, value) => (value > largest ? value : largest), 0n);
        expect(bits).toBe(most === 0n ? 0 : most.toString(2).length);
      }),
      { numRuns: 50 },
    );
  });

  it('tells the bits of the largest', () => {
    for (const bits of [1, 2, 31, 32, 63, 64, 65, 127, 128, 129, 191, 192, 193]) {
      const largest = (1n << BigInt(bits)) - 1n;
      expect(centre([0n, largest, 1n]).bits).toBe(bits);
      expect(centre([modulus - largest, 0n]).bits).toBe(bits);
    }
    expect(centre([0n, 0n]).bits).toBe(0);
    expect(centre([]).bits).toBe(0);
  });

  it('leaves what comes before alone', () => {
    expect(centre([modulus - 1n, modulus - 2n], 1)).toEqual({ bits: 2, left: [modulus - 1n, 2n], signs: [7, 1] });
  });
});
