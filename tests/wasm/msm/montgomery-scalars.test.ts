import { beforeAll, describe, expect, it } from 'vitest';
import { inverse } from '../../../sdk/curves/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../support/scalar-bytes.js';

const ORDER = 1024;
const SCALARS = 8192;

describe.each(ALL_CURVES)('scalars of $id in Montgomery form', ({ scalarBytes, fr: { modulus } }) => {
  let wasm: AssemblyExports;
  beforeAll(async () => {
    wasm = await assemble(
      `test-montgomery-${scalarBytes}`,
      `import { canonicalScalars } from './msm/montgomery-scalars';
      class Scalars { @inline get size(): i32 { return ${scalarBytes}; } }
      export function toCanonical(scalars: usize, count: i32, order: usize, inverse: u32): void {
        canonicalScalars<Scalars>(scalars, count, order, inverse);
      }`,
    );
  });

  it('become canonical', () => {
    const random = new Random(9);
    const values = [...edgeValues(modulus), ...Array.from({ length: 50 }, () => random.below(modulus))];
    const memory = new Uint8Array(wasm.memory.buffer);
    memory.set(scalarsToBytes([modulus], scalarBytes), ORDER);
    memory.set(scalarsToBytes([...values, 1n], scalarBytes), SCALARS);
    const word = 1n << 32n;
    wasm.toCanonical!(SCALARS, values.length, ORDER, Number(word - inverse(modulus, word)));
    const divisor = inverse(1n << BigInt(8 * scalarBytes), modulus);
    const expected = values.map((value) => (value * divisor) % modulus);
    // The scalar behind them stays as it is.
    const all = memory.slice(SCALARS, SCALARS + scalarBytes * (values.length + 1));
    expect(scalarsFromBytes(all, scalarBytes)).toEqual([...expected, 1n]);
  });
});
