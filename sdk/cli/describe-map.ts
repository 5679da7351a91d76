import type { MapRow, PerformanceMap } from '../api/index.js';

/** A map in lines for a person: the workers' and the GPU's milliseconds beside each other. */
export function describeMap({ workers, gpu }: PerformanceMap): string[] {
  const lines = [`Sums over G1 on ${workers.threads} workers${gpu === undefined ? '' : ` and on ${gpu.adapter}`}:`];
  const keys = new Set([...workers.rows, ...(gpu?.rows ?? [])].map(keyOf));
  for (const key of keys) {
    const [onWorkers, onGpu] = [workers.rows, gpu?.rows ?? []].map((rows) => rows.find((row) => keyOf(row) === key));
    const times = [
      ...(onWorkers === undefined ? [] : [`${rounded(onWorkers)} ms on the workers`]),
      ...(onGpu === undefined ? [] : [`${rounded(onGpu)} ms on the GPU (${planOf(onGpu)})`]),
    ];
    lines.push(`${key}  ${times.join(', ')}`);
  }
  if (gpu !== undefined) lines.push(`The GPU multiplies field elements by ${gpu.products}.`);
  return lines;
}

/** The plan of a row, and what multiples of the bases make of its time. */
function planOf({ windowBits, chunks, largeBucketFactor, digits, withMultiples = [] }: MapRow): string {
  return [
    `windows of ${windowBits} bits`,
    ...(chunks === undefined ? [] : [`${chunks} chunks`]),
    ...(largeBucketFactor === undefined ? [] : [`large buckets from ${largeBucketFactor} times the mean`]),
    ...(digits === undefined ? [] : ['digits by the workers']),
    ...withMultiples.map((row) => `${rounded(row)} with ${row.multiples} multiples`),
  ].join(', ');
}

function keyOf({ curve, points }: MapRow): string {
  return `${curve} 2^${Math.round(Math.log2(points))}`;
}

function rounded({ ms }: Pick<MapRow, 'ms'>): string {
  return ms.toPrecision(3);
}
