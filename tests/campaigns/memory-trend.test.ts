import { describe, expect, it } from 'vitest';
import { leastSquares, type MemorySample, MemoryTrend, measureMemory } from './memory-trend.js';

const FLAT: MemorySample = { rss: 200e6, heapUsed: 10e6, external: 5e6 };

/** The trend over so many cases, where memory is `at(cases)`, as far as it is not flat. */
function trendOver(cases: number, at: (cases: number) => Partial<MemorySample>, judged = true): MemoryTrend {
  let done = 0;
  const trend = new MemoryTrend(judged, () => ({ ...FLAT, ...at(done) }));
  for (done = 1; done <= cases; done++) trend.caseDone();
  return trend;
}

describe('MemoryTrend', () => {
  it('tells what memory was after 100 cases, in the middle and at the end, and how it went', () => {
    const figures = trendOver(300, (cases) => ({ heapUsed: 10e6 + 500 * cases })).figures();
    expect(figures['heap, MB']).toBe('10.1 after 100, 10.1 after 200, 10.2 after 300; 500 +- 0 bytes a case');
    expect(figures['RSS, MB']).toBe('200.0 after 100, 200.0 after 200, 200.0 after 300; 0 +- 0 bytes a case');
    expect(Object.keys(figures).length).toBe(3);
    expect(trendOver(120, () => ({})).figures()).toEqual({});
  });

  it.each([
    ['heapUsed', 'heap', 600],
    ['external', 'buffers and WASM memories', 600],
    ['rss', 'RSS', 5000],
  ] as const)('fails when 1000 bytes of a case stay in %s', (watched, name, judgedFrom) => {
    const climbing = (cases: number) => ({ [watched]: FLAT[watched] + 1001 * cases });
    expect(() => trendOver(judgedFrom, climbing).figures()).toThrow(`got more of ${name}:`);
    expect(trendOver(judgedFrom, climbing, false).figures()).toHaveProperty(`${name}, MB`);
    // Fewer cases tell too little.
    trendOver(judgedFrom - 20, climbing).figures();
    trendOver(judgedFrom, (cases) => ({ [watched]: FLAT[watched] + 999 * cases })).figures();
  });

  it('does not judge what fills in the first 100 cases', () => {
    trendOver(3000, (cases) => ({ heapUsed: 10e6 + 1e5 * Math.min(cases, 100) })).figures();
  });
});

describe('measureMemory', () => {
  it('counts objects that stay', () => {
    measureMemory();
    const before = measureMemory();
    const kept = Array.from({ length: 2 ** 18 }, (_, i) => ({ i }));
    const after = measureMemory();
    expect(after.heapUsed - before.heapUsed).toBeGreaterThan(2 ** 18 * 16);
    expect(after.rss).toBeGreaterThan(after.heapUsed);
    expect(kept.length).toBe(2 ** 18);
  });
});

describe('leastSquares', () => {
  it('finds a line and its error', () => {
    expect(
      leastSquares([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toEqual({ slope: 2, error: 0 });
    const { slope, error } = leastSquares([
      [0, 0],
      [1, 1],
      [2, 0],
      [3, 1],
    ]);
    expect(slope).toBeCloseTo(0.2);
    expect(error).toBeCloseTo(Math.sqrt(0.8 / 2 / 5));
  });
});
