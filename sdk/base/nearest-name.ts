/** The most characters of a name that is compared: nobody means any of our names by a very long one. */
const MAX_LENGTH = 64;

/** Shorter names are near when so few letters differ; longer ones may differ in a third of their letters. */
const FEWEST_EDITS = 1;

/**
 * The name of a list that somebody probably meant by `given`: the nearest one, if it is near at all. Case and signs
 * between words do not count.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const word = plainOf(given);
  let nearest: string | undefined;
  let least = Math.max(FEWEST_EDITS, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const plain = plainOf(name);
    // Two letters or more of a name's beginning are nearly that name.
    const edits = plain !== word && word.length > 1 && plain.startsWith(word) ? FEWEST_EDITS : distance(word, plain);
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}

/** In small letters, without the signs between words. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * The number of edits between two words: letters inserted, deleted or replaced, and neighbours exchanged (the optimal
 * string alignment distance). Row i has the distances of the first i letters of `a` to every beginning of `b`.
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
