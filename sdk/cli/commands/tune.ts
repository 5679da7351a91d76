import type { MapRow, PerformanceMap } from '../../api/index.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { defineCommand } from '../command.js';
import { integer, word } from '../option.js';
import { stepOf, withProver } from '../prover.js';
import { PROVER_OPTIONS, proverOptions } from '../prover-options.js';

/** Measures this machine, keeps the map for later provers, and prints it. */
export const tuneCommand = defineCommand({
  name: 'tune',
  topic: 'machine',
  summary: 'measure how fast this machine computes MSMs, for later provers to plan by',
  usage: '[--max-ms N] [--curve C] [options]',
  options: {
    'max-ms': integer('N', 'measure for about so many milliseconds (default: 3000)', 1),
    curve: word(Object.keys(CURVES) as CurveId[], 'measure MSMs on this curve (default: bn254)'),
    ...PROVER_OPTIONS,
  },
  notes: [
    'Prints what it measured, and keeps it in the cache: later provers plan by it. With --json it is a map that createProver takes as performanceMap.',
  ],
  examples: ['pippin tune --max-ms 10000'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work(values, context) {
    const { 'max-ms': maxMs, curve } = values;
    const map = await withProver(proverOptions(values), context, (prover) =>
      prover.tune({
        ...stepOf(context, 'Measuring MSMs'),
        ...(maxMs === undefined ? {} : { maxMs }),
        ...(curve === undefined ? {} : { curves: [curve] }),
      }),
    );
    await context.result(map, describeMap(map).join('\n'));
    return 0;
  },
});

/** A map in lines for a person: the workers' and the GPU's milliseconds beside each other. */
export function describeMap({ workers, gpu }: PerformanceMap): string[] {
  const lines = [`MSMs over G1 on ${workers.threads} workers${gpu === undefined ? '' : ` and on ${gpu.adapter}`}:`];
  const keys = new Set([...workers.rows, ...(gpu?.rows ?? [])].map(keyOf));
  for (const key of keys) {
    const [onWorkers, onGpu] = [workers.rows, gpu?.rows ?? []].map((rows) => rows.find((row) => keyOf(row) === key));
    const times = [
      ...(onWorkers === undefined ? [] : [`${timesOf(onWorkers)} ms on the workers`]),
      ...(onGpu === undefined ? [] : [`${timesOf(onGpu)} ms on the GPU (${planOf(onGpu)})`]),
    ];
    lines.push(`${key}  ${times.join(', ')}`);
  }
  if (gpu !== undefined) {
    const { points = 1, ms = {} } = gpu.productTimes ?? {};
    const times = Object.entries(ms).map(([kind, each]) => `${kind} ${each.toPrecision(3)} ms`);
    const compared = times.length < 2 ? '' : ` (an MSM over 2^${Math.log2(points)} points: ${times.join(', ')})`;
    lines.push(`Field products on the GPU: ${gpu.products}${compared}.`);
  }
  return lines;
}

/** The time with random scalars, and as far as they were measured with sparse ones, and with the default check. */
function timesOf({ sparse, ...random }: MapRow): string {
  const both = [random, ...(sparse === undefined ? [] : [sparse])].map(({ ms, checkedMs }) => {
    const checked = checkedMs === undefined ? '' : `, checked ${checkedMs.toPrecision(3)}`;
    return `${ms.toPrecision(3)}${checked}`;
  });
  return both.join('; sparse ');
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
