import { throwIfAborted } from '../../base/abort.js';
import { equalBytes, newBytes } from '../../base/bytes.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { viewOf } from '../../files/snarkjs/section-file.js';
import type { CeremonyWork } from '../ceremony-work.js';
import { drawPointWeights, weightedSum } from '../ratio-check.js';
import { LAGRANGE, lagrangeVectors, POINTS, type PowersFile, sectionName, vectorOf } from './powers-file.js';

/**
 * What is wrong with the sections of prepared powers of tau: undefined if nothing is, or if there are none. For each
 * domain of n = 2^k points with the root w, the points L_j of its Lagrange basis must satisfy sum_j w^(ij) L_j = P_i
 * for all powers P_i with i < n. With random weights u_i for each domain, sum_i u_i P_i = sum_j v_j L_j, where v is the
 * transform of u; the sums of all domains are added up.
 *
 * @param onProgress called with the done fraction.
 */
export async function faultOfLagrange(
  work: CeremonyWork,
  powers: PowersFile,
  onProgress: (fraction: number) => void,
): Promise<string | undefined> {
  const vectors = lagrangeVectors(powers);
  if (vectors === undefined) return undefined;
  const { curve, power } = powers;
  for (const [i, vector] of vectors.entries()) {
    const section = POINTS[i]!;
    const own = vectorOf(powers, section);
    const { ofPowers, ofBases } = await drawWeights(work, curve, section.id === 2 ? power + 1 : power, own.count);
    const id = LAGRANGE[i]!;
    const bases = `the points of section ${id} (${section.name})`;
    const expected = await weightedSum(work, curve.id, own, ofPowers, sectionName(section));
    const found = await weightedSum(work, curve.id, vector, ofBases, bases);
    if (!equalBytes(expected, found)) return `${bases} are not the points of section ${section.id} over Lagrange bases`;
    onProgress((i + 1) / vectors.length);
  }
  return undefined;
}

/** Weights of the powers, and the weights of the points over the bases of the domains of 1, 2, .. 2^most points. */
async function drawWeights(
  { pool, signal }: CeremonyWork,
  curve: Curve,
  most: number,
  count: number,
): Promise<{ readonly ofPowers: Uint8Array; readonly ofBases: Uint8Array }> {
  const ofPowers = newBytes(count * SCALAR_BYTES);
  const ofBases = newBytes((2 ** (most + 1) - 1) * SCALAR_BYTES);
  for (let k = 0; k <= most; k++) {
    throwIfAborted(signal);
    const values = drawPointWeights(curve.id, 2 ** k);
    // The largest domain of tau in G1 has a point more than there are powers: it is infinite.
    if (2 ** k > count) values.fill(0, count * SCALAR_BYTES);
    addInto(ofPowers, values);
    const direction = 'forward';
    const weights = k === 0 ? values : await pool.call(curve.id, 'transform', { values, direction }, { signal });
    ofBases.set(weights, (2 ** k - 1) * SCALAR_BYTES);
  }
  return { ofPowers, ofBases };
}

/** Adds numbers of so few bits that no sum of them reaches r. */
function addInto(sums: Uint8Array, addends: Uint8Array): void {
  const [to, from] = [viewOf(sums), viewOf(addends)];
  const end = Math.min(sums.length, addends.length);
  for (let at = 0; at < end; at += SCALAR_BYTES) {
    let carry = 0;
    for (let word = 0; word < SCALAR_BYTES; word += 4) {
      const sum = to.getUint32(at + word, true) + from.getUint32(at + word, true) + carry;
      to.setUint32(at + word, sum, true);
      carry = sum >= 2 ** 32 ? 1 : 0;
    }
  }
}
