import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import { countDigits } from '../../../sdk/gpu/msm/count.js';
import type { DigitsFrom } from '../../../sdk/gpu/msm/digit-stage.js';
import { scanAddStage, scanCounters, scanStage } from '../../../sdk/gpu/msm/scan.js';
import { scatterPoints } from '../../../sdk/gpu/msm/scatter.js';
import type { Dispatch, Job } from '../../../sdk/gpu/runtime/stage.js';
import { windowCount } from '../../../sdk/msm/digits.js';
import { edgeValues, Random } from '../../support/random.js';
import { digitsReference, orderWithinBuckets, type SortedList, scalarWords, sortReference } from './sort-reference.js';
import { openLab, type StageLab, shape } from './stage-lab.js';

let lab: StageLab;

beforeAll(async () => {
  lab = await openLab();
});

afterAll(() => lab.destroy());

function scalarsOf(curve: CurveId, count: number, seed: number): bigint[] {
  const { modulus } = CURVES[curve].fr;
  const random = new Random(seed);
  const edges = edgeValues(modulus);
  return Array.from({ length: count }, (_, i) => edges[i] ?? random.below(modulus));
}

function job(points: number, windowBits: number, firstWindow: number, windows: number, baseIndex = 0): Job {
  const plan = shape({ windowBits, windows: firstWindow + windows, windowsPerPass: windows, chunkPoints: points });
  return {
    plan,
    firstWindow,
    windows,
    points,
    firstPoint: 0,
    batch: 1,
    firstOfBatch: 0,
    baseIndex,
    bases: undefined as never,
    continued: false,
  };
}

/** Runs count, scan and scatter; gives the offsets of the buckets and the sorted list. */
async function sorted(part: Job, source: Uint32Array): Promise<SortedList> {
  const { points, batch, windows, plan } = part;
  const digits = points * batch * windows;
  const counters = scanStage.bytes(plan).counters! / 4;
  await lab.fill({ source, counters, ranksThenSlots: digits, sorted: digits });
  const middle = Math.min(256, points * batch);
  await lab.run([
    countDigits(part, 0, middle),
    countDigits(part, middle, points * batch),
    ...scanCounters(part),
    scatterPoints(part),
  ]);
  const offsets = (await lab.read('counters')).slice(0, batch * windows * plan.bucketsPerWindow + 1);
  return { offsets, entries: await lab.read('sorted') };
}

function expectSame(list: SortedList, expected: SortedList): void {
  expect(list.offsets).toEqual(expected.offsets);
  expect(orderWithinBuckets(list)).toEqual(orderWithinBuckets(expected));
}

describe('digits', () => {
  for (const curve of ['bn254', 'bls12-377'] as const) {
    for (const windowBits of [4, 5, 8, 13, 16]) {
      it(`cuts scalars of ${curve} into digits of ${windowBits} bits`, async () => {
        const scalars = scalarsOf(curve, 300, windowBits);
        const { bits } = CURVES[curve].fr;
        const windows = windowCount(bits, windowBits);
        const part = job(scalars.length, windowBits, 0, windows);
        const digits = digitsReference(scalars, bits, windowBits, 0, windows);
        expectSame(
          await sorted(part, scalarWords(scalars)),
          sortReference(digits, scalars.length, part.plan.bucketsPerWindow, 0),
        );
      });
    }
  }

  for (const windowBits of [17, 20]) {
    it(`cuts digits of ${windowBits} bits, a window at a time`, async () => {
      const scalars = scalarsOf('bn254', 300, windowBits);
      for (const w of [0, 1, windowCount(254, windowBits) - 1]) {
        const part = job(scalars.length, windowBits, w, 1);
        const digits = digitsReference(scalars, 254, windowBits, w, w + 1);
        const list = await sorted(part, scalarWords(scalars));
        expectSame(list, sortReference(digits, scalars.length, part.plan.bucketsPerWindow, 0));
      }
    });
  }

  it('cuts some windows of the scalars, with the carry from the windows below', async () => {
    const scalars = scalarsOf('bn254', 600, 1);
    const part = job(scalars.length, 7, 5, 3);
    const digits = digitsReference(scalars, 254, 7, 5, 8);
    expectSame(await sorted(part, scalarWords(scalars)), sortReference(digits, 600, 64, 0));
  });

  it('keeps the digits of several multiplications over the same points apart', async () => {
    const batch = 3;
    const points = 130;
    const scalars = scalarsOf('bn254', batch * points, 2);
    const windows = windowCount(254, 6);
    const single = job(points, 6, 0, windows, 11);
    const plan = { ...single.plan, batch, batchPerPass: batch };
    const rows = Array.from({ length: batch }, (_, j) =>
      digitsReference(scalars.slice(j * points, (j + 1) * points), 254, 6, 0, windows),
    );
    const digits = Uint32Array.from(rows.flatMap((row) => [...row]));
    const list = await sorted({ ...single, plan, batch }, scalarWords(scalars));
    expectSame(list, sortReference(digits, points, 32, 11));
  });
});

describe('scan', () => {
  for (const buckets of [8, 128, 1023, 1024, 1 << 13]) {
    for (const windows of [1, 3]) {
      it(`sums the counters of ${windows} windows of ${buckets} buckets`, async () => {
        const part = { ...job(1, 4, 0, windows), plan: shape({ windowBits: 4, windows, bucketsPerWindow: buckets }) };
        const random = new Random(buckets);
        const length = buckets * windows + 1;
        const counters = new Uint32Array(scanStage.bytes(part.plan).counters! / 4).fill(0xdead, length);
        for (let i = 0; i < length - 1; i++) counters[i] = random.integer(3) === 0 ? random.integer(1 << 18) : 0;
        await lab.fill({ counters });
        await lab.run(scanCounters(part));
        let sum = 0;
        const expected = counters.slice(0, length).map((count) => {
          sum += count;
          return sum - count;
        });
        expect((await lab.read('counters')).slice(0, length)).toEqual(expected);
      });
    }
  }
});

it('takes a second dimension for more workgroups than one holds', async () => {
  const length = 65_535 * 256 + 1000;
  const totalsAt = length;
  const counters = new Uint32Array(length + Math.ceil(length / 1024));
  for (let i = 0; i < counters.length; i++) counters[i] = i < length ? i & 7 : i - length;
  await lab.fill({ counters });
  const dispatch: Dispatch = {
    stage: scanAddStage,
    first: 0,
    end: length,
    params: [0, totalsAt],
    buffers: ['counters'],
    cost: 0,
  };
  await lab.run([dispatch]);
  const result = await lab.read('counters');
  let wrong = 0;
  for (let i = 0; i < length; i++) if (result[i] !== (i & 7) + (i >> 10)) wrong++;
  expect(wrong).toBe(0);
});

describe('count, scan and scatter', () => {
  const { modulus } = CURVES.bn254.fr;
  const random = new Random(7);
  const few = Array.from({ length: 32 }, () => random.below(modulus));
  const inputs: Record<string, (i: number) => bigint> = {
    'zero scalars': () => 0n,
    'equal scalars': () => modulus - 1n,
    'scalars 1': () => 1n,
    '32 distinct scalars': (i) => few[i % 32]!,
    'sparse scalars': (i) => (i % 20 < 12 ? 0n : i % 20 < 17 ? 1n : random.below(modulus)),
    'uniform scalars': () => random.below(modulus),
  };

  for (const [name, scalar] of Object.entries(inputs)) {
    for (const [points, windowBits] of [
      [1, 4],
      [255, 5],
      [1000, 10],
    ] as const) {
      it(`sorts ${points} points by ${windowBits}-bit digits of ${name}`, async () => {
        const scalars = Array.from({ length: points }, (_, i) => scalar(i));
        const windows = windowCount(254, windowBits);
        const digits = digitsReference(scalars, 254, windowBits, 0, windows);
        const part = job(points, windowBits, 0, windows, 77);
        const expected = sortReference(digits, points, part.plan.bucketsPerWindow, 77);
        for (const digitsFrom of ['scalars', 'digits'] satisfies DigitsFrom[]) {
          const source = digitsFrom === 'scalars' ? scalarWords(scalars) : digits;
          expectSame(await sorted({ ...part, plan: { ...part.plan, digitsFrom } }, source), expected);
        }
      });
    }
  }
});
