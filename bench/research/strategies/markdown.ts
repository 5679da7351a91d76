import { CURVES } from '../../../sdk/curves/index.js';
import { median } from '../../lib/measure.js';
import { labelOf, type StrategyRow } from './table.js';

/**
 * The rows as tables in Markdown, one for each curve: the median milliseconds of every strategy at every size with the
 * first distribution, and at the largest size with the others, and there its windows and GPU time by part with the
 * first one.
 */
export function markdownTables(rows: readonly StrategyRow[]): string {
  return distinct(rows.map(({ curve }) => curve))
    .map((curve) => {
      const ofCurve = rows.filter((row) => row.curve === curve);
      return `### ${CURVES[curve].name}\n\n${tableOf(ofCurve)}\n`;
    })
    .join('\n');
}

function tableOf(rows: readonly StrategyRow[]): string {
  const logs = distinct(rows.map(({ log }) => log)).sort((a, b) => a - b);
  const [first, ...others] = distinct(rows.map(({ distribution }) => distribution));
  const largest = logs.at(-1)!;
  const head = [
    'Strategy',
    ...logs.map((log) => `2^${log} ${labelOf(first!)}`),
    ...others.map((distribution) => `2^${largest} ${labelOf(distribution)}`),
    'c',
    'sort, add, reduce',
  ];
  const lines = distinct(rows.map(({ strategy }) => strategy)).map((strategy) => {
    const find = (log: number, distribution: string): StrategyRow | undefined =>
      rows.find((row) => row.strategy === strategy && row.log === log && row.distribution === distribution);
    const last = find(largest, first!);
    const parts = last?.gpu && [last.gpu.sort, last.gpu.accumulate, last.gpu.reduce].map((ms) => ms.toFixed(2));
    return [
      strategy,
      ...logs.map((log) => time(find(log, first!))),
      ...others.map((distribution) => time(find(largest, distribution))),
      `${last?.windowBits ?? '-'}`,
      parts?.join(', ') ?? '-',
    ];
  });
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function time(row: StrategyRow | undefined): string {
  return row?.times === undefined ? '-' : median(row.times).toFixed(2);
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
