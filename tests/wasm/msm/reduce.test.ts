import { beforeAll, describe, expect, it } from 'vitest';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { EDWARDS_FORMS } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { type AffinePoint, addAffine, multiplyAffine } from '../../support/curve-reference.js';
import { evaluateWindows, packSum, sumWords } from '../../support/msm-reference.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { loadKernel } from '../../support/wasm.js';

describe.each(ALL_CURVES)('the final reduction on $id', (curve) => {
  const { id } = curve;
  const form = pointForm(id, 'g1');
  const order = curve.fr.modulus;
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id);
  });

  const z = edgeValues(curve.fq.modulus).filter((value) => value !== 0n);
  const pack = (logs: readonly bigint[]): Uint8Array => {
    const words = new Uint32Array(logs.length * sumWords(id));
    for (const [i, log] of logs.entries()) {
      const point: AffinePoint = multiplyAffine(curve, curve.g1.generator, log);
      words.set(packSum(id, point, z[i % z.length]!), i * sumWords(id));
    }
    return new Uint8Array(words.buffer);
  };

  it.each([1, 4, 13, 20])('puts windows of %i bits together', async (c) => {
    const random = new Random(c);
    for (const logs of [
      [],
      [0n],
      [7n],
      [0n, 0n, 0n],
      [5n, 0n],
      [0n, 1n, 0n],
      Array.from({ length: 8 }, () => random.below(order)),
      // The shifted higher windows are the opposite of, or equal to, the lowest one.
      [order - (3n << BigInt(c)), 3n],
      [3n << BigInt(c), 3n],
    ]) {
      const sums = pack(logs);
      const expected = logs.reduceRight((sum, log) => (sum << BigInt(c)) + log, 0n) % order;
      const bytes = await kernel.reduceWindows({ group: 'g1', form, sums, windowBits: c });
      expect(await kernel.finish({ group: 'g1', form, sums, windowBits: c })).toEqual(bytes);
      expect(bytes).toEqual(encodePoint(id, 'g1', multiplyAffine(curve, curve.g1.generator, expected)));
      expect(bytes).toEqual(encodePoint(id, 'g1', evaluateWindows(id, sums, c)));
    }
  });

  it('refuses half a window sum, other forms and windows out of range', async () => {
    const sums = pack([1n, 2n]);
    const other = form === 'edwards' ? 'weierstrass' : 'edwards';
    await expect(
      kernel.reduceWindows({ group: 'g1', form, sums: sums.subarray(1), windowBits: 4 }),
    ).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
    for (const bits of [0, 21, 1.5]) {
      await expect(kernel.reduceWindows({ group: 'g1', form, sums, windowBits: bits })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    }
    await expect(kernel.reduceWindows({ group: 'g1', form: other, sums, windowBits: 4 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('adds points of order 2 and 4 on the Weierstrass curve', async () => {
    if (curve.edwards === undefined || curve.boundary === 'edwards') return;
    const p = curve.fq.modulus;
    const half: AffinePoint = [p + EDWARDS_FORMS[id]!.alpha, 0n];
    const sum = addAffine(curve, curve.g1.generator, half);
    const points = new Uint8Array([
      ...encodePoint(id, 'g1', curve.g1.generator),
      ...encodePoint(id, 'g1', half),
      ...encodePoint(id, 'g1', half),
      ...encodePoint(id, 'g1', half),
    ]);
    expect(await kernel.combine({ group: 'g1', points })).toEqual(encodePoint(id, 'g1', sum));
    expect(await kernel.combine({ group: 'g1', points: points.subarray(96, 288) })).toEqual(new Uint8Array(96));
    expect(await kernel.finish({ group: 'g1', form, sums: points.subarray(96, 192) })).toEqual(points.slice(96, 192));
  });
});
