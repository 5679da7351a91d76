import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  Downloads,
  MAX_CIRCUIT_BYTES,
  MAX_KEY_BYTES,
  MAX_WITNESS_BYTES,
  type OnBytes,
} from '../../sdk/files/downloads.js';
import { failureOf } from '../support/section-bytes.js';

let now: number;
let told: Parameters<OnBytes>[];
let downloads: Downloads;
beforeEach(() => {
  now = 1000;
  told = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  downloads = new Downloads(100, (...bytes) => told.push(bytes));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Bytes that come after so many milliseconds. */
function come(onBytes: OnBytes, afterMs: number, done: number, total?: number): void {
  now += afterMs;
  onBytes(done, total);
}

it('a download is told of at once, then every 50 ms, and when it ends', () => {
  const file = downloads.add();
  come(file, 0, 1, 60);
  come(file, 49, 2, 60);
  come(file, 1, 3, 60);
  come(file, 49, 4, 60);
  come(file, 0, 60, 60);
  expect(told).toEqual([
    [1, 60],
    [3, 60],
    [60, 60],
  ]);
});

it('files count together, with a total when that of each is known', () => {
  const [one, other] = [downloads.add(), downloads.add()];
  come(one, 0, 10, 20);
  come(other, 50, 5);
  come(other, 50, 10, 30);
  come(one, 50, 20, 20);
  expect(told).toEqual([
    [10, undefined],
    [15, undefined],
    [20, 50],
    [30, 50],
  ]);
});

it('files have at most so many bytes together, as announced or as they have come', async () => {
  const [one, other] = [downloads.add(), downloads.add()];
  come(one, 50, 1, 60);
  come(other, 50, 40);
  expect((await failureOf(() => come(other, 50, 41))).code).toBe('DOWNLOAD_TOO_LARGE');
  expect((await failureOf(() => come(other, 50, 1, 41))).code).toBe('DOWNLOAD_TOO_LARGE');
  expect(told).toHaveLength(2);
});

it('nobody needs to be told', () => {
  new Downloads(10).add()(10, 10);
});

it('the standard bounds leave room for the largest keys, circuits and witnesses', () => {
  expect([MAX_KEY_BYTES, MAX_CIRCUIT_BYTES, MAX_WITNESS_BYTES]).toEqual([8 * 1024 ** 3, 256 * 1024 ** 2, 1024 ** 3]);
});
