/**
 * Rows as aligned text: the first column to the left, the others to the right.
 *
 * @param {readonly (readonly string[])[]} rows
 */
export function formatTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => [...row[column]].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
