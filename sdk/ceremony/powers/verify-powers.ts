import { throwIfAborted } from '../../base/abort.js';
import { equalBytes, joinBytes, newBytes } from '../../base/bytes.js';
import { pointForm } from '../../bases/prepared.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { viewOf } from '../../files/snarkjs/section-file.js';
import { type KeyVector, montgomeryReader } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../../proofs/pairings.js';
import { generator, negated } from '../../proofs/verified-points.js';
import { expectBeaconsWithin, shareOfBeacons } from '../beacon-seed.js';
import type { CeremonyWork, ToldWork } from '../ceremony-work.js';
import { inOrder } from '../in-order.js';
import { drawPointWeights, SUM_POINTS, SUMS_AHEAD, sumPrepared, weightedSum } from '../ratio-check.js';
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
  const hash = work.newHash();
  hash.update(last.hash);
  for (const [i, section] of POINTS.entries()) {
    const vector = vectorOf(powers, section);
    for (const [at, expected] of starts[section.id].entries()) {
      if (!equalBytes(await pointAt(curve, vector, at, section), expected)) {
        return `point ${at} of section ${section.id} (${section.name}) is another than the last contribution tells`;
      }
    }
    if (section.id !== 6 && !(await goesOnByTau(work, curve, vector, section, last))) {
      return `${sectionName(section)} are not powers of the last contribution's tau`;
    }
    await hashPoints(work, curve, vector, hash);
    onProgress((i + 1) / POINTS.length);
  }
  // A truncated file lacks points of the hash.
  if (power < ceremonyPower || equalBytes(hash.digest(), last.nextChallenge)) return undefined;
  return 'the hash of its points is not the next challenge of the last contribution';
}

async function pointAt(
  curve: Curve,
  { group, bytes }: KeyVector,
  index: number,
  section: PowersSection,
): Promise<Uint8Array> {
  const size = pointBytes(curve.id, group);
  return montgomeryReader(curve)(await bytes.read(index * size, size), sectionName(section));
}

/** Whether each point of a section is tau times the one before it: by the sums of both with the same random weights. */
async function goesOnByTau(
  work: CeremonyWork,
  curve: Curve,
  vector: KeyVector,
  section: PowersSection,
  { points: { tauG1, tauG2 } }: PowersRecord,
): Promise<boolean> {
  const [lower, upper] = await neighbourSums(work, curve, vector, sectionName(section));
  // Sums of points that are all infinite prove nothing.
  if ([lower, upper].some((sum) => sum.every((byte) => byte === 0))) return false;
  const { pairingProductIsOne } = pairings(work.pool, curve.id, work.signal);
  return section.group === 'g1'
    ? pairingProductIsOne({
        g1: joinBytes([lower, negated(curve.id, upper)]),
        g2: joinBytes([tauG2, generator(curve.id, 'g2')]),
      })
    : pairingProductIsOne({
        g1: joinBytes([tauG1, negated(curve.id, generator(curve.id, 'g1'))]),
        g2: joinBytes([lower, upper]),
      });
}

/** sum w_i P_i and sum w_i P_(i+1) with random weights, in the boundary form, chunk by chunk. */
async function neighbourSums(
  work: CeremonyWork,
  curve: Curve,
  { group, count, bytes }: KeyVector,
  what: string,
): Promise<readonly [Uint8Array, Uint8Array]> {
  const { pool, signal } = work;
  const size = pointBytes(curve.id, group);
  function* makers(): Generator<() => Promise<(readonly Uint8Array[])[]>> {
    let weightBefore = new Uint8Array(SCALAR_BYTES);
    for (let from = 0; from < count; from += SUM_POINTS) {
      throwIfAborted(signal);
      const some = Math.min(SUM_POINTS, count - from);
      const weights = drawPointWeights(curve.id, some);
      const lastWeight = weights.slice(-SCALAR_BYTES);
      const scalars = newBytes(2 * weights.length);
      scalars.set(weights);
      // The last point has no successor.
      if (from + some === count) scalars.fill(0, weights.length - SCALAR_BYTES, weights.length);
      scalars.set(weightBefore, weights.length);
      scalars.set(weights.subarray(0, -SCALAR_BYTES), weights.length + SCALAR_BYTES);
      weightBefore = lastWeight;
      const chunk = { group, count: some, bytes: partOf(bytes, from * size, some * size) };
      yield async () => {
        const points = await finiteMembers(work, curve, chunk, { what, from });
        const outline = { curve: curve.id, group, form: pointForm(curve.id, group), count: some, kept: some };
        return sumPrepared(work, { ...outline, indices: undefined, exceptional: [], points }, scalars, 2);
      };
    }
  }
  const sums: [Uint8Array[], Uint8Array[]] = [[], []];
  for await (const [lower, upper] of inOrder(makers(), () => SUMS_AHEAD)) {
    sums[0].push(...lower!);
    sums[1].push(...upper!);
  }
  const add = (points: readonly Uint8Array[]): Promise<Uint8Array> =>
    pool.call(curve.id, 'combine', { group, points: joinBytes(points) }, { signal });
  return [await add(sums[0]), await add(sums[1])];
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
