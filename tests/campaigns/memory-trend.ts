import { collectGarbage } from '../support/collect-garbage.js';

/** A sample is taken after so many cases. */
const SAMPLE_EVERY = 20;
/** Until then memory fills: code is compiled, and the allocator gets its arenas. */
const WARM_UP = 100;
/** The most bytes that may stay of a case. */
const MOST_BYTES_A_CASE = 1000;

/**
 * What of the process's memory is watched, and from how many cases after the first 100 on its slope is judged. What is
 * on the caller's heap is known exactly after the garbage collector. The whole process also has what its other threads
 * and their allocators hold, megabytes that come and go, and V8's machine code. These grow by about 5 MB at first,
 * which over fewer cases would be 1 kB a case. `scripts/campaign.mjs` bounds the room that V8 takes for new objects on
 * the caller's thread: it would be most of what RSS grows by.
 */
const WATCHED = {
  rss: { name: 'RSS', judgedFrom: 4900 },
  heapUsed: { name: 'heap', judgedFrom: 500 },
  external: { name: 'buffers and WASM memories', judgedFrom: 500 },
} as const;

type Watched = keyof typeof WATCHED;
/** Bytes of each of them. */
export type MemorySample = Readonly<Record<Watched, number>>;
type Sample = MemorySample & { readonly cases: number };

/** How memory goes over many cases, sampled after the garbage collector of this thread. */
export class MemoryTrend {
  private readonly samples: Sample[] = [];
  private cases = 0;

  /** @param judged whether it is a failure that memory climbs; otherwise it is told only. */
  constructor(
    private readonly judged: boolean,
    private readonly measure: () => MemorySample = measureMemory,
  ) {}

  /** To be called after each case. */
  caseDone(): void {
    this.cases++;
    if (this.cases % SAMPLE_EVERY === 0) this.samples.push({ cases: this.cases, ...this.measure() });
  }

  /**
   * Megabytes after 100 cases, in the middle and at the end, and the slope between with twice its standard error.
   * Throws if memory climbs: if the slope, less twice its error, is 1000 bytes a case or more after as many cases as
   * `WATCHED` names.
   */
  figures(): Readonly<Record<string, string>> {
    const later = this.samples.filter(({ cases }) => cases >= WARM_UP);
    const [first, middle, last] = [later[0], later[later.length >> 1], later.at(-1)];
    if (first === undefined || middle === undefined || last === undefined || later.length < 3) return {};
    const figures: Record<string, string> = {};
    const climbing: string[] = [];
    for (const [key, { name, judgedFrom }] of Object.entries(WATCHED)) {
      const watched = key as Watched;
      const points = later.map((sample) => [sample.cases, sample[watched]] as const);
      const { slope, error } = leastSquares(points);
      const inMegabytes = [first, middle, last].map((at) => `${(at[watched] / 1e6).toFixed(1)} after ${at.cases}`);
      figures[`${name}, MB`] =
        `${inMegabytes.join(', ')}; ${slope.toFixed(0)} +- ${(2 * error).toFixed(0)} bytes a case`;
      if (last.cases - WARM_UP >= judgedFrom && slope - 2 * error >= MOST_BYTES_A_CASE) climbing.push(name);
    }
    if (!this.judged || climbing.length === 0) return figures;
    const list = JSON.stringify(figures);
    throw new Error(
      `expected less than ${MOST_BYTES_A_CASE} bytes a case to stay, got more of ${climbing.join(', ')}: ${list}`,
    );
  }
}

/** This process's memory after the garbage collector of this thread. */
export function measureMemory(): MemorySample {
  // The second time collects what the first has let go of, such as the memory behind buffers.
  collectGarbage();
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external };
}

/** The line through points (x, y): its slope, and the standard error of that. */
export function leastSquares(points: readonly (readonly [x: number, y: number])[]): { slope: number; error: number } {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x0, y0] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - y0 - slope * (x - x0)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}
