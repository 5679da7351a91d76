import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedDigits, windowCount } from '../../../../sdk/bases/digits.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import type { DigitsFrom } from '../../../../sdk/executors/gpu/msm/plan.js';
import {
  countStages,
  scanAddStage,
  scanStage,
  scatterStages,
} from '../../../../sdk/executors/gpu/msm/stages/counting-sort.js';
import { bucketsOf, digitsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { edgeValues, Random } from '../../../support/random.js';
import {
  digitsReference,
  encodeDigit,
  orderWithinBuckets,
  type SortedList,
  scalarWords,
  sortReference,
} from './sort-reference.js';
import { openLab, type StageLab, shape, wholeChunk } from './stage-lab.js';

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

/** Some windows of `points` scalars, each with a row of its own. */
function chunkOf(points: number, windowBits: number, firstRow: number, rows: number, firstBase = 0): PassChunk {
  const plan = shape({ windowBits, windows: firstRow + rows, rowsPerPass: rows, chunkPoints: points });
  return wholeChunk(plan, { firstRow, firstBase });
}

/** Runs count, scan and scatter; gives the offsets of the buckets and the sorted list. */
async function sorted(chunk: PassChunk, source: Uint32Array, scalarWords = 8): Promise<SortedList> {
  const { points, batch, plan } = chunk;
  const digits = digitsOf(chunk);
  await lab.fill({ source, counters: scanStage.bytes(plan).counters! / 4, ranks: digits, sorted: digits });
  const count = countStages[plan.digitsFrom];
  const middle = Math.min(256, points * batch);
  await lab.run([
    ...count.dispatches({ chunk, from: 0, to: middle, scalarWords }),
    ...count.dispatches({ chunk, from: middle, to: points * batch, scalarWords }),
    ...scanStage.dispatches(chunk),
    ...scanAddStage.dispatches(chunk),
    ...scatterStages[plan.digitsFrom].dispatches({ chunk, from: 0, to: points * batch, scalarWords }),
  ]);
  const offsets = (await lab.read('counters')).slice(0, bucketsOf(chunk) + 1);
  return { offsets, entries: await lab.read('sorted') };
}

function expectSame(list: SortedList, expected: SortedList): void {
  expectSameWords(list.offsets, expected.offsets);
  expectSameWords(orderWithinBuckets(list), orderWithinBuckets(expected));
}

/** `toEqual` for many words: it takes seconds where this takes milliseconds. */
function expectSameWords(words: Uint32Array, expected: Uint32Array): void {
  expect(words.length).toBe(expected.length);
  const at = words.findIndex((word, i) => word !== expected[i]);
  expect({ at, word: words[at] }).toEqual({ at: -1, word: undefined });
}

describe('digits', () => {
  for (const curve of ['bn254', 'bls12-377'] as const) {
    for (const windowBits of [4, 5, 8, 13, 16]) {
      it(`cuts scalars of ${curve} into digits of ${windowBits} bits`, async () => {
        const scalars = scalarsOf(curve, 300, windowBits);
        const { bits } = CURVES[curve].fr;
        const windows = windowCount(bits, windowBits);
        const part = chunkOf(scalars.length, windowBits, 0, windows);
        const digits = digitsReference(scalars, bits, windowBits, 0, windows);
        expectSame(
          await sorted(part, scalarWords(scalars)),
          sortReference(digits, scalars.length, part.plan.bucketsPerRow, 0),
        );
      });
    }
  }

  for (const windowBits of [17, 20]) {
    it(`cuts digits of ${windowBits} bits, a window at a time`, async () => {
      const scalars = scalarsOf('bn254', 300, windowBits);
      for (const w of [0, 1, windowCount(254, windowBits) - 1]) {
        const part = chunkOf(scalars.length, windowBits, w, 1);
        const digits = digitsReference(scalars, 254, windowBits, w, w + 1);
        const list = await sorted(part, scalarWords(scalars));
        expectSame(list, sortReference(digits, scalars.length, part.plan.bucketsPerRow, 0));
      }
    });
  }

  it.each([5, 8, 13, 17, 20])(
    'turns the signs of digits of %i bits where the highest bit of a scalar is set',
    async (c) => {
      // The longest that there may be beside that bit, too.
      const scalars = [...scalarsOf('bn254', 100, c), 0n, (1n << 255n) - 1n, 1n << 254n];
      const sign = 1n << 255n;
      const signed = scalars.map((scalar, i) => (i % 2 === 0 ? scalar : scalar | sign));
      const windows = windowCount(255, c);
      for (const w of [0, 1, windows - 2, windows - 1]) {
        const part = chunkOf(scalars.length, c, w, 1);
        const digits = digitsReference(scalars, 255, c, w, w + 1).map((digit, k) => (digit ^ ((k % 2) << 31)) >>> 0);
        const list = await sorted(part, scalarWords(signed));
        expectSame(list, sortReference(digits, scalars.length, part.plan.bucketsPerRow, 0));
      }
    },
  );

  it('cuts some windows of the scalars, with the carry from the windows below', async () => {
    const scalars = scalarsOf('bn254', 600, 1);
    const part = chunkOf(scalars.length, 7, 5, 3);
    const digits = digitsReference(scalars, 254, 7, 5, 8);
    expectSame(await sorted(part, scalarWords(scalars)), sortReference(digits, 600, 64, 0));
  });

  it.each(['merged', 'cross-window'] as const)(
    'adds several windows to one row, with the multiples of the points: %s',
    async (reduction) => {
      const points = 130;
      const windowBits = 6;
      const windows = windowCount(254, windowBits);
      const scalars = scalarsOf('bn254', 2 * points, 3);
      const firstBase = 7;
      const multipleStride = 1000;
      for (const multiples of [2, 3]) {
        const rows = Math.ceil(windows / multiples);
        for (const [firstRow, rowsPerPass] of [
          [0, rows],
          [rows - 5, 3],
        ] as const) {
          const cuts = { rows, rowsPerPass, chunkPoints: points, batchPerPass: 2 };
          const plan = shape({ windowBits, windows, multiples, reduction, ...cuts });
          const nextSet = reduction === 'merged' ? 0 : 2 * rowsPerPass * plan.bucketsPerRow;
          const chunk = wholeChunk(plan, { firstRow, firstBase, multipleStride });
          const entries: { bucket: number; entry: number }[] = [];
          const digits = new Uint32Array(digitsOf(chunk));
          scalars.forEach((scalar, i) => {
            const [multiplication, point] = [Math.floor(i / points), i % points];
            for (const [w, digit] of signedDigits(scalar, 254, windowBits).entries()) {
              const [row, multiple] = [(w % rows) - firstRow, Math.floor(w / rows)];
              if (row < 0 || row >= rowsPerPass) continue;
              const line = (multiplication * multiples + multiple) * rowsPerPass + row;
              digits[line * points + point] = encodeDigit(digit);
              if (digit === 0) continue;
              const bucketOfSet = (multiplication * rowsPerPass + row) * plan.bucketsPerRow + Math.abs(digit) - 1;
              const bucket = multiple * nextSet + bucketOfSet;
              const base = firstBase + multiple * multipleStride + point;
              entries.push({ bucket, entry: (base | (digit < 0 ? 0x80000000 : 0)) >>> 0 });
            }
          });
          entries.sort((a, b) => a.bucket - b.bucket);
          const offsets = new Uint32Array(bucketsOf(chunk) + 1);
          for (const { bucket } of entries) offsets[bucket + 1]!++;
          for (let b = 1; b < offsets.length; b++) offsets[b]! += offsets[b - 1]!;
          const expected = { offsets, entries: Uint32Array.from(entries, ({ entry }) => entry) };
          expectSame(await sorted(chunk, scalarWords(scalars)), expected);
          expectSame(await sorted({ ...chunk, plan: { ...plan, digitsFrom: 'digits' } }, digits), expected);
        }
      }
    },
  );

  it('keeps the digits of several multiplications over the same points apart', async () => {
    const batch = 3;
    const points = 130;
    const scalars = scalarsOf('bn254', batch * points, 2);
    const windows = windowCount(254, 6);
    const single = chunkOf(points, 6, 0, windows, 11);
    const plan = { ...single.plan, batch, batchPerPass: batch };
    const rows = Array.from({ length: batch }, (_, j) =>
      digitsReference(scalars.slice(j * points, (j + 1) * points), 254, 6, 0, windows),
    );
    const digits = Uint32Array.from(rows.flatMap((row) => [...row]));
    const list = await sorted(wholeChunk(plan, { firstBase: 11 }), scalarWords(scalars));
    expectSame(list, sortReference(digits, points, 32, 11));
  });
});

describe('scan', () => {
  for (const buckets of [8, 128, 1023, 1024, 1 << 13]) {
    for (const windows of [1, 3]) {
      it(`sums the counters of ${windows} rows of ${buckets} buckets`, async () => {
        const part = wholeChunk(shape({ windowBits: 4, windows, bucketsPerRow: buckets }));
        const random = new Random(buckets);
        const length = buckets * windows + 1;
        const counters = new Uint32Array(scanStage.bytes(part.plan).counters! / 4).fill(0xdead, length);
        for (let i = 0; i < length - 1; i++) counters[i] = random.integer(3) === 0 ? random.integer(1 << 18) : 0;
        await lab.fill({ counters });
        await lab.run([...scanStage.dispatches(part), ...scanAddStage.dispatches(part)]);
        let sum = 0;
        const expected = counters.slice(0, length).map((count) => {
          sum += count;
          return sum - count;
        });
        expectSameWords((await lab.read('counters')).slice(0, length), expected);
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
  const dispatch = {
    kernel: scanAddStage,
    first: 0,
    end: length,
    params: [0, totalsAt],
    buffers: ['counters'],
    cost: 0,
  } as const;
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
        const part = chunkOf(points, windowBits, 0, windows, 77);
        const expected = sortReference(digits, points, part.plan.bucketsPerRow, 77);
        for (const digitsFrom of ['scalars', 'digits'] satisfies DigitsFrom[]) {
          const source = digitsFrom === 'scalars' ? scalarWords(scalars) : digits;
          expectSame(await sorted({ ...part, plan: { ...part.plan, digitsFrom } }, source), expected);
        }
      });
    }
  }
});
