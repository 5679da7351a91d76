import { bytesToBigint, equalBytes, joinBytes } from '../base/bytes.js';
import { CURVES, type Curve, type CurveId } from '../curves/index.js';
import { randomBytes } from '../curves/random.js';
import { type PairingArithmetic, pairings } from '../proofs/pairings.js';
import { generator, multiples } from '../proofs/verified-points.js';
import { beaconSeed } from './beacon-seed.js';
import type { CeremonyWork } from './ceremony-work.js';
import { ChaCha } from './chacha.js';
import { pointOfTranscript } from './contribute.js';
import { CeremonyHash, type ContributionRecord, type History } from './contributions.js';
import { drawPoint, drawScalar } from './draws.js';
import { SecretScalars } from './secret-scalars.js';

/** Contributions whose pairings are multiplied together. */
const BATCH = 32;
/** Bytes of a random factor: wrong contributions pass with probability 2^-128. */
const FACTOR_BYTES = 16;

/** A contribution and what it is checked with. */
interface Link {
  readonly number: number;
  readonly record: ContributionRecord;
  /** delta in G1 before it. */
  readonly before: Uint8Array;
  /** The point of G2 that its transcript determines. */
  readonly g2sp: Uint8Array;
}

/**
 * What is wrong with the contributions of a key, from delta = 1 on: undefined if nothing is. Each must have the
 * transcript of all before it, its secret x must be known to whoever wrote it (s, x s in G1 and g, x g in G2 with one
 * x), delta must be x times what it was, and the secret of a beacon must come from the beacon's hash.
 *
 * @param onProgress called with the done fraction.
 */
export async function faultOfChain(
  work: CeremonyWork,
  id: CurveId,
  { circuitHash, contributions }: History,
  onProgress: (fraction: number) => void,
): Promise<string | undefined> {
  const curve = CURVES[id];
  const arithmetic = pairings(work.pool, id, work.signal);
  const hash = CeremonyHash.create().bytes(circuitHash);
  let before = generator(id, 'g1');
  let links: Link[] = [];
  for (const [i, record] of contributions.entries()) {
    const { points, transcript, beacon } = record;
    const number = i + 1;
    if (!equalBytes(hash.transcriptWith(points.g1s, points.g1sx), transcript)) {
      return `contribution ${number} does not have the transcript of what was before it`;
    }
    const tell = (done: number): void => onProgress((i + done) / contributions.length);
    if (beacon !== undefined && !(await isOfBeacon(work, curve, record, arithmetic, tell))) {
      return `contribution ${number} has another secret than its beacon`;
    }
    links.push({ number, record, before, g2sp: await pointOfTranscript(transcript, curve, arithmetic) });
    before = points.deltaAfter;
    hash.contribution(record);
    if (links.length < BATCH && number < contributions.length) continue;
    const fault = await faultOfLinks(links, id, arithmetic);
    if (fault !== undefined) return fault;
    links = [];
    tell(1);
  }
  return undefined;
}

async function faultOfLinks(
  links: readonly Link[],
  curve: CurveId,
  arithmetic: PairingArithmetic,
): Promise<string | undefined> {
  const areMembers = async (some: readonly Link[]): Promise<boolean> => {
    const [g1, g2] = await Promise.all([
      arithmetic.isInSubgroup({
        group: 'g1',
        points: joinBytes(some.flatMap(({ record: { points } }) => [points.deltaAfter, points.g1s, points.g1sx])),
      }),
      arithmetic.isInSubgroup({ group: 'g2', points: joinBytes(some.map(({ record }) => record.points.g2spx)) }),
    ]);
    return g1 && g2;
  };
  if ((await areMembers(links)) && (await haveOneSecretEach(links, curve, arithmetic))) return undefined;
  for (const link of links) {
    const { number } = link;
    if (!(await areMembers([link]))) return `contribution ${number} has a point outside of the subgroup of prime order`;
    if (!(await haveOneSecretEach([link], curve, arithmetic))) {
      return `contribution ${number} does not change delta by the secret that it proves to know`;
    }
  }
  return 'a contribution does not change delta by the secret that it proves to know';
}

/**
 * Whether e(s, x g) = e(x s, g) and e(delta, x g) = e(x delta, g) for each: by random factors as one product of two
 * pairings for each contribution.
 */
async function haveOneSecretEach(
  links: readonly Link[],
  curve: CurveId,
  arithmetic: PairingArithmetic,
): Promise<boolean> {
  const factor = (): bigint => bytesToBigint(randomBytes(FACTOR_BYTES));
  const pairs = links.map(async ({ record: { points }, before, g2sp }) => {
    const [rho, sigma] = [factor(), factor()];
    const [left, right] = await Promise.all([
      multiples(arithmetic, curve, [
        [points.g1s, rho],
        [before, sigma],
      ]),
      multiples(arithmetic, curve, [
        [points.g1sx, -rho],
        [points.deltaAfter, -sigma],
      ]),
    ]);
    return { g1: joinBytes([left, right]), g2: joinBytes([points.g2spx, g2sp]) };
  });
  const all = await Promise.all(pairs);
  return arithmetic.pairingProductIsOne({
    g1: joinBytes(all.map(({ g1 }) => g1)),
    g2: joinBytes(all.map(({ g2 }) => g2)),
  });
}

/** Whether s and x s are what the beacon gives. That x is the same in G2, the pairings show. */
async function isOfBeacon(
  { signal }: CeremonyWork,
  curve: Curve,
  { points, beacon }: ContributionRecord,
  arithmetic: PairingArithmetic,
  onProgress: (fraction: number) => void,
): Promise<boolean> {
  const stream = new ChaCha(await beaconSeed(beacon!, signal, onProgress));
  const { value } = new SecretScalars(curve.id).fromMontgomery(drawScalar(stream, curve));
  const g1s = await drawPoint(stream, curve, 'g1', arithmetic);
  const g1sx = await arithmetic.combine({ group: 'g1', points: g1s, scalars: value });
  return equalBytes(points.g1s, g1s) && equalBytes(points.g1sx, g1sx);
}
