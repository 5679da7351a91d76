/** What the names of signals are made of, in the order of how likely it is. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$'];

/** Longer names are not changed: there would be too many changes of them. */
const MOST_CHARACTERS = 40;
/** So many names are changed, the first ones. */
const MOST_NAMES = 16;

/**
 * Names that somebody may have meant who wrote these: with one character changed, left out, added or exchanged with its neighbour, in another
 * case, in words joined by underscores or by capitals. So `leaf2` is near `leaf1`, and `path_indices` near `pathIndices`. Names of one
 * character are always among them. Some come more than once.
 */
export function* namesNear(names: readonly string[]): Generator<string> {
  for (const name of ['', ...names.slice(0, MOST_NAMES)]) {
    if (name.length > MOST_CHARACTERS) continue;
    yield name.toLowerCase();
    yield name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
    yield name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    for (let i = 0; i <= name.length; i++) {
      const [before, at, after] = [name.slice(0, i), name.slice(i, i + 1), name.slice(i + 1)];
      yield before + after;
      yield before + after.slice(0, 1) + at + after.slice(1);
      for (const letter of LETTERS) {
        yield before + letter + after;
        yield before + letter + at + after;
      }
    }
  }
}
