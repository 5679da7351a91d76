import { bytesToBigint, writeBigint } from '../../../sdk/base/bytes.js';
import {
  type BasesRange,
  type BasesToLoad,
  type MsmExecutor,
  type MultiplyOptions,
  type ResidentBases,
  type RevocableBackend,
  wholeRange,
} from '../../../sdk/bases/backend.js';
import type { PointArithmetic } from '../../../sdk/bases/point-arithmetic.js';
import { bytesOfScalars, type ScalarVector } from '../../../sdk/bases/scalar-vector.js';
import type { SplitMember } from '../../../sdk/bases/split/layout.js';

const BYTES = 32;

interface FakeBases extends ResidentBases {
  readonly range: BasesRange;
  isReleased: boolean;
}

/** A member whose points are the numbers 1, 2, 3 and so on: its sum over scalars k is the sum of (i + 1) k_i. */
export class FakeMember implements SplitMember, RevocableBackend {
  readonly backend = this;
  readonly capabilities;
  readonly takesDeviceScalars;
  isAvailable = true;
  isReady = true;
  /** The ranges that were loaded, and those that were summed, as numbers of kept points. */
  readonly loaded: BasesRange[] = [];
  readonly summed: BasesRange[] = [];
  /** Copies that were not released. */
  held = 0;
  /** Called at the beginning of each; what they throw is the outcome. */
  onLoad = (): void | Promise<void> => undefined;
  onMultiply = (_options: MultiplyOptions): void | Promise<void> => undefined;
  /** Called with the number of points when they are summed; it is to call `tell`. */
  onComputed = (_points: number, tell: () => void): void => tell();

  constructor(
    readonly name: string,
    readonly rate = 1,
    executor: MsmExecutor = 'wasm',
  ) {
    this.capabilities = { executor, groups: ['g1'], forms: ['weierstrass'], maxBatch: 4 } as const;
    this.takesDeviceScalars = executor === 'webgpu';
  }

  load = async (bases: BasesToLoad, given?: BasesRange): Promise<FakeBases> => {
    const range = wholeRange(bases, given);
    this.loaded.push(range);
    await this.onLoad();
    this.held++;
    const release = (): void => {
      if (!loaded.isReleased) this.held--;
      loaded.isReleased = true;
    };
    const loaded: FakeBases = { count: bases.count, range, isReleased: false, release };
    return loaded;
  };

  multiplyBatch = async (given: ResidentBases, scalars: ScalarVector, batch: number, options: MultiplyOptions = {}) => {
    const bases = given as FakeBases;
    if (bases.isReleased) throw new Error('expected bases, got released ones');
    const { from, to } = options.range!;
    const summed = { from: bases.range.from + from, to: bases.range.from + to };
    if (from < 0 || summed.to > bases.range.to) throw new Error('expected a range of the loaded points');
    this.summed.push(summed);
    await this.onMultiply(options);
    options.onProgress?.(0.5);
    this.onComputed(to - from, () => options.onComputed?.());
    const { executor } = this.capabilities;
    const bytes = scalars.kind === 'device' ? new Uint8Array(batch * scalars.count * BYTES) : bytesOfScalars(scalars);
    return Array.from({ length: batch }, (_, m) => {
      const point = new Uint8Array(BYTES);
      let sum = 0n;
      for (let i = summed.from; i < summed.to; i++) {
        sum += BigInt(i + 1) * bytesToBigint(bytes, (m * bases.count + i) * BYTES, BYTES);
      }
      writeBigint(point, 0, BYTES, sum);
      return { point, executors: [executor] };
    });
  };
}

/** Adds such sums up. */
export const fakeArithmetic: PointArithmetic = {
  async combine(points) {
    const sum = new Uint8Array(BYTES);
    let total = 0n;
    for (let at = 0; at < points.length; at += BYTES) total += bytesToBigint(points, at, BYTES);
    writeBigint(sum, 0, BYTES, total);
    return sum;
  },
  reduceWindows: () => Promise.reject(new Error('expected no windows')),
  finish: () => Promise.reject(new Error('expected nothing to finish')),
};
