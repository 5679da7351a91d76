/** Shorter words are near when so few letters differ; longer ones may differ in a third of their letters. */
const FEWEST_EDITS = 1;

/** The name that somebody probably meant by `given`: the nearest one, if it is near at all. */
export function nearestOf(given: string, names: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(FEWEST_EDITS, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    // Two letters or more of a word's beginning are nearly that word.
    const edits = word.length > 1 && name.startsWith(word) ? FEWEST_EDITS : distance(word, name.toLowerCase());
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}

/**
 * The number of edits between two words: letters inserted, deleted or replaced, and neighbours exchanged (the optimal string alignment
 * distance). Row i has the distances of the first i letters of `a` to every beginning of `b`.
 */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const above = rows[i - 1]!;
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, above[j]! + 1, row[j - 1]! + 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) edits = Math.min(edits, rows[i - 2]![j - 2]! + 1);
      row.push(edits);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
