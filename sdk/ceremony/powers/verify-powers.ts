import { throwIfAborted } from '../../base/abort.js';
import { equalBytes, joinBytes, newBytes } from '../../base/bytes.js';
import { pointForm } from '../../bases/prepared.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { viewOf } from '../../files/snarkjs/section-file.js';
import { montgomeryReader } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../../proofs/pairings.js';
import { generator, negated } from '../../proofs/verified-points.js';
import { expectBeaconsWithin, shareOfBeacons } from '../beacon-seed.js';
import type { CeremonyWork, ToldWork } from '../ceremony-work.js';
import { inOrder } from '../in-order.js';
import { addPoints, drawPointWeights, SUM_POINTS, SUMS_AHEAD, sumPrepared, weightedSum } from '../ratio-check.js';
import type { BeaconLimit } from '../verify.js';
import { hashPoints } from './hash-points.js';
import {
  LAGRANGE,
  lagrangeVectors,
  openPowers,
  POINTS,
  type PowersFile,
  type PowersSection,
  sectionName,
  vectorOf,
} from './powers-file.js';
import type { PowersRecord } from './powers-history.js';
import { finiteMembers } from './scaled-powers.js';
import { faultOfPowersChain } from './verify-powers-chain.js';

/** Where the parts of the work end, of 1: of the powers, of all but the contributions. */
const ENDS = { chain: 0.1, powers: 0.45 };
/** The share of the sums in the check of the powers; the rest is hashing. */
const SHARE_OF_SUMS = 0.9;

/**
 * What is wrong with powers of tau: undefined if nothing is. Rejects as `openPowers` does, and with `INVALID_POINT` for
 * points that are infinite, off their curve or outside of the subgroup of prime order, and with `UNSUPPORTED_FORMAT`
 * for longer beacons.
 */
export async function faultOfPowers(
  work: ToldWork,
  source: ByteSource,
  { maxBeaconIterations }: BeaconLimit,
): Promise<{ readonly fault: string | undefined; readonly powers: PowersFile }> {
  const powers = await openPowers(source);
  const { curve, ceremonyPower, contributions } = powers;
  const last = contributions.at(-1);
  if (last === undefined) return { fault: 'it has no contribution', powers };
  expectBeaconsWithin(contributions, maxBeaconIterations);
  await work.open(curve.id);
  const chain = { id: curve.id, ceremonyPower };
  const points = POINTS.reduce((sum, section) => sum + vectorOf(powers, section).count, 0);
  const afterChain = Math.max(ENDS.chain, shareOfBeacons(contributions, points));
  const tell = (done: number): void => work.onProgress(afterChain + (1 - afterChain) * done);
  const fault =
    (await faultOfPowersChain(work, chain, contributions, (done) => work.onProgress(afterChain * done))) ??
    (await faultOfSections(work, powers, last, (done) => tell(ENDS.powers * done))) ??
    (await faultOfLagrange(work, powers, (done) => tell(ENDS.powers + (1 - ENDS.powers) * done)));
  return { fault, powers };
}

/** The sections must begin with the points of the last contribution, go on by tau, and have the hash that it tells. */
async function faultOfSections(
  work: CeremonyWork,
  powers: PowersFile,
  last: PowersRecord,
  onProgress: (fraction: number) => void,
): Promise<string | undefined> {
  const { curve, power, ceremonyPower } = powers;
  const { tauG1, tauG2, alphaG1, betaG1, betaG2 } = last.points;
  const starts = {
    2: [generator(curve.id, 'g1'), tauG1],
    3: [generator(curve.id, 'g2'), tauG2],
    4: [alphaG1],
    5: [betaG1],
    6: [betaG2],
  };
  for (const section of POINTS) {
    for (const [at, expected] of starts[section.id].entries()) {
      if (!equalBytes(await pointAt(powers, section, at), expected)) {
        return `point ${at} of section ${section.id} (${section.name}) is another than the last contribution tells`;
      }
    }
  }
  const fault = await faultOfPoints(work, powers, last, (done) => onProgress(SHARE_OF_SUMS * done));
  if (fault !== undefined) return `${sectionName(fault)} are not powers of the last contribution's tau`;
  const hash = work.newHash();
  hash.update(last.hash);
  for (const section of POINTS) await hashPoints(work, curve, vectorOf(powers, section), hash);
  onProgress(1);
  // A truncated file lacks points of the hash.
  if (power < ceremonyPower || equalBytes(hash.digest(), last.nextChallenge)) return undefined;
  return 'the hash of its points is not the next challenge of the last contribution';
}

async function pointAt(powers: PowersFile, section: PowersSection, index: number): Promise<Uint8Array> {
  const { curve } = powers;
  const { group, bytes } = vectorOf(powers, section);
  const size = pointBytes(curve.id, group);
  return montgomeryReader(curve)(await bytes.read(index * size, size), sectionName(section));
}

/**
 * The section whose points are not multiples of its first one by the powers of tau: undefined if all are. With random
 * weights w_i, for i below n = 2^power:
 *
 *     tauG1:      e(sum w_i P_(i+1), G2) = e(sum w_i P_i, tau G2)
 *     tauG2:      e(G1, sum w_i T_i) = e(sum w_i P_i, G2)
 *     the others: e(sum w_i A_i, G2) = e(A_0, sum w_i T_i)
 *
 * The others are alphaTauG1, betaTauG1, and the points of tauG1 from number n - 1 on. Each holds for other points with
 * a probability of at most 2^-128.
 */
async function faultOfPoints(
  work: CeremonyWork,
  powers: PowersFile,
  { points: { tauG2, alphaG1, betaG1 } }: PowersRecord,
  onProgress: (fraction: number) => void,
): Promise<PowersSection | undefined> {
  const { curve, power } = powers;
  const [TAU_G1, TAU_G2, ALPHA, BETA] = POINTS;
  const [g1, g2] = [generator(curve.id, 'g1'), generator(curve.id, 'g2')];
  const middle = await pointAt(powers, TAU_G1, 2 ** power - 1);
  const sums = await weightedPowers(work, powers, onProgress);
  /** Whether e(a, b) = e(c, d). A point at infinity proves nothing. */
  const areEqual = async (a: Uint8Array, b: Uint8Array, c: Uint8Array, d: Uint8Array): Promise<boolean> => {
    if ([a, b, c, d].some((point) => point.every((byte) => byte === 0))) return false;
    const { pairingProductIsOne } = pairings(work.pool, curve.id, work.signal);
    return pairingProductIsOne({ g1: joinBytes([a, negated(curve.id, c)]), g2: joinBytes([b, d]) });
  };
  if (!(await areEqual(sums.successors, g2, sums.powers, tauG2))) return TAU_G1;
  if (!(await areEqual(g1, sums.tauG2, sums.powers, g2))) return TAU_G2;
  if (!(await areEqual(sums.upper, g2, middle, sums.tauG2))) return TAU_G1;
  if (!(await areEqual(sums.alpha, g2, alphaG1, sums.tauG2))) return ALPHA;
  return (await areEqual(sums.beta, g2, betaG1, sums.tauG2)) ? undefined : BETA;
}

/** Sums with the same random weights of a section's points from number `first` on, and of their successors. */
interface WeightedPoints {
  readonly section: PowersSection;
  readonly first: number;
  readonly sums: readonly [own: Sum, successors?: Sum];
}
type Sum = 'powers' | 'successors' | 'tauG2' | 'upper' | 'alpha' | 'beta';

/** The sums of `faultOfPoints` in the boundary form, chunk by chunk. */
async function weightedPowers(
  work: CeremonyWork,
  powers: PowersFile,
  onProgress: (fraction: number) => void,
): Promise<Readonly<Record<Sum, Uint8Array>>> {
  const { curve, power } = powers;
  const n = 2 ** power;
  const [TAU_G1, TAU_G2, ALPHA, BETA] = POINTS;
  const all: readonly WeightedPoints[] = [
    { section: TAU_G1, first: 0, sums: ['powers', 'successors'] },
    { section: TAU_G2, first: 0, sums: ['tauG2'] },
    { section: TAU_G1, first: n - 1, sums: ['upper'] },
    { section: ALPHA, first: 0, sums: ['alpha'] },
    { section: BETA, first: 0, sums: ['beta'] },
  ];
  function* makers() {
    for (let from = 0; from < n; from += SUM_POINTS) {
      throwIfAborted(work.signal);
      const weights = drawPointWeights(curve.id, Math.min(SUM_POINTS, n - from));
      for (const points of all) yield () => chunkSums(work, powers, { ...points, first: points.first + from }, weights);
    }
  }
  const parts: Record<Sum, Uint8Array[]> = { powers: [], successors: [], tauG2: [], upper: [], alpha: [], beta: [] };
  const steps = all.length * Math.ceil(n / SUM_POINTS);
  let done = 0;
  for await (const made of inOrder(makers(), () => SUMS_AHEAD)) {
    for (const [name, points] of made) parts[name].push(...points);
    onProgress(++done / steps);
  }
  const add = (name: Sum): Promise<Uint8Array> =>
    addPoints(work, curve.id, name === 'tauG2' ? 'g2' : 'g1', parts[name]);
  return {
    powers: await add('powers'),
    successors: await add('successors'),
    tauG2: await add('tauG2'),
    upper: await add('upper'),
    alpha: await add('alpha'),
    beta: await add('beta'),
  };
}

/** Points that add up to each of the sums. `INVALID_POINT` for a point that is not finite or not of its group. */
async function chunkSums(
  work: CeremonyWork,
  powers: PowersFile,
  { section, first, sums: [own, successors] }: WeightedPoints,
  weights: Uint8Array,
): Promise<(readonly [Sum, readonly Uint8Array[]])[]> {
  const { curve } = powers;
  const { group, bytes } = vectorOf(powers, section);
  const size = pointBytes(curve.id, group);
  const count = weights.length / SCALAR_BYTES + (successors === undefined ? 0 : 1);
  const chunk = { group, count, bytes: partOf(bytes, first * size, count * size) };
  const points = await finiteMembers(work, curve, chunk, { what: sectionName(section), from: first });
  const prepared = { curve: curve.id, group, form: pointForm(curve.id, group), count, kept: count, points };
  const args = { ...prepared, indices: undefined, exceptional: [] };
  if (successors === undefined) return [[own, (await sumPrepared(work, args, weights, 1))[0]!]];
  // The last point has no successor in the chunk, and the first one is none.
  const none = new Uint8Array(SCALAR_BYTES);
  const [some, next] = await sumPrepared(work, args, joinBytes([weights, none, none, weights]), 2);
  return [
    [own, some!],
    [successors, next!],
  ];
}

/**
 * What is wrong with the sections of prepared powers of tau: undefined if nothing is, or if there are none. For each
 * domain of n = 2^k points with the root w, the points L_j of its Lagrange basis must satisfy sum_j w^(ij) L_j = P_i
 * for all powers P_i with i < n. With random weights u_i for each domain, sum_i u_i P_i = sum_j v_j L_j, where v is the
 * transform of u; the sums of all domains are added up.
 *
 * @param onProgress called with the done fraction.
 */
async function faultOfLagrange(
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
