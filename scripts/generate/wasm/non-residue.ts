/** The most that u^2 may be, or that -u^2 may be, where elements are multiplied by it by doublings and additions. */
const MOST = 64n;

/** The polynomial u^2 - nonResidue as text. */
export function minimalPolynomial(nonResidue: bigint): string {
  return nonResidue < 0n ? `u^2 + ${-nonResidue}` : `u^2 - ${nonResidue}`;
}

/** The bits of the size of u^2 behind the highest one. */
function lowerBits(nonResidue: bigint): string[] {
  const size = nonResidue < 0n ? -nonResidue : nonResidue;
  if (size === 0n || size > MOST) throw new Error(`expected a non-residue from -${MOST} to ${MOST}, got ${nonResidue}`);
  return [...size.toString(2).slice(1)];
}

/** Lines of AssemblyScript that multiply an element in limbs of i64 by u^2, by doublings and additions. */
export function nonResidueLines(nonResidue: bigint): string[] {
  const bits = lowerBits(nonResidue);
  const chain = bits.flatMap((bit, i) => [
    `this.dbl(SCRATCH, ${i === 0 ? 'a' : 'SCRATCH'});`,
    ...(bit === '1' ? ['this.add(SCRATCH, SCRATCH, a);'] : []),
  ]);
  const last = bits.length === 0 ? 'a' : 'SCRATCH';
  return [...chain, `this.${nonResidue < 0n ? 'neg' : 'copy'}(r, ${last});`];
}

/**
 * The same in lanes, reduced unless u^2 is 1 or -1; r is not a. Limbs of a are up to twice a reduced element's, of what
 * `reduce` takes up to four times: a double that is not reduced leaves no room for a to be added.
 */
export function laneNonResidueLines(nonResidue: bigint): string[] {
  const bits = lowerBits(nonResidue);
  const chain = bits.flatMap((bit, i) => [
    `this.add(r, ${i === 0 ? 'a, a' : 'r, r'});`,
    ...(bit === '1' ? [...(i === 0 ? ['this.reduce(r, r);'] : []), 'this.add(r, r, a);'] : []),
    'this.reduce(r, r);',
  ]);
  if (nonResidue > 0n) return bits.length === 0 ? ['this.copy(r, a);'] : chain;
  return [...chain, `this.neg(r, ${bits.length === 0 ? 'a' : 'r'});`];
}
