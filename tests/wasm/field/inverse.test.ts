import { beforeAll, describe, expect, it } from 'vitest';
import { fieldFacts } from '../../../scripts/generate/wasm/field-facts.js';
import { fromLimbs, toLimbs, WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { expectSame } from '../../support/same.js';

const text = `
export { invertModulo } from './field/inverse';
export function heapBase(): usize { return __heap_base; }
`;

describe.each(ALL_CURVES.flatMap(({ fq, fr }) => [fq, fr]))('inverses modulo $name', (field) => {
  const { p, limbs, negativeInverse, modulusLimbs } = fieldFacts(field);
  let invert: (value: bigint) => bigint;

  beforeAll(async () => {
    const wasm: AssemblyExports = await assemble('inverse-under-test', text);
    const heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    const words = (at: number): Uint32Array => new Uint32Array(wasm.memory.buffer, heap + at, limbs);
    words(0).set(modulusLimbs);
    // The factor is an i64.
    const call = wasm.invertModulo as unknown as (r: number, a: number, p: number, n: number, f: bigint) => void;
    invert = (value) => {
      words(128).set(toLimbs(value, limbs, WASM_LIMB_BITS));
      call(heap + 256, heap + 128, heap, limbs, BigInt(negativeInverse));
      return fromLimbs(words(256), WASM_LIMB_BITS);
    };
  });

  function check(value: bigint): void {
    const found = invert(value);
    expectSame(found < p, true);
    expectSame((found * value) % p, value % p === 0n ? 0n : 1n);
  }

  it('agrees at the edges, for values up to 2p', () => {
    for (const value of edgeValues(p)) {
      check(value);
      check(value + p);
    }
    for (let k = 1; k < field.bits - 1; k++) {
      check((1n << BigInt(k)) - 1n);
      check(p - (1n << BigInt(k)));
      // Quotients by small numbers and powers of two: long runs of equal steps.
      check(p / ((1n << BigInt(k)) + 1n));
      check((p >> BigInt(k)) + 1n);
    }
    expect(invert(0n)).toBe(0n);
    expect(invert(p)).toBe(0n);
  });

  it('agrees on numbers whose quotients with p are all 1 or all large', () => {
    // Neighbours of p divided by the golden ratio, for which subtractions are most.
    const golden = (p * 618033988749894848204586834365638117720n) / 10n ** 39n;
    for (let d = -200n; d <= 200n; d++) check(golden + d);
    for (let d = 3n; d <= 400n; d++) check(p / d);
  });

  it('agrees on random numbers of all lengths', () => {
    const random = new Random(field.bits);
    for (let i = 0; i < (EVERY_COMBINATION ? 20_000 : 4000); i++) check(random.below(2n * p));
    for (let i = 0; i < (EVERY_COMBINATION ? 5000 : 2000); i++)
      check(random.below(1n << BigInt(1 + (i % (field.bits - 1)))));
  });
});
