import type { OptionReader } from '../../base/option-reader.js';

/** The most names that are read: far more than any circuit has inputs. */
const MOST_NAMES = 2 ** 16;

/** Reads `inputs` of `CircuitLoadOptions`: the names of a circuit's inputs, none if they are left out. */
export function inputNames(options: OptionReader): readonly string[] {
  const given = options.read('inputs') ?? [];
  if (!Array.isArray(given) || given.length > MOST_NAMES) {
    throw options.wrong('inputs', `a list of at most ${MOST_NAMES} names`, given);
  }
  const names: unknown[] = Array.from(given);
  if (!names.every((name) => typeof name === 'string')) throw options.wrong('inputs', 'a list of names', given);
  return names;
}
