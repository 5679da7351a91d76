import { beforeAll, describe, expect, it } from 'vitest';
import { generateWgslScalarField, type WgslScalarCurve } from '../../../../scripts/generate/wgsl/scalar-field.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { fromLimbs, toLimbs, wgslLimbBits, wgslLimbs } from '../../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../../sdk/curves/modular.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { edgeValues, Random } from '../../../support/random.js';
import { runScalarCases } from '../../../support/wgsl-cases.js';
import { sharedDevice } from '../test-device.js';

const WORDS = 8;

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await sharedDevice();
});

const curves = Object.values(CURVES).filter(({ transforms }) => transforms !== undefined);

describe.concurrent.each(curves)("the WGSL field of $id's scalars", (curve) => {
  const p = curve.fr.modulus;
  const n = wgslLimbs(curve.fr.bits);
  const limbBits = wgslLimbBits(curve.fr.bits);
  const inverseR = inverse(1n << BigInt(n * limbBits), p);

  it('multiplies, adds, subtracts and reduces what is below 2 p, from words and to words', async () => {
    const random = new Random(41);
    const edges = edgeValues(p);
    const few = [0n, 1n, p - 1n, p, p + 1n, 2n * p - 1n, ...edges.slice(0, 14), ...edges.slice(-6)];
    const below = [...few, ...edges.map((v) => v + p), ...Array.from({ length: 40 }, () => random.below(2n * p))];
    const pairs = few.flatMap((a) => few.map((b): [bigint, bigint] => [a, b]));
    for (let i = 0; i < 400; i++) pairs.push([below[i % below.length]!, below[(7 * i + 3) % below.length]!]);
    // One kernel for all: compiling takes most of the time.
    const body = `  var w: array<array<u32, WORDS>, 2>;
  for (var k = 0u; k < WORDS; k++) {
    w[0][k] = input[at + k];
    w[1][k] = input[at + WORDS + k];
  }
  let a = field_unpack(w[0]);
  let b = field_unpack(w[1]);
  var results = array<array<u32, WORDS>, 5>(
    field_pack(field_mul(a, b)),
    field_pack(field_add(a, b)),
    field_pack(field_sub(a, b)),
    field_pack(field_canonical(a)),
    field_pack(field_zero()),
  );
  for (var r = 0u; r < 5u; r++) {
    for (var k = 0u; k < WORDS; k++) {
      output[to + r * WORDS + k] = results[r][k];
    }
  }
  field_put(to + 5u * WORDS, a);`;
    const inputs = pairs.map(([a, b]) => [...toLimbs(a, WORDS, 32), ...toLimbs(b, WORDS, 32)]);
    const results = await runScalarCases(gpu, curve, body, inputs, 5 * WORDS + n);
    for (const [i, [a, b]] of pairs.entries()) {
      const row = results[i]!;
      const got = Array.from({ length: 5 }, (_, k) => fromLimbs(row.slice(k * WORDS, (k + 1) * WORDS), 32));
      const [product, sum, difference, canonical, zero] = got as [bigint, bigint, bigint, bigint, bigint];
      expect({ a, b, product: product % p }).toEqual({ a, b, product: mod(a * b * inverseR, p) });
      expect({ a, b, sum: sum % p }).toEqual({ a, b, sum: (a + b) % p });
      expect({ a, b, difference: difference % p }).toEqual({ a, b, difference: mod(a - b, p) });
      expect([product, sum, difference].every((value) => value < 2n * p)).toBe(true);
      expect({ a, canonical }).toEqual({ a, canonical: a % p });
      expect(zero).toBe(0n);
      expect(row.slice(5 * WORDS)).toEqual(toLimbs(a, n, limbBits));
    }
  });
});

describe('the generator of scalar fields', () => {
  const curveOf = (modulus: bigint): WgslScalarCurve => {
    const bits = modulus.toString(2).length;
    const fr = { name: `field_of_${bits}`, modulus, bits, twoAdicity: 1, nonResidue: 3n };
    return { id: 'bn254', fr, transforms: { inLanes: false } };
  };

  it('refuses fields for which its bounds do not hold', () => {
    expect(() => generateWgslScalarField(curveOf(2n ** 256n - 189n))).toThrow(
      'field_of_256: expected that 2 p is below 2^256',
    );
    // 190 + 3 bits are 15 limbs of 13, 50 words 134 limbs of 12.
    expect(() => generateWgslScalarField(curveOf(2n ** 190n - 1n))).toThrow('15 limbs are whole turns of 2');
    expect(() => generateWgslScalarField(curveOf(2n ** 1579n - 1n))).toThrow('a column of 134 * 2 products');
  });

  it('leaves out curves without transforms', () => {
    const { transforms: _, ...without } = curveOf(2n ** 254n - 1n);
    expect(generateWgslScalarField(without)).toEqual([]);
  });
});
