import { beforeAll, describe, expect, it } from 'vitest';
import { inverse } from '../../../sdk/field/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../support/scalar-bytes.js';

const ORDER = 1024;
const SCALARS = 8192;

describe.each(ALL_CURVES)('scalars of $id in Montgomery form', ({ fr: { modulus } }) => {
  let wasm: AssemblyExports;
  beforeAll(async () => {
    wasm = await assemble('test-montgomery', `export { canonicalScalars } from './msm/montgomery-scalars';`);
  });

  it('become canonical', () => {
    const random = new Random(9);
    const values = [...edgeValues(modulus), ...Array.from({ length: 50 }, () => random.below(modulus))];
    const memory = new Uint8Array(wasm.memory.buffer);
    memory.set(scalarsToBytes([modulus]), ORDER);
    memory.set(scalarsToBytes([...values, 1n]), SCALARS);
    const word = 1n << 32n;
    wasm.canonicalScalars!(SCALARS, values.length, ORDER, Number(word - inverse(modulus, word)));
    const divisor = inverse(1n << 256n, modulus);
    const expected = values.map((value) => (value * divisor) % modulus);
    // The scalar behind them stays as it is.
    expect(scalarsFromBytes(memory.slice(SCALARS, SCALARS + 32 * (values.length + 1)))).toEqual([...expected, 1n]);
  });
});
