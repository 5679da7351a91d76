import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/run.mjs';

/**
 * Makes the plots of docs/figures/figures.json, and the page that shows them. `node scripts/docs/plots.mjs` writes them;
 * tests/docs/figures.test.ts checks that they are those of the file.
 */

/**
 * A figure: measured values by row and series. `section` is the heading of docs/performance.md that has its numbers.
 *
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} title
 * @property {string} section
 * @property {'bars' | 'lines'} kind
 * @property {string} unit
 * @property {string} note
 * @property {string} date
 * @property {string} hardware
 * @property {string} command
 * @property {readonly string[]} rows
 * @property {readonly { readonly name: string, readonly values: readonly number[] }[]} series
 */

/** @returns {Figure[]} */
export function readFigures() {
  return JSON.parse(readFileSync(join(root, 'docs/figures/figures.json'), 'utf8'));
}

/** All files that are made, by path from the root. @returns {Map<string, string>} */
export function plotFiles() {
  const figures = readFigures();
  return new Map([
    ...figures.map((figure) => /** @type {const} */ ([`docs/figures/${figure.id}.svg`, plot(figure)])),
    ['docs/guide/figures.md', page(figures)],
  ]);
}

const WIDTH = 520;
const STYLE = `<style>
    svg { --ink: #20261f; --muted: #5f665b; --page: #fffefb; --line: #d9d4c7; --s0: #2f6b46; --s1: #b54f29; --s2: #2d6f9c; --s3: #7a7466;
      font-family: ui-sans-serif, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-size: 13px; }
    @media (prefers-color-scheme: dark) {
      svg { --ink: #eceee6; --muted: #a2aa9b; --page: #1b1b1f; --line: #3d443a; --s0: #6dbb8b; --s1: #e08a5f; --s2: #6aaed6; --s3: #a39c8b; }
    }
    text { fill: var(--ink); }
    .muted { fill: var(--muted); font-size: 12px; }
    .title { font-weight: 600; font-size: 14px; }
  </style>`;

/** @param {Figure} figure */
function plot(figure) {
  const { body, height } = figure.kind === 'bars' ? bars(figure) : lines(figure);
  const alt = figure.rows.map(
    (row, i) => `${row}: ${figure.series.map(({ name, values }) => `${name} ${values[i]}`).join(', ')}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">
  <title id="title">${figure.title}</title>
  <desc id="desc">In ${figure.unit}. ${alt.join('; ')}.</desc>
  ${STYLE}
  <rect width="${WIDTH}" height="${height}" rx="10" fill="var(--page)"/>
  <text class="title" x="14" y="24">${figure.title}, ${figure.unit}</text>
${body.map((line) => `  ${line}`).join('\n')}
</svg>
`;
}

/** Where the drawing begins, below title and legend. */
const TOP = 62;

/** A group of horizontal bars for each row. @param {Figure} figure */
function bars({ rows, series }) {
  const [left, right, bar, gap] = [150, 64, 15, 14];
  const most = Math.max(...series.flatMap(({ values }) => values));
  const group = series.length * bar + gap;
  const body = legend(series);
  rows.forEach((row, r) => {
    const y = TOP + r * group;
    body.push(`<text x="${left - 8}" y="${y + (series.length * bar) / 2 + 4}" text-anchor="end">${row}</text>`);
    series.forEach(({ values }, s) => {
      const value = values[r];
      const width = Math.max(1.5, ((WIDTH - left - right) * value) / most);
      body.push(
        `<rect x="${left}" y="${y + s * bar + 1}" width="${round(width)}" height="${bar - 2}" rx="2" fill="var(--s${s})"/>`,
        `<text class="muted" x="${round(left + width + 6)}" y="${y + s * bar + 12}">${value}</text>`,
      );
    });
  });
  return { body, height: TOP + rows.length * group + 4 };
}

/** A line for each series, with a logarithmic scale of values. @param {Figure} figure */
function lines({ rows, series, unit }) {
  const [left, right, high] = [56, 30, 220];
  const all = series.flatMap(({ values }) => values);
  const [low, top] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const x = (/** @type {number} */ i) => round(left + 20 + ((WIDTH - left - right - 40) * i) / (rows.length - 1));
  const y = (/** @type {number} */ value) => round(TOP + high * (1 - (Math.log10(value) - low) / (top - low)));
  const body = legend(series);
  for (let power = low; power <= top; power++) {
    const at = y(10 ** power);
    body.push(
      `<line x1="${left}" x2="${WIDTH - right}" y1="${at}" y2="${at}" stroke="var(--line)"/>`,
      `<text class="muted" x="${left - 8}" y="${at + 4}" text-anchor="end">${10 ** power}</text>`,
    );
  }
  rows.forEach((row, i) => {
    body.push(`<text class="muted" x="${x(i)}" y="${TOP + high + 20}" text-anchor="middle">${row}</text>`);
  });
  series.forEach(({ name, values }, s) => {
    const points = values.map((value, i) => `${x(i)},${y(value)}`);
    body.push(`<polyline points="${points.join(' ')}" fill="none" stroke="var(--s${s})" stroke-width="2"/>`);
    values.forEach((value, i) => {
      const title = `${name}, ${rows[i]}: ${value} ${unit}`;
      body.push(`<circle cx="${x(i)}" cy="${y(value)}" r="3.5" fill="var(--s${s})"><title>${title}</title></circle>`);
    });
  });
  return { body, height: TOP + high + 34 };
}

/** @param {Figure['series']} series @returns {string[]} */
function legend(series) {
  let x = 14;
  return series.map(({ name }, s) => {
    const at = x;
    x += 30 + 7.2 * name.length;
    return `<rect x="${round(at)}" y="37" width="12" height="12" rx="3" fill="var(--s${s})"/><text class="muted" x="${round(at + 17)}" y="47">${name}</text>`;
  });
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** The page of all plots. @param {readonly Figure[]} figures */
function page(figures) {
  const sections = figures.map((figure) => {
    const anchor = figure.section
      .toLowerCase()
      .replace(/[^a-z0-9 ]/g, '')
      .replaceAll(' ', '-');
    return [
      `## ${figure.title}`,
      `![${figure.title}](../figures/${figure.id}.svg)`,
      `In ${figure.unit}; ${figure.date}, ${figure.hardware}. ${figure.note}${figure.note && ' '}[Numbers, conditions and command](../performance.md#${anchor}).`,
    ].join('\n\n');
  });
  return [
    '<!-- Made by `node scripts/docs/plots.mjs` from docs/figures/figures.json. -->',
    '# Performance in plots',
    'Lower is better. Times are medians of wall time on shared machines: trust ratios within a plot. A chain of 2^n has about 2^n constraints, ' +
      'Merkle + EdDSA 19 548, SHA-256 of 512 bits 63 042. [All figures](../performance.md); `pippin bench` measures your machine.',
    ...sections,
    '',
  ].join('\n\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of plotFiles()) writeFileSync(join(root, path), text);
  console.log(`Wrote the plots of docs/figures/figures.json and their page.`);
}
