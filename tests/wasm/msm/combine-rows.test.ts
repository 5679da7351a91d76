import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { WEIGHT_BITS } from '../../../sdk/bases/check-arithmetic.js';
import { pointForm, preparedPointBytes } from '../../../sdk/bases/prepared.js';
import { CURVES, hasGpuKernels } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { checkScalarBytes } from '../../../sdk/executors/workers/kernel/check-kernel.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { multiplyAffine } from '../../support/curve-reference.js';
import { packSum, sumWords } from '../../support/msm-reference.js';
import { NOBLE_GROUPS } from '../../support/noble-groups.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { loadKernel } from '../../support/wasm.js';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 5 * i + 2);
const LARGEST = (1n << BigInt(WEIGHT_BITS)) - 1n;

describe.each(ALL_CURVES)('rows of sums of $id', (curve) => {
  const { id } = curve;
  const form = pointForm(id, 'g1');
  const order = curve.fr.modulus;
  const random = new Random(61);
  const z = edgeValues(curve.fq.modulus).filter((value) => value !== 0n);
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id);
  });

  const point = (log: bigint): Uint8Array =>
    encodePoint(id, 'g1', multiplyAffine(curve, curve.g1.generator, log % order));

  /** Sums of bits with these logarithms, as a GPU gives them. */
  function pack(logs: readonly bigint[]): Uint8Array {
    const words = new Uint32Array(logs.length * sumWords(id));
    for (const [i, log] of logs.entries()) {
      words.set(packSum(id, multiplyAffine(curve, curve.g1.generator, log), z[i % z.length]!), i * sumWords(id));
    }
    return new Uint8Array(words.buffer);
  }

  function combine(sums: Uint8Array, bits: number, weights: readonly bigint[]): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(BigUint64Array.from(weights).buffer);
    return kernel.combineRows({ group: 'g1', form, sums, bits, weights: bytes, weightBits: WEIGHT_BITS });
  }

  it.each([1, 4])('of %i bits are combined by their weights', async (bits) => {
    for (const weights of [[], [0n], [1n], [LARGEST], [LARGEST, 0n, LARGEST - 1n], [5n, 1n << 39n, 7n, 1n << 20n]]) {
      const logs = weights.flatMap(() => Array.from({ length: bits }, () => random.below(order)));
      // Infinity, equal and opposite sums.
      if (logs.length > 2) logs[1] = 0n;
      if (logs.length > 5) [logs[3], logs[4]] = [logs[0]!, order - logs[0]!];
      const expected = weights.reduce((sum, weight, row) => {
        const own = logs.slice(row * bits, (row + 1) * bits);
        return sum + weight * own.reduce((total, log, k) => total + (log << BigInt(k)), 0n);
      }, 0n);
      expect(await combine(pack(logs), bits, weights)).toEqual(point(expected));
    }
  });

  it('are refused when a sum is no point of the curve', async () => {
    const good = pack([2n, 3n, 0n, 5n]);
    const size = good.length / 4;
    expect(await combine(good, 2, [3n, 4n])).toEqual(point(3n * 8n + 4n * 10n));
    for (let coordinate = 0; coordinate < 4; coordinate++) {
      const bad = good.slice();
      bad[size + (coordinate * size) / 4]! ^= 1;
      expect(await combine(bad, 2, [3n, 4n])).toBeUndefined();
      // Its weight does not matter.
      expect(await combine(bad, 2, [0n, 4n])).toBeUndefined();
    }
    // Zeros are infinity in XYZZ coordinates alone.
    const zeros = good.slice().fill(0, 0, size);
    expect(await combine(zeros, 2, [3n, 4n])).toEqual(form === 'edwards' ? undefined : point(3n * 6n + 4n * 10n));
  });

  it('must be as many as their weights', async () => {
    await expect(combine(pack([1n, 2n, 3n]), 2, [1n])).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe.each(NOBLE_GROUPS.filter(({ curve }) => hasGpuKernels(curve)))(
  'the masked points of $curve $group',
  ({ curve, group, order, multiple, multiples }) => {
    it('are added up by the masks of check scalars', async () => {
      const kernel = await loadKernel(curve);
      const form = pointForm(curve, group);
      const random = new Random(71);
      for (const count of [0, 1, 70]) {
        const logs = Array.from({ length: count }, () => random.below(order));
        const given = multiples(logs);
        const { points } = await kernel.prepareBases({ group, form, encoding: 'canonical', points: given });
        const empty = { batch: 1, windowBits: 4, windows: 0, weights: new Uint8Array(0), limbs: 2, reduced: false };
        const scalars = new Uint8Array(count * CURVES[curve].scalarBytes);
        const bytes = await kernel.checkScalars({ ...empty, scalars, key: KEY, first: 9 });
        const size = checkScalarBytes(curve, false);
        const masks = logs.map((_, i) => bytesToBigint(bytes, i * size, size));
        const expected = logs.reduce((sum, log, i) => sum + log * masks[i]!, 0n) % order;
        expect(points.length).toBe(count * preparedPointBytes(curve, group));
        expect(await kernel.maskSum({ group, form, points, key: KEY, first: 9 })).toEqual(multiple(expected));
      }
    });
  },
);
