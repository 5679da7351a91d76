import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../sdk/curves/index.js';
import { scalarWords } from '../../../tests/executors/gpu/msm/sort-reference.js';
import { sharedDevice } from '../../../tests/executors/gpu/test-device.js';
import {
  evaluateWindows,
  expectedSum,
  type KnownPoints,
  negate,
  packBases,
  randomPoints,
} from '../../../tests/support/msm-reference.js';
import { Random } from '../../../tests/support/random.js';
import { affineLevels } from '../strategies/affine-levels/index.js';
import { StrategyMsm } from '../strategies/strategy-msm.js';

const CURVE = 'bn254';
const { modulus: r } = CURVES[CURVE].fr;
const WINDOW_BITS = 6;

/** Points that meet their like, their opposite and infinity at all levels: with scalars of 1 in one bucket. */
describe.each([
  { levels: 3, threads: 2 ** 8, parts: 4 },
  { levels: 9, threads: 2, parts: 16 },
])('affine additions in $levels levels by $threads threads', (tuning) => {
  const random = new Random(29);
  let msm: StrategyMsm;
  let few: KnownPoints;

  beforeAll(async () => {
    msm = await StrategyMsm.create(await sharedDevice('bytes'), CURVE, affineLevels(tuning));
    few = randomPoints(CURVE, 3, random);
  });
  afterAll(() => msm.destroy());

  /** Sums `count` points, of which point i is the `which(i)`-th of the few, or minus the -1 - `which(i)`-th. */
  async function check(count: number, which: (i: number) => number, scalar: (i: number) => bigint): Promise<void> {
    const chosen = Array.from({ length: count }, (_, i) => which(i));
    const points = chosen.map((k) => (k < 0 ? negate(CURVE, few.points[-1 - k]!) : few.points[k]!));
    const logs = chosen.map((k) => (k < 0 ? r - few.logs[-1 - k]! : few.logs[k]!));
    const scalars = chosen.map((_, i) => scalar(i));
    const bases = await msm.load(packBases(CURVE, points), WINDOW_BITS);
    try {
      const { sums, windowBits } = await msm.multiply(bases, new Uint8Array(scalarWords(scalars).buffer));
      expect(evaluateWindows(CURVE, sums, windowBits)).toEqual(expectedSum(CURVE, logs, scalars));
    } finally {
      bases.buffer.destroy();
    }
  }

  const one = (): bigint => 1n;

  it.each([255, 256, 257])('doubles %i equal points at every level', (count) => check(count, () => 0, one));
  it.each([256, 301])('lets %i opposite points cancel', (count) => check(count, (i) => -(i % 2), one));
  it('adds multiples of one point of either sign', () => check(300, () => Number(random.below(2n)) - 1, one));
  it('adds few different points of either sign', () => check(513, () => Number(random.below(6n)) - 3, one));
  it('adds few different points by small scalars of either sign', () =>
    check(
      301,
      () => Number(random.below(6n)) - 3,
      () => (random.below(2n) === 0n ? random.below(5n) : r - 1n - random.below(4n)),
    ));
});
