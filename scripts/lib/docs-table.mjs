import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/**
 * Writes a table between its marks in a page of the docs.
 *
 * @param {string} page below docs/
 * @param {string} command that makes the table; the first mark names it
 * @param {readonly (readonly string[])[]} rows cells, headings first
 * @param {number} [textColumns] how many columns are text; those after them are numbers
 */
export function writeDocsTable(page, command, rows, textColumns = rows[0].length) {
  const file = join(root, 'docs', page);
  const begin = `<!-- The table is made by \`${command}\`. -->`;
  const end = '<!-- end of the table -->';
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end);
  if (after === undefined || after.length < 2) throw new Error(`expected the marks of the table in ${file}, got none`);
  const [headings, ...cells] = rows;
  const rule = headings.map((_, column) => (column < textColumns ? '---' : '---:'));
  const table = [headings, rule, ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after.slice(1).join(end)}`);
}
