import type { AdapterTimes, MapRow, PerformanceMap } from '../../api/index.js';
import { isObject, ownMembers } from '../../base/is-object.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import { CURVES } from '../../curves/index.js';
import { MAP_FORMAT } from './performance-map.js';

/** A map, whose objects inherit nothing, or a few words on what is wrong with it. */
export function readMap(value: unknown): PerformanceMap | string {
  if (!isObject(value)) return 'expected a performance map as an object';
  const map = ownMembers(value);
  if (map.format !== MAP_FORMAT) return `expected a performance map of format ${MAP_FORMAT}`;
  if (typeof map.made !== 'string' || typeof map.platform !== 'string') return 'expected when and where it was made';
  const workers = ownMembers(map.workers);
  if (!isCount(workers.threads)) return 'expected the number of threads of its workers';
  if (!isRows(workers.rows)) return 'expected rows of the workers';
  const gpu = map.gpu === undefined ? undefined : ownMembers(map.gpu);
  if (gpu !== undefined && !isAdapterTimes(gpu)) return 'expected an adapter with its rows';
  return ownMembers({
    ...(map as unknown as PerformanceMap),
    workers: { threads: workers.threads, rows: ownRows(workers.rows) },
    ...(gpu && { gpu: { ...gpu, rows: ownRows(gpu.rows) } }),
  });
}

function ownRows(rows: readonly MapRow[]): readonly MapRow[] {
  return rows.map((row) => ownMembers(row));
}

function isAdapterTimes(value: object): value is AdapterTimes {
  const { adapter, products, rows } = value as Partial<AdapterTimes>;
  return typeof adapter === 'string' && (products === 'limbs' || products === 'bytes') && isRows(rows);
}

function isRows(value: unknown): value is readonly MapRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(row: unknown): row is MapRow {
  const { curve, group, points, windowBits, chunks, largeBucketFactor, digits, ms, withMultiples } = ownMembers(row);
  return (
    typeof curve === 'string' &&
    Object.hasOwn(CURVES, curve) &&
    (group === 'g1' || group === 'g2') &&
    isCount(points) &&
    (windowBits === undefined || isWindow(windowBits)) &&
    (chunks === undefined || isCount(chunks)) &&
    (largeBucketFactor === undefined || isPositive(largeBucketFactor)) &&
    (digits === undefined || digits === 'workers') &&
    isPositive(ms) &&
    (withMultiples === undefined || (Array.isArray(withMultiples) && withMultiples.every(isMultiples)))
  );
}

function isMultiples(value: unknown): boolean {
  const { multiples, windowBits, rows, ms } = ownMembers(value);
  return isCount(multiples) && isWindow(windowBits) && isCount(rows) && isPositive(ms);
}

function isWindow(value: unknown): boolean {
  return isCount(value) && value >= MIN_WINDOW_BITS && value <= MAX_WINDOW_BITS;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
