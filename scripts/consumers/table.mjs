import { writeDocsTable } from '../lib/docs-table.mjs';

/**
 * @typedef {object} Row
 * @property {import('./list.mjs').Consumer} consumer
 * @property {number} lines for Pippin alone
 * @property {string | undefined} aliasLine
 * @property {number} packedBytes of the package, which npm downloads
 * @property {import('./prove.mjs').Trial | undefined} trial
 */

/**
 * @typedef {object} Table
 * @property {string} [page] of the docs
 * @property {string} command
 * @property {number} textColumns
 * @property {readonly string[]} headings
 * @property {readonly string[]} [unwritten] headings that the page leaves out
 * @property {(rows: readonly Row[]) => string[][]} describe
 */

const seconds = (/** @type {number | undefined} */ value) => value?.toFixed(1) ?? '–';
const tool = (/** @type {Row} */ { consumer, trial }) =>
  trial === undefined ? `${consumer.tool}: **no proof**` : consumer.tool;

/** What each tool needs for Pippin. The times show that nothing hangs, no more. @type {Table} */
export const TOOLS = {
  page: 'consumers.md',
  command: 'npm run test:consumers -- --write',
  textColumns: 2,
  headings: ['Tool', 'Version', 'Lines for Pippin', 'First (s)', 'From the cache (s)', 'Code (kB, gzip)'],
  unwritten: ['First (s)', 'From the cache (s)'],
  describe: (rows) =>
    rows.map((row) => [
      tool(row),
      versionOf(row),
      String(row.lines),
      seconds(row.trial?.seconds),
      seconds(row.trial?.laterSeconds),
      row.trial?.bytes === undefined ? '–' : (row.trial.bytes / 1000).toFixed(0),
    ]),
};

/** What it takes to begin from an empty folder. @type {Table} */
export const STARTS = {
  command: 'npm run test:consumers -- --start',
  textColumns: 2,
  headings: ['From an empty folder', 'Version', 'Lines of configuration', 'First (s)', 'Downloaded (kB)'],
  describe: (rows) =>
    rows.map((row) => [
      tool(row),
      versionOf(row),
      String(row.lines),
      seconds(row.trial?.seconds),
      ((row.trial?.bytes ?? row.packedBytes) / 1000).toFixed(0),
    ]),
};

/** By which line tools take Pippin for snarkjs, each line once. @type {Table} */
export const ALIASES = {
  page: 'moving-from-snarkjs.md',
  command: 'npm run test:consumers -- --alias --write',
  textColumns: 2,
  headings: ['Line', 'Tried with (version, lines for the workers)'],
  describe: (rows) => {
    /** @type {Map<string, string[]>} */
    const tools = new Map();
    for (const row of rows) {
      const line = row.aliasLine === undefined ? 'a package in its place (below)' : `\`${row.aliasLine}\``;
      tools.set(line, [...(tools.get(line) ?? []), `${tool(row)} (${versionOf(row)}, ${row.lines})`]);
    }
    return [...tools].map(([line, described]) => [line, described.join('; ')]);
  },
};

/** @param {Row} row */
function versionOf({ consumer, trial }) {
  return trial?.version ?? Object.values(consumer.packages)[0] ?? (consumer.program ? process.versions.node : '–');
}

/** The cells of the table, headings first. @param {Table} table @param {readonly Row[]} rows */
export function describeRows({ headings, describe }, rows) {
  return [headings, ...describe(rows)];
}

/** Writes the table into its page of the docs. @param {Table} table @param {readonly Row[]} rows */
export function writeTable(table, rows) {
  const { page, command, headings, unwritten = [], textColumns } = table;
  if (page === undefined) throw new Error(`expected a table with a page, got that of ${command}`);
  const cells = describeRows(table, rows).map((row) => row.filter((_, i) => !unwritten.includes(headings[i] ?? '')));
  writeDocsTable(page, command, cells, textColumns);
}
