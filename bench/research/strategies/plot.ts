import { median } from '../../lib/measure.js';
import type { Distribution } from '../../lib/points.js';
import { labelOf, type StrategyRow } from './table.js';

/** The rows of panels: what the strategies of each replace. */
const PARTS: readonly { readonly title: string; readonly replaces: readonly string[] }[] = [
  { title: 'accumulation', replaces: ['accumulation', 'accumulation and reduction'] },
  { title: 'reduction', replaces: ['reduction'] },
  { title: 'digits', replaces: ['digits'] },
];

/** Colours that also people with the common colour deficiencies can tell apart (Okabe and Ito, 2008). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];

const PANEL = { width: 190, height: 130, left: 46, top: 34, right: 14, bottom: 34 };
const LEGEND_WIDTH = 210;

/** Ratios beyond these are drawn at the edge. */
const LEAST_RATIO = 0.5;
const MOST_RATIO = 16;
const TICKS = [0.5, 1, 2, 4, 8, 16];

/**
 * A plot of the rows of a curve as SVG: for each part of a multiplication and each distribution a panel with a line a
 * strategy, whose height is the time divided by that of the shipped pipeline.
 */
export function plotRows(title: string, rows: readonly StrategyRow[]): string {
  const distributions = [...new Set(rows.map(({ distribution }) => distribution))];
  const logs = [...new Set(rows.map(({ log }) => log))].sort((a, b) => a - b);
  const cell = { width: PANEL.width + PANEL.left + PANEL.right, height: PANEL.height + PANEL.top + PANEL.bottom };
  const width = distributions.length * cell.width + LEGEND_WIDTH;
  const height = PARTS.length * cell.height + 30;
  const panels = PARTS.flatMap(({ title: part, replaces }, y) => {
    const ofPart = rows.filter((row) => replaces.includes(row.replaces));
    const names = [...new Set(ofPart.map(({ strategy }) => strategy))];
    const drawn = distributions.map((distribution, x) =>
      group(
        x * cell.width + PANEL.left,
        30 + y * cell.height + PANEL.top,
        panel(`${part}: ${labelOf(distribution)}`, names, logs, rowsOf(ofPart, distribution)),
      ),
    );
    return [...drawn, group(distributions.length * cell.width, 30 + y * cell.height + PANEL.top, legend(names))];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<title>Strategies on ${title}: time divided by the shipped pipeline's</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="12" y="20" font-size="13">${title}: time divided by the shipped pipeline's</text>
${panels.join('\n')}
</svg>
`;
}

function rowsOf(rows: readonly StrategyRow[], distribution: Distribution): StrategyRow[] {
  return rows.filter((row) => row.distribution === distribution && row.ratio !== undefined);
}

function panel(title: string, names: readonly string[], logs: readonly number[], rows: readonly StrategyRow[]): string {
  const x = (log: number): number => (PANEL.width * (logs.indexOf(log) + 0.5)) / logs.length;
  const y = (ratio: number): number => {
    const bounded = Math.min(Math.max(ratio, LEAST_RATIO), MOST_RATIO);
    return PANEL.height * (1 - Math.log2(bounded / LEAST_RATIO) / Math.log2(MOST_RATIO / LEAST_RATIO));
  };
  const grid = TICKS.map((tick) => {
    const stroke = tick === 1 ? '#555555' : '#dddddd';
    return (
      `<line x1="0" x2="${PANEL.width}" y1="${round(y(tick))}" y2="${round(y(tick))}" stroke="${stroke}"/>` +
      `<text x="-6" y="${round(y(tick) + 4)}" text-anchor="end">${tick}x</text>`
    );
  });
  const axis = logs.map(
    (log) => `<text x="${round(x(log))}" y="${PANEL.height + 16}" text-anchor="middle">2^${log}</text>`,
  );
  const lines = names.map((name, i) => {
    const points = rows
      .filter(({ strategy }) => strategy === name)
      .sort((a, b) => a.log - b.log)
      .map((row) => [round(x(row.log)), round(y(row.ratio!)), row] as const);
    const path = points.map(([px, py]) => `${px},${py}`).join(' ');
    const dots = points.map(
      ([px, py, row]) =>
        `<circle cx="${px}" cy="${py}" r="2.5" fill="${colour(i)}"><title>${name}, 2^${row.log}: ` +
        `${median(row.times!).toFixed(2)} ms, ${row.ratio!.toFixed(2)}x</title></circle>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour(i)}" stroke-width="1.5"/>${dots.join('')}`;
  });
  return [`<text x="0" y="-10">${title}</text>`, ...grid, ...axis, ...lines].join('\n');
}

function legend(names: readonly string[]): string {
  return names
    .map(
      (name, i) =>
        `<line x1="0" x2="18" y1="${18 * i}" y2="${18 * i}" stroke="${colour(i)}" stroke-width="2"/>` +
        `<text x="24" y="${18 * i + 4}">${name}</text>`,
    )
    .join('\n');
}

function group(x: number, y: number, contents: string): string {
  return `<g transform="translate(${x} ${y})">\n${contents}\n</g>`;
}

function colour(i: number): string {
  return COLOURS[i % COLOURS.length]!;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
