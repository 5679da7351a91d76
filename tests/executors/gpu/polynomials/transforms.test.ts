import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mod } from '../../../../sdk/curves/modular.js';
import { cosetSteps } from '../../../../sdk/executors/gpu/polynomials/quotient-steps.js';
import { elementBytes, inverseRoot, kernelR } from '../../../../sdk/executors/gpu/polynomials/scalar-field.js';
import {
  TRANSFORM_SHAPE,
  type TransformShape,
  transformPasses,
} from '../../../../sdk/executors/gpu/polynomials/transform-passes.js';
import { twiddleStage } from '../../../../sdk/executors/gpu/polynomials/twiddle-table.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { shiftToCoset } from '../../../support/ntt-reference.js';
import { edgeValues, Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { sharedDevice } from '../test-device.js';
import { elementsOf, QuotientLab, TRANSFORM_CURVES } from './quotient-lab.js';

/**
 * Tiles so small that few elements take as many passes as 2^22 do otherwise, which are three for 2^7. A software adapter
 * takes seconds for more, since a tile has a workgroup.
 */
const SMALL: TransformShape = { tileLog: 3, leastColumns: 1 };
const MOST_IN_SMALL = EVERY_COMBINATION ? 9 : 7;

describe('the passes of a transform', () => {
  it('cover every level once, in tiles that fit', () => {
    for (const shape of [TRANSFORM_SHAPE, SMALL, { tileLog: 9, leastColumns: 0 }, { tileLog: 2, leastColumns: 1 }]) {
      for (let log = 0; log <= 27; log++) {
        let next = 0;
        for (const { low, levels, columns } of transformPasses(log, shape)) {
          expect(low).toBe(next);
          expect(levels).toBeGreaterThan(log === 0 ? -1 : 0);
          expect(levels + columns).toBe(Math.min(log, shape.tileLog));
          if (low > 0) expect(columns).toBeGreaterThanOrEqual(shape.leastColumns);
          expect(columns).toBeLessThanOrEqual(low);
          next = low + levels;
        }
        expect(next).toBe(log);
      }
    }
  });

  it('are three up to 2^23', () => {
    expect([9, 10, 16, 17, 23, 24].map((log) => transformPasses(log, TRANSFORM_SHAPE).length)).toEqual([
      1, 2, 2, 3, 3, 4,
    ]);
  });
});

describe.each(TRANSFORM_CURVES)('transforms over the scalars of $id', ({ id, fr }) => {
  const r = fr.modulus;
  const random = new Random(31);
  const most = 12;
  let lab: QuotientLab;
  let kernel: Kernel;
  let factors: GPUBuffer;

  beforeAll(async () => {
    lab = new QuotientLab(await sharedDevice(), id);
    kernel = await loadKernel(id);
    const R = kernelR(id);
    const roots = elementBytes(id, [R, ...Array.from({ length: most + 1 }, (_, k) => R * inverseRoot(id, k + 2))]);
    factors = lab.buffer(2 ** (most + 1) * 32);
    await lab.fill({ a: 1 });
    const [dispatch] = twiddleStage.dispatches({ log: most + 1, roots: lab.buffer(roots), factors });
    await lab.run([{ kind: 'dispatch', dispatch: dispatch! }]);
  });

  afterAll(() => lab.destroy());

  function values(log: number): bigint[] {
    const edges = edgeValues(r);
    return Array.from({ length: 2 ** log }, (_, i) => (i % 3 === 0 ? edges[i % edges.length]! : random.below(r)));
  }

  /** Whether the values on the coset come out, times the size. */
  async function check(input: readonly bigint[], expected: readonly bigint[], shape: TransformShape): Promise<void> {
    const n = BigInt(input.length);
    await lab.fill({ a: input });
    await lab.run(cosetSteps('a', Math.log2(input.length), factors, shape));
    const got = await lab.read('a');
    expect(got.every((value) => value < 2n * r)).toBe(true);
    expect(got.map((value) => value % r)).toEqual(expected.map((value) => (n * value) % r));
  }

  it('have the factors that the levels take', async () => {
    const got = await lab.read(factors);
    for (const b of [0, 1, 2, 3, 6, 255, 256, 4095, 8191]) {
      // b's bits from the lowest as a binary fraction of half a turn.
      let factor = 1n;
      for (let k = 0; b >> k > 0; k++) if ((b >> k) & 1) factor = (factor * inverseRoot(id, k + 2)) % r;
      expect(got[b]).toBe(mod(kernelR(id) * factor, r));
    }
  });

  // Other curves differ in the field alone, which field/ tests: few sizes for them.
  const inFull = EVERY_COMBINATION || id === 'bn254';
  for (const log of inFull ? Array.from({ length: most + 1 }, (_, k) => k) : [0, 1, 5, 10]) {
    it(`shift 2^${log} values to the coset`, async () => {
      const input = values(log);
      const expected = shiftToCoset(fr, input);
      await check(input, expected, TRANSFORM_SHAPE);
      if (log >= 3 && log <= MOST_IN_SMALL) await check(input, expected, SMALL);
    });
  }

  it('shift the largest values', async () => {
    const input = Array.from({ length: 64 }, () => r - 1n);
    await check(input, shiftToCoset(fr, input), TRANSFORM_SHAPE);
  });

  // In small tiles a software adapter takes four seconds for 2^13 values.
  it.each([
    [inFull ? most + 1 : 11, TRANSFORM_SHAPE],
    [EVERY_COMBINATION ? most + 1 : 11, { tileLog: 6, leastColumns: 2 }],
  ])('agree with the workers on 2^%i values, in the passes of %o', async (log, shape) => {
    const input = values(log);
    const expected = elementsOf(await kernel.shiftToCoset({ values: elementBytes(id, input) }));
    await check(input, expected, shape);
  });
});
