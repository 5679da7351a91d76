import type { AdapterTimes, MapRow, PerformanceMap } from '../../api.js';
import { CURVES } from '../../curves/index.js';
import { isObject } from '../../is-object.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../msm/digits.js';
import { MAP_FORMAT } from './performance-map.js';

/** A map, or a few words on what is wrong with it. */
export function readMap(value: unknown): PerformanceMap | string {
  if (!isObject(value)) return 'expected a performance map as an object';
  if (value.format !== MAP_FORMAT) return `expected a performance map of format ${MAP_FORMAT}`;
  if (typeof value.made !== 'string' || typeof value.platform !== 'string')
    return 'expected when and where it was made';
  if (!isObject(value.workers) || !isCount(value.workers.threads))
    return 'expected the number of threads of its workers';
  if (!isRows(value.workers.rows)) return 'expected rows of the workers';
  if (value.gpu !== undefined && !isAdapterTimes(value.gpu)) return 'expected an adapter with its rows';
  return value as unknown as PerformanceMap;
}

function isAdapterTimes(value: unknown): value is AdapterTimes {
  return (
    isObject(value) &&
    typeof value.adapter === 'string' &&
    (value.products === 'limbs' || value.products === 'bytes') &&
    isRows(value.rows)
  );
}

function isRows(value: unknown): value is readonly MapRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(row: unknown): row is MapRow {
  if (!isObject(row)) return false;
  const { curve, group, points, windowBits, chunks, largeBucketFactor, digits, ms, withMultiples } = row;
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
  if (!isObject(value)) return false;
  const { multiples, windowBits, rows, ms } = value;
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
