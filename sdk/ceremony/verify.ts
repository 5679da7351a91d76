import { equalBytes, joinBytes } from '../base/bytes.js';
import type { CurveId } from '../curves/index.js';
import { type ByteSource, beginsWith, slicesOf } from '../files/byte-source.js';
import type { Zkey } from '../files/snarkjs/zkey.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { pairings } from '../proofs/pairings.js';
import { generator, isSameMultiple, negated } from '../proofs/verified-points.js';
import { expectBeaconsWithin, shareOfBeacons } from './beacon-seed.js';
import type { CeremonyWork, ToldWork } from './ceremony-work.js';
import { type CeremonyKey, DIVIDED, openKey, SAME } from './contribute.js';
import type { History } from './contributions.js';
import { faultOfFirstH, quotientSums } from './first-h-check.js';
import { partOfVector, SUM_POINTS, WeightedSums } from './ratio-check.js';
import { faultOfChain } from './verify-chain.js';

const CONSTANTS = ['alpha1', 'beta1', 'beta2', 'gamma2'] as const;

/** How far the beacons of a file may make a verification hash. */
export interface BeaconLimit {
  /** The logarithm of the most iterations of one. */
  readonly maxBeaconIterations: number;
}

/** What a key is compared with. */
interface KeyOrigin extends BeaconLimit {
  readonly first: ByteSource;
  readonly ptau: ByteSource | undefined;
}

/**
 * What is wrong with a key that is said to come from another by contributions alone: undefined if nothing is.
 * Rejects as the readers of a .zkey do, with `INVALID_POINT` for points that are not in their group, and with
 * `UNSUPPORTED_FORMAT` for longer beacons.
 */
export async function faultOfKey(
  work: ToldWork,
  source: ByteSource,
  { first: firstSource, ptau, maxBeaconIterations }: KeyOrigin,
): Promise<{ readonly fault: string | undefined; readonly history: History }> {
  const last = await openKey(source);
  const first = await openKey(firstSource);
  const { contributions } = last.history;
  expectBeaconsWithin(contributions, maxBeaconIterations);
  await work.open(last.key.curve);
  const share = shareOfBeacons(contributions, pointsDivided(last));
  const fault =
    faultOfHeaders(last, first) ??
    (await faultOfChain(work, last.key.curve, last.history, (done) => work.onProgress(share * done))) ??
    (await faultOfDelta(work, last)) ??
    (await faultOfSections(work, last, first, (done) => work.onProgress(share + (1 - share) * done))) ??
    (ptau && (await faultOfFirstH(work, first.key, ptau)));
  return { fault, history: last.history };
}

/** The points of a key that contributions divide. */
export function pointsDivided({ key: { vectors } }: CeremonyKey): number {
  return DIVIDED.reduce((sum, [, name]) => sum + vectors[name].count, 0);
}

/** What a first key determines: its facts, and the points that no contribution changes. */
export interface FirstFacts extends Pick<Zkey, 'curve' | 'facts'> {
  readonly points: Pick<Zkey['points'], (typeof CONSTANTS)[number]>;
}

/** What differs between a key's header and its first key's, which contributions do not change. */
export function faultOfFacts(a: FirstFacts, b: FirstFacts): string | undefined {
  if (a.curve !== b.curve) return `it is over ${a.curve}, and the first key over ${b.curve}`;
  for (const name of ['variables', 'publicSignals', 'domainSize'] as const) {
    if (a.facts[name] !== b.facts[name]) return `it has other ${name} than the first key`;
  }
  const differs = CONSTANTS.find((name) => !equalBytes(a.points[name], b.points[name]));
  return differs === undefined ? undefined : `it has another ${differs} than the first key`;
}

function faultOfHeaders(last: CeremonyKey, first: CeremonyKey): string | undefined {
  const b = first.key;
  const fault = faultOfFacts(last.key, b);
  if (fault !== undefined) return fault;
  if (!equalBytes(last.history.circuitHash, first.history.circuitHash)) return 'it is of another circuit';
  const isFirst =
    first.history.contributions.length === 0 &&
    equalBytes(b.points.delta1, generator(b.curve, 'g1')) &&
    equalBytes(b.points.delta2, generator(b.curve, 'g2'));
  return isFirst ? undefined : 'the first key has contributions itself';
}

/** delta must be the delta of the last contribution, and the same in both groups. */
export async function faultOfDelta(
  { pool, signal }: CeremonyWork,
  { key, history }: CeremonyKey,
): Promise<string | undefined> {
  const { curve, points } = key;
  const arithmetic = pairings(pool, curve, signal);
  const expected = history.contributions.at(-1)?.points.deltaAfter ?? generator(curve, 'g1');
  if (!equalBytes(points.delta1, expected)) return 'delta1 is not the delta of the last contribution';
  const isMember = await arithmetic.isInSubgroup({ group: 'g2', points: points.delta2 });
  if (isMember && (await isSameMultiple(arithmetic, curve, points.delta1, points.delta2))) return undefined;
  return 'delta2 is not the same multiple as delta1';
}

async function faultOfSections(
  work: CeremonyWork,
  last: CeremonyKey,
  first: CeremonyKey,
  onProgress: (fraction: number) => void,
): Promise<string | undefined> {
  const { curve, points, vectors } = last.key;
  for (const [id, name] of SAME) {
    const [one, other] = [last.file.section(id), first.file.section(id)];
    if (one.size !== other.size || !(await beginsWith(one, slicesOf(other), work.signal))) {
      return `section ${id} (${name}) is another than in the first key`;
    }
  }
  const all = pointsDivided(last);
  let before = 0;
  for (const [id, name] of DIVIDED) {
    const what = `the points of section ${id} (${name})`;
    const sums = new WeightedSums(work, curve, what);
    for (let from = 0; from < vectors[name].count; from += SUM_POINTS) {
      const some = Math.min(SUM_POINTS, vectors[name].count - from);
      const both = [first.key.vectors[name], vectors[name]].map((vector) => partOfVector(curve, vector, from, some));
      await sums.add(both as [KeyVector, KeyVector], from);
      onProgress((before + from + some) / all);
    }
    before += vectors[name].count;
    if (vectors[name].count === 0) continue;
    const isOfFirst =
      (await isDivided(work, curve, await sums.total('g1'), points.delta2)) ||
      (name === 'H' && (await isHDivided(work, curve, [first.key.vectors.H, vectors.H], points.delta2)));
    if (!isOfFirst) {
      return `${what} are not the first key's divided by delta`;
    }
  }
  return undefined;
}

/**
 * Whether points H are the first key's divided by delta for all quotient polynomials, as after an import from bellman.
 */
export async function isHDivided(
  work: CeremonyWork,
  curve: CurveId,
  vectors: readonly [KeyVector, KeyVector],
  delta2: Uint8Array,
): Promise<boolean> {
  return isDivided(work, curve, await quotientSums(work, curve, vectors), delta2);
}

/**
 * Whether the second of two sums over G1 is the first one divided by delta: e(S, G2) = e(S / delta, delta). The sum of
 * a section without finite points proves nothing.
 */
export async function isDivided(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  [first, last]: readonly [Uint8Array, Uint8Array],
  delta2: Uint8Array,
): Promise<boolean> {
  if ([first, last].some((sum) => sum.every((byte) => byte === 0))) return false;
  return pairings(pool, curve, signal).pairingProductIsOne({
    g1: joinBytes([first, negated(curve, last)]),
    g2: joinBytes([generator(curve, 'g2'), delta2]),
  });
}
