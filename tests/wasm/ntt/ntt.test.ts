import fc from 'fast-check';
import { buildBls12381, buildBn128 } from 'ffjavascript';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WasmModuleName } from '../../../sdk/api/index.js';
import type { ScalarFieldParameters } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/curves/modular.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { formsOfCurve } from '../../support/combinations.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import * as reference from '../../support/ntt-reference.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_WITH_TRANSFORMS } from '../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../support/scalar-bytes.js';
import { loadKernel } from '../../support/wasm.js';

const CONTENDERS = CURVES_WITH_TRANSFORMS.flatMap(({ id, fr }) => formsOfCurve(id).map((name) => ({ id, fr, name })));

const kernels = {} as Record<WasmModuleName, Kernel>;
beforeAll(async () => {
  for (const { id, name } of CONTENDERS) kernels[name] = await loadKernel(id, name);
});

/** Sizes with stages of every kind: none, one, several, and both sides of a kernel's block. */
const SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const LARGE = 14;

/** `count` values of the field, the edges among them first, in an order that differs from size to size. */
function edgesThenRandom(fr: ScalarFieldParameters, count: number): bigint[] {
  const random = new Random(count);
  const edges = edgeValues(fr.modulus);
  const start = random.integer(edges.length);
  return Array.from({ length: count }, (_, i) =>
    i < edges.length ? edges[(start + i) % edges.length]! : random.below(fr.modulus),
  );
}

/** Vectors on which sums reach their bounds, and such as single out an input or a coefficient. */
function vectors(fr: ScalarFieldParameters, count: number): Record<string, bigint[]> {
  const make = (value: (i: number) => bigint): bigint[] => Array.from({ length: count }, (_, i) => value(i));
  return {
    edges: edgesThenRandom(fr, count),
    'all zero': make(() => 0n),
    'all one': make(() => 1n),
    'all r - 1': make(() => fr.modulus - 1n),
    'r - 1 and 1 in turn': make((i) => (i % 2 === 0 ? fr.modulus - 1n : 1n)),
    'first alone': make((i) => (i === 0 ? fr.modulus - 1n : 0n)),
    'last alone': make((i) => (i === count - 1 ? fr.modulus - 1n : 0n)),
  };
}

describe.each(CONTENDERS)('transforms of $name', ({ name: module, fr }) => {
  const forward = async (values: readonly bigint[]): Promise<bigint[]> =>
    scalarsFromBytes(await kernels[module].transform({ values: scalarsToBytes(values), direction: 'forward' }));
  const inverse = async (values: readonly bigint[]): Promise<bigint[]> =>
    scalarsFromBytes(await kernels[module].transform({ values: scalarsToBytes(values), direction: 'inverse' }));
  const toCoset = async (values: readonly bigint[]): Promise<bigint[]> =>
    scalarsFromBytes(await kernels[module].shiftToCoset({ values: scalarsToBytes(values) }));

  it('agrees with a reference that agrees with the definition', () => {
    for (const k of [0, 1, 2, 3, 5]) {
      const values = edgesThenRandom(fr, 2 ** k);
      const root = reference.rootOfUnity(fr, k);
      const expected = reference.transformByDefinition(values, root, fr.modulus);
      expect(reference.transform(values, root, fr.modulus)).toEqual(expected);
      expect(reference.inverseTransform(expected, root, fr.modulus)).toEqual(values);
      const shift = reference.rootOfUnity(fr, k + 1);
      expect(mod(shift * shift, fr.modulus)).toBe(root);
    }
  });

  it.each(SIZES)('transforms 2^%i values', async (k) => {
    const root = reference.rootOfUnity(fr, k);
    for (const [name, values] of Object.entries(vectors(fr, 2 ** k))) {
      expect(await forward(values), `forward, ${name}`).toEqual(reference.transform(values, root, fr.modulus));
      expect(await inverse(values), `inverse, ${name}`).toEqual(reference.inverseTransform(values, root, fr.modulus));
      expect(await toCoset(values), `to the coset, ${name}`).toEqual(reference.shiftToCoset(fr, values));
    }
  });

  // BigInt takes a second for them: the first module has each size.
  it.each(EVERY_COMBINATION || module === CONTENDERS[0]!.name ? [11, 12, 13, LARGE] : [13])(
    'transforms 2^%i values',
    async (k) => {
      const values = edgesThenRandom(fr, 2 ** k);
      const expected = reference.transform(values, reference.rootOfUnity(fr, k), fr.modulus);
      expect(await forward(values)).toEqual(expected);
      expect(await inverse(expected)).toEqual(values);
      expect(await toCoset(values)).toEqual(reference.shiftToCoset(fr, values));
    },
  );

  it('serves sizes in any order', async () => {
    for (const k of [3, 9, 0, 4, 10, 1]) {
      const values = edgesThenRandom(fr, 2 ** k);
      const root = reference.rootOfUnity(fr, k);
      expect(await forward(values)).toEqual(reference.transform(values, root, fr.modulus));
      expect(await toCoset(values)).toEqual(reference.shiftToCoset(fr, values));
    }
  });

  it('is linear, and undone by its inverse', async () => {
    const element = fc.bigInt(0n, fr.modulus - 1n);
    const pair = fc.integer({ min: 0, max: 6 }).chain((k) => {
      const vector = fc.array(element, { minLength: 2 ** k, maxLength: 2 ** k });
      return fc.tuple(vector, vector, element);
    });
    await fc.assert(
      fc.asyncProperty(pair, async ([a, b, factor]) => {
        const combined = a.map((value, i) => mod(value + factor * b[i]!, fr.modulus));
        for (const map of [forward, inverse, toCoset]) {
          const [x, y] = [await map(a), await map(b)];
          expect(await map(combined)).toEqual(x.map((value, i) => mod(value + factor * y[i]!, fr.modulus)));
        }
        expect(await inverse(await forward(a))).toEqual(a);
      }),
      { numRuns: 50 },
    );
  });

  it('turns the product of values into the product of polynomials', async () => {
    const random = new Random(77);
    const [a, b] = [0, 1].map(() => Array.from({ length: 32 }, () => random.below(fr.modulus)));
    const product = new Array<bigint>(64).fill(0n);
    for (const [i, x] of a!.entries())
      for (const [j, y] of b!.entries()) product[i + j] = mod(product[i + j]! + x * y, fr.modulus);
    const padded = [a!, b!].map((values) => [...values, ...new Array<bigint>(32).fill(0n)]);
    const [x, y] = [await forward(padded[0]!), await forward(padded[1]!)];
    const values = await kernels[module].multiplyElements({ a: scalarsToBytes(x!), b: scalarsToBytes(y!) });
    expect(await inverse(scalarsFromBytes(values))).toEqual(product);
  });

  it('multiplies and subtracts element by element', async () => {
    const edges = edgeValues(fr.modulus);
    const a = edges.flatMap((x) => edges.map(() => x));
    const b = edges.flatMap(() => edges);
    const c = a.map((_, i) => edges[(i * 7 + 3) % edges.length]!);
    const [x, y, z] = [a, b, c].map((values) => scalarsToBytes(values));
    expect(scalarsFromBytes(await kernels[module].multiplyElements({ a: x!, b: y! }))).toEqual(
      a.map((v, i) => mod(v * b[i]!, fr.modulus)),
    );
    expect(scalarsFromBytes(await kernels[module].multiplySubtract({ a: x!, b: y!, c: z! }))).toEqual(
      a.map((v, i) => mod(v * b[i]! - c[i]!, fr.modulus)),
    );
    const none = new Uint8Array(0);
    expect(await kernels[module].multiplyElements({ a: none, b: none })).toEqual(none);
  });

  it('leaves its input as it was and gives an array with a buffer of its own', async () => {
    const values = scalarsToBytes(edgesThenRandom(fr, 16));
    const copy = values.slice();
    const results = [
      await kernels[module].transform({ values, direction: 'forward' }),
      await kernels[module].shiftToCoset({ values }),
      await kernels[module].multiplyElements({ a: values, b: values }),
      await kernels[module].multiplySubtract({ a: values, b: values, c: values }),
    ];
    expect(values).toEqual(copy);
    for (const result of results) expect(result.buffer.byteLength).toBe(result.length);
  });

  it.each([0, 31, 33, 3 * 32, 1023 * 32])('refuses %i bytes', async (length) => {
    const bytes = new Uint8Array(length);
    for (const call of [
      kernels[module].transform({ values: bytes, direction: 'forward' }),
      kernels[module].shiftToCoset({ values: bytes }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
  });

  it('refuses operands of different lengths', async () => {
    const [a, b] = [new Uint8Array(64), new Uint8Array(32)];
    await expect(kernels[module].multiplyElements({ a, b })).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(kernels[module].multiplySubtract({ a, b: a, c: b })).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(
      kernels[module].multiplyElements({ a: new Uint8Array(5), b: new Uint8Array(5) }),
    ).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
  });

  it('stops when the caller turns away, works on after that, and tells its progress', async () => {
    const kernel = kernels[module];
    // So many that the work takes several steps of 20 ms on any machine.
    const values = new Uint8Array(32 * 2 ** 17).fill(1);
    let looks = 0;
    const stopped = kernel.shiftToCoset(
      { values },
      {
        cancelled: async () => ++looks === 2,
        progress: () => undefined,
      },
    );
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    expect(looks).toBe(2);
    const fractions: number[] = [];
    const result = await kernel.shiftToCoset(
      { values },
      {
        cancelled: async () => false,
        progress: (fraction) => fractions.push(fraction),
      },
    );
    expect(Buffer.compare(result, await kernel.shiftToCoset({ values }))).toBe(0);
    expect(fractions.length).toBeGreaterThan(1);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.every((fraction) => fraction > 0 && fraction <= 1)).toBe(true);
  });
});

const PEERS = { bn254: buildBn128, 'bls12-381': buildBls12381 };
const SHARED = CURVES_WITH_TRANSFORMS.flatMap(({ id, fr }) =>
  Object.hasOwn(PEERS, id) ? [{ id, fr, build: PEERS[id as keyof typeof PEERS] }] : [],
);

describe.each(SHARED)('the coset of snarkjs over the scalars of $id', ({ id, fr, build }) => {
  it('is that of shiftToCoset', async () => {
    const { Fr, terminate } = await build(true).then((curve) => ({
      Fr: curve.Fr,
      terminate: () => curve.terminate(),
    }));
    try {
      expect(Fr.s).toBe(fr.twoAdicity);
      for (const k of [1, 2, 5, 10, 12]) {
        const values = scalarsToBytes(edgesThenRandom(fr, 2 ** k));
        const coefficients = await Fr.ifft(await Fr.batchToMontgomery(values));
        const shifted = await Fr.batchApplyKey(coefficients, Fr.one, Fr.w[k + 1]!);
        const expected = await Fr.batchFromMontgomery(await Fr.fft(shifted));
        expect(await kernels[formsOfCurve(id)[0]!].shiftToCoset({ values })).toEqual(expected);
      }
    } finally {
      await terminate();
    }
  });
});
