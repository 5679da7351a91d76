import type { Allocate, KernelMemory } from '../memory.js';
import { PairTree } from './pair-tree.js';
import type { Terms } from './signed-digits.js';
import type { ScalarsWorkspace, Workspace } from './workspace.js';

/** Scalars that one call into WASM looks up: well under a millisecond's work. */
const LOOK_UP_CHUNK = 1 << 14;
/** How many additions a look-up counts as in progress. */
const LOOK_UP_WEIGHT = 1 / 16;
/**
 * Merging pays only if it removes at least one scalar in this many: it copies all points, and saves a dozen additions
 * per removed scalar.
 */
const WORTHWHILE = 32;

/** Terms with distinct scalars. */
export interface MergedTerms {
  /**
   * Merged points, each the sum of the points with one scalar, and points whose scalar occurs once unless these are in
   * `singles`.
   */
  readonly sums: Terms;
  readonly singles: Terms | undefined;
}

/**
 * Merges points that have the same scalar by addition, so that every scalar occurs once. Returns undefined if so few
 * scalars are equal that merging would not pay. The returned terms, and the merged points that they refer to, are in
 * memory from `allocate`. `scalars` is the address of the scalars.
 *
 * @param keepsSingles whether so many points whose scalar occurs once stay apart from the merged ones.
 */
export async function mergeEqualScalars(
  workspace: ScalarsWorkspace,
  scalars: number,
  { references, numbers, count }: Terms,
  keepsSingles: (count: number) => boolean,
): Promise<MergedTerms | undefined> {
  const { exports, memory, allocate, steps } = workspace;
  return memory.scope(async (allocateScratch) => {
    const tableBits = Math.ceil(Math.log2(2 * count));
    const table = allocateScratch(4 * 2 ** tableBits);
    memory.clear(table, 4 * 2 ** tableBits);
    const classes = allocateScratch(4 * count);
    const representatives = allocateScratch(4 * count);
    let found = 0;
    const lookUp = (from: number, to: number): void => {
      found = exports.scalars_findClasses(
        scalars,
        numbers,
        from,
        to,
        table,
        tableBits,
        classes,
        representatives,
        found,
      );
    };
    await steps.run(count, LOOK_UP_CHUNK, lookUp, LOOK_UP_WEIGHT);

    if (count - found < count / WORTHWHILE) return undefined;
    const all = { terms: { references, numbers, count }, classes, representatives, found };
    const taken = takeSingles(memory, allocate, all, keepsSingles);
    const several = taken?.found ?? found;
    const digits: ClassDigits = { references, classes, count, found: several };
    const sums = await sumClasses({ ...workspace, allocate: allocateScratch }, digits, allocate);
    const kept = allocate(4 * several);
    memory.copy(kept, representatives, 4 * several);
    const terms = { references: sums, numbers: kept, count: exports.keepFinite(sums, kept, several) };
    return { sums: terms, singles: taken?.singles };
  });
}

/**
 * Which of the `found` classes of equal scalars each of `count` points belongs to; classes are numbered from 1, and 0
 * is none.
 */
interface ClassDigits {
  readonly references: number;
  readonly classes: number;
  readonly count: number;
  readonly found: number;
}

/**
 * Adds up the points of each class. Returns the address of references to the results, in memory from `allocate`; a
 * reference is 0 for infinity.
 */
async function sumClasses(
  workspace: Workspace,
  { references, classes, count, found }: ClassDigits,
  allocate: Workspace['allocate'],
): Promise<number> {
  const tree = new PairTree(workspace, count, found, allocate);
  await tree.sumByDigit([{ digits: classes, references, count, firstBucket: 0 }], found);
  const sums = allocate(4 * found);
  workspace.group.referToSums(tree.sums, 0, found, sums);
  return sums;
}

/** The terms of a multiplication by classes of equal scalars, as lists of u32 at addresses in the kernel's memory. */
export interface TermClasses {
  readonly terms: Terms;
  /** For each term the number of its class, from 1; 0 for a term that belongs to none. */
  readonly classes: number;
  /** For each class the number of its first scalar. */
  readonly representatives: number;
  /** The number of classes. */
  readonly found: number;
}

/**
 * Takes the terms out of their classes whose scalar occurs only once, and numbers the other classes anew, in the same
 * order. undefined, and nothing is changed, if `takes` says that so few terms are not worth it. The lists of the terms
 * taken out are in memory from `allocate`.
 */
export function takeSingles(
  memory: KernelMemory,
  allocate: Allocate,
  { terms, classes, representatives, found }: TermClasses,
  takes: (count: number) => boolean,
): { readonly singles: Terms; readonly found: number } | undefined {
  const { count } = terms;
  const sizes = new Uint32Array(found + 1);
  for (const number of memory.viewUint32(classes, count)) sizes[number]!++;
  const single = sizes.reduce((sum, size) => sum + (size === 1 ? 1 : 0), 0);
  if (!takes(single)) return undefined;
  const singles = { references: allocate(4 * single), numbers: allocate(4 * single), count: single };

  const firstScalars = memory.viewUint32(representatives, found);
  const renumbered = new Uint32Array(found + 1);
  let left = 0;
  for (let number = 1; number <= found; number++) {
    if (sizes[number] === 1) continue;
    firstScalars[left] = firstScalars[number - 1]!;
    renumbered[number] = ++left;
  }
  const [classOf, references, numbers] = [classes, terms.references, terms.numbers].map((at) =>
    memory.viewUint32(at, count),
  );
  const [singleReferences, singleNumbers] = [singles.references, singles.numbers].map((at) =>
    memory.viewUint32(at, single),
  );
  let taken = 0;
  for (let k = 0; k < count; k++) {
    const number = classOf![k]!;
    classOf![k] = renumbered[number]!;
    if (sizes[number] !== 1) continue;
    singleReferences![taken] = references![k]!;
    singleNumbers![taken++] = numbers![k]!;
  }
  return { singles, found: left };
}
