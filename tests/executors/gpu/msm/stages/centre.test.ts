import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { centreStage } from '../../../../../sdk/executors/gpu/msm/stages/centre.js';
import { edgeValues, Random } from '../../../../support/random.js';
import { CURVES_ON_GPU } from '../../../../support/registry.js';
import { scalarWords } from '../sort-reference.js';
import { openLab, type StageLab } from '../stage-lab.js';

let lab: StageLab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.destroy());

describe.each(CURVES_ON_GPU)('centring scalars of $id on the GPU', ({ fr: { modulus }, scalarBytes }) => {
  const length = scalarBytes / 4;

  it('takes the smaller of s and r - s, with its sign', async () => {
    const random = new Random(12);
    const half = (modulus - 1n) / 2n;
    const values = [
      ...edgeValues(modulus),
      ...[half - 1n, half, half + 1n, half + 2n, modulus - 1n, modulus - 5n],
      ...[1n << 64n, modulus - (1n << 64n), modulus - (1n << 192n), (1n << 128n) - 1n],
      ...Array.from({ length: 300 }, () => random.below(modulus)),
    ].filter((value) => value < modulus);
    const expected = values.map((value) =>
      value > half ? modulus - value + (1n << BigInt(8 * scalarBytes - 1)) : value,
    );
    await lab.fill({ source: scalarWords(values, length) });
    // Those in front and behind stay as they are.
    await lab.run(centreStage.dispatches({ from: 3, to: values.length - 2, scalarWords: length, order: modulus }));
    const untouched = (_: bigint, i: number): boolean => i < 3 || i >= values.length - 2;
    expect(await lab.read('source')).toEqual(
      scalarWords(
        values.map((value, i) => (untouched(value, i) ? value : expected[i]!)),
        length,
      ),
    );
  });
});
