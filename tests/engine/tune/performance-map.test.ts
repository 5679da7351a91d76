import { describe, expect, it } from 'vitest';
import type { MapRow, PerformanceMap } from '../../../sdk/api/index.js';
import { MAP_FORMAT, nearestRow } from '../../../sdk/engine/tune/performance-map.js';
import { readMap } from '../../../sdk/engine/tune/tune.js';

const row = (points: number, ms: number, more: Partial<Omit<MapRow, 'work'>> & { work?: number } = {}): MapRow => ({
  curve: 'bn254',
  group: 'g1',
  points,
  work: 16 * points,
  ms,
  ...more,
});

const MAP: PerformanceMap = {
  format: MAP_FORMAT,
  made: '2026-11-22T10:00:00.000Z',
  platform: 'a browser',
  workers: { threads: 2, rows: [row(1024, 2, { sparse: { work: 1500, ms: 1 } }), row(4096, 8)] },
  gpu: {
    adapter: 'a GPU',
    products: 'limbs',
    rows: [
      row(1024, 4, { windowBits: 8, checkedMs: 7, sparse: { work: 1500, ms: 3, checkedMs: 6 } }),
      row(4096, 5, { windowBits: 10, chunks: 2, largeBucketFactor: 3, digits: 'workers' }),
      row(16384, 6, { windowBits: 12, withMultiples: [{ multiples: 2, windowBits: 13, rows: 10, ms: 5 }] }),
    ],
  },
};

describe('readMap', () => {
  it('takes a map that went through JSON, with a GPU and without', () => {
    expect(readMap(JSON.parse(JSON.stringify(MAP)))).toEqual(MAP);
    const { gpu: _, ...withoutGpu } = MAP;
    expect(readMap(withoutGpu)).toEqual(withoutGpu);
  });

  const { workers, gpu } = MAP;
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'map'],
    ['a later format', { ...MAP, format: MAP_FORMAT + 1 }],
    ['the format before, without work', { ...MAP, format: MAP_FORMAT - 1 }],
    ['no date', { ...MAP, made: 1 }],
    ['no platform', { ...MAP, platform: undefined }],
    ['no workers', { ...MAP, workers: undefined }],
    ['no threads', { ...MAP, workers: { ...workers, threads: 0 } }],
    ['rows that are none', { ...MAP, workers: { ...workers, rows: {} } }],
    ['a row that is none', { ...MAP, workers: { ...workers, rows: [null] } }],
    ['an unknown curve', { ...MAP, workers: { ...workers, rows: [{ ...row(2, 1), curve: 'toString' }] } }],
    ['an unknown group', { ...MAP, workers: { ...workers, rows: [{ ...row(2, 1), group: 'g3' }] } }],
    ['half a point', { ...MAP, workers: { ...workers, rows: [row(0.5, 1)] } }],
    ['no work', { ...MAP, workers: { ...workers, rows: [{ ...row(2, 1), work: undefined }] } }],
    ['half an addition', { ...MAP, workers: { ...workers, rows: [row(2, 1, { work: 0.5 })] } }],
    ['a checked time that is none', { ...MAP, gpu: { ...gpu, rows: [row(2, 1, { checkedMs: 0 })] } }],
    ['a sparse time that is none', { ...MAP, gpu: { ...gpu, rows: [{ ...row(2, 1), sparse: { work: 2 } }] } }],
    ['no time', { ...MAP, workers: { ...workers, rows: [row(2, 0)] } }],
    ['a time that is no number', { ...MAP, workers: { ...workers, rows: [{ ...row(2, 1), ms: '1' }] } }],
    ['no adapter', { ...MAP, gpu: { ...gpu, adapter: undefined } }],
    ['unknown products', { ...MAP, gpu: { ...gpu, products: 'nibbles' } }],
    ['times of unknown products', { ...MAP, gpu: { ...gpu, productTimes: { points: 4, ms: { nibbles: 1 } } } }],
    ['times of products at no size', { ...MAP, gpu: { ...gpu, productTimes: { ms: { words: 1 } } } }],
    ['a time of products that is none', { ...MAP, gpu: { ...gpu, productTimes: { points: 4, ms: { words: 0 } } } }],
    ['no chunk', { ...MAP, gpu: { ...gpu, rows: [{ ...row(2, 1), chunks: 0 }] } }],
    ['a factor that is no number', { ...MAP, gpu: { ...gpu, rows: [{ ...row(2, 1), largeBucketFactor: '3' }] } }],
    ['digits by nobody', { ...MAP, gpu: { ...gpu, rows: [{ ...row(2, 1), digits: 'me' }] } }],
    ['multiples that are none', { ...MAP, gpu: { ...gpu, rows: [{ ...row(2, 1), withMultiples: [{}] }] } }],
    ['a window too small', { ...MAP, gpu: { ...gpu, rows: [row(2, 1, { windowBits: 3 })] } }],
    ['a window too large', { ...MAP, gpu: { ...gpu, rows: [row(2, 1, { windowBits: 21 })] } }],
  ])('refuses %s', (_, value) => {
    expect(readMap(value)).toEqual(expect.stringMatching(/^expected /));
  });
});

describe('nearestRow', () => {
  const windowOf = (points: number) => nearestRow(MAP.gpu!.rows, 'bn254', 'g1', points)?.windowBits;

  it('is the row of the nearest size, up to twice or half as many points', () => {
    expect([511, 512, 1024, 2047, 2049, 4096, 16384, 32768, 32769].map(windowOf)).toEqual([
      undefined,
      8,
      8,
      8,
      10,
      10,
      12,
      12,
      undefined,
    ]);
  });

  it('is one of the same curve and group', () => {
    expect(nearestRow(MAP.gpu!.rows, 'bls12-381', 'g1', 1024)).toBeUndefined();
    expect(nearestRow(MAP.gpu!.rows, 'bn254', 'g2', 1024)).toBeUndefined();
    expect(windowOf(0)).toBeUndefined();
    expect(nearestRow([], 'bn254', 'g1', 1024)).toBeUndefined();
  });
});
