import type { KernelMemory } from './memory.js';
import type { Terms } from './terms.js';

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
 * Takes the terms out of their classes whose scalar occurs only once, and numbers the other classes anew, in the same order. undefined, and
 * nothing is changed, if `takes` says that so few terms are not worth it. The lists of the terms taken out are in memory from `allocate`.
 */
export function takeSingles(
  memory: KernelMemory,
  allocate: (bytes: number) => number,
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
