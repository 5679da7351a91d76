/** The name of a list that a name was probably meant to be: the same but for its case, or with the fewest letters changed. undefined if none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  // Nobody means any of our names by a very long one.
  if (name.length > MAX_LENGTH) return undefined;
  const plain = plainOf(name);
  const [nearest] = names
    .map((each) => ({ each, distance: editDistance(plain, plainOf(each)) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(1, plain.length / 3) ? nearest.each : undefined;
}

/** The most characters of a name that is compared. */
const MAX_LENGTH = 64;

/** In small letters, without the signs by which words are joined. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The least number of letters to insert, leave out or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length]!;
}
