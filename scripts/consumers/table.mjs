import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';

const FILE = join(root, 'docs', 'consumers.md');
const BEGIN = '<!-- The table is made by `npm run test:consumers -- --write`. -->';
const END = '<!-- end of the table -->';
const HEADINGS = [
  'Tool',
  'Version',
  'Lines for Pippin',
  'Proof verified',
  'First (s)',
  'From the cache (s)',
  'Code (kB, gzip)',
];

/** @typedef {{ consumer: import('./list.mjs').Consumer, lines: number, trial: import('./prove.mjs').Trial | undefined }} Row */

/** The cells of the table, headings first. @param {readonly Row[]} rows */
export function describeRows(rows) {
  return [HEADINGS, ...rows.map(describeRow)];
}

/** @param {Row} row */
function describeRow({ consumer, lines, trial }) {
  const seconds = (/** @type {number | undefined} */ value) => value?.toFixed(1) ?? '–';
  return [
    consumer.tool,
    trial?.version ?? Object.values(consumer.packages)[0] ?? (consumer.program ? process.versions.node : '–'),
    String(lines),
    trial === undefined ? 'no' : 'yes',
    seconds(trial?.seconds),
    seconds(trial?.laterSeconds),
    trial?.bytes === undefined ? '–' : (trial.bytes / 1000).toFixed(0),
  ];
}

/** Writes the table into the page of the docs. @param {readonly Row[]} rows */
export function writeTable(rows) {
  const [headings, ...cells] = describeRows(rows);
  const lines = [headings, headings.map((_, column) => (column < 2 ? '---' : '---:')), ...cells];
  const table = lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
  const page = readFileSync(FILE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`expected the marks of the table in ${FILE}, got none`);
  writeFileSync(FILE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}
