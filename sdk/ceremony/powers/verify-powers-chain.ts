import { bytesToBigint, equalBytes, joinBytes } from '../../base/bytes.js';
import { wipe } from '../../base/free-memory.js';
import { CURVES, type Curve } from '../../curves/index.js';
import { randomBytes } from '../../curves/random.js';
import { type PairingArithmetic, pairings } from '../../proofs/pairings.js';
import { generator, multiples, negated } from '../../proofs/verified-points.js';
import { beaconSeed } from '../beacon-seed.js';
import type { CeremonyWork, ToldWork } from '../ceremony-work.js';
import { firstChallenge } from './hash-points.js';
import {
  firstPoints,
  type PowersPoints,
  type PowersRecord,
  type PublicKey,
  pointsByGroup,
  type SecretName,
} from './powers-history.js';
import { drawPowersKey, pointOfChallenge } from './powers-key.js';

/** Contributions whose pairings are multiplied together. */
const BATCH = 16;
/** Bytes of a random factor: wrong contributions pass with probability 2^-128. */
const FACTOR_BYTES = 16;

/** A contribution and what it is checked with. */
interface Link {
  readonly number: number;
  readonly points: PowersPoints;
  /** The points before it. */
  readonly before: Omit<PowersPoints, keyof PublicKey>;
  /** The points of G2 that the challenge before it and its public key determine. */
  readonly sp: Readonly<Record<SecretName, Uint8Array>>;
}

/**
 * What is wrong with the contributions to powers of tau, from generators on: undefined if nothing is. Each must know
 * its three secrets, the points after it must be those before it times the secrets, and the secrets of a beacon must
 * come from the beacon's hash.
 *
 * @param onProgress called with the done fraction.
 */
export async function faultOfPowersChain(
  work: CeremonyWork,
  { id, ceremonyPower }: { readonly id: Curve['id']; readonly ceremonyPower: number },
  records: readonly PowersRecord[],
  onProgress: (fraction: number) => void,
): Promise<string | undefined> {
  const curve = CURVES[id];
  const arithmetic = pairings(work.pool, id, work.signal);
  let challenge = await firstChallenge(work, curve, ceremonyPower);
  let before: Link['before'] = firstPoints({ g1: generator(id, 'g1'), g2: generator(id, 'g2') });
  let links: Link[] = [];
  for (const [i, record] of records.entries()) {
    const { points, beacon } = record;
    const number = i + 1;
    const tell = (done: number): void => onProgress((i + done) / records.length);
    if (
      beacon !== undefined &&
      !(await isOfBeacon({ ...work, onProgress: tell }, curve, record, challenge, arithmetic))
    ) {
      return `contribution ${number} has other secrets than its beacon`;
    }
    const of = (name: SecretName): Promise<Uint8Array> =>
      pointOfChallenge(challenge, name, { s: points[`${name}S`], sx: points[`${name}Sx`] }, curve, arithmetic);
    const [tau, alpha, beta] = [await of('tau'), await of('alpha'), await of('beta')];
    links.push({ number, points, before, sp: { tau, alpha, beta } });
    before = points;
    challenge = record.nextChallenge;
    if (links.length < BATCH && number < records.length) continue;
    const fault = await faultOfLinks(links, id, arithmetic);
    if (fault !== undefined) return fault;
    links = [];
    tell(1);
  }
  return undefined;
}

async function faultOfLinks(
  links: readonly Link[],
  curve: Curve['id'],
  arithmetic: PairingArithmetic,
): Promise<string | undefined> {
  if ((await areMembers(links, arithmetic)) && (await haveOneSecretEach(links, curve, arithmetic))) return undefined;
  for (const link of links) {
    const { number } = link;
    if (!(await areMembers([link], arithmetic))) {
      return `contribution ${number} has a point outside of the subgroup of prime order`;
    }
    if (!(await haveOneSecretEach([link], curve, arithmetic))) {
      return `contribution ${number} does not change the powers by the secrets that it proves to know`;
    }
  }
  return 'a contribution does not change the powers by the secrets that it proves to know';
}

async function areMembers(links: readonly Link[], { isInSubgroup }: PairingArithmetic): Promise<boolean> {
  const groups = links.map(({ points }) => pointsByGroup(points));
  for (const group of ['g1', 'g2'] as const) {
    if (!(await isInSubgroup({ group, points: joinBytes(groups.flatMap((each) => each[group])) }))) return false;
  }
  return true;
}

/**
 * Whether, for each secret x, e(s, x sp) = e(x s, sp) and e(P, x sp) = e(x P, sp) for the point P of G1 before; and
 * e(s, x Q) = e(x s, Q) for the point Q of G2. By random factors this is one product of pairings.
 */
async function haveOneSecretEach(
  links: readonly Link[],
  curve: Curve['id'],
  arithmetic: PairingArithmetic,
): Promise<boolean> {
  const factor = (): bigint => bytesToBigint(randomBytes(FACTOR_BYTES));
  const pairsOf = async ({ points, before, sp }: Link, name: SecretName) => {
    const [s, sx, spx] = [points[`${name}S`], points[`${name}Sx`], points[`${name}Spx`]];
    const [rho, sigma] = [factor(), factor()];
    const inG1 = `${name}G1` as const;
    const [known, changed] = await Promise.all([
      multiples(arithmetic, curve, [
        [s, rho],
        [before[inG1], sigma],
      ]),
      multiples(arithmetic, curve, [
        [sx, -rho],
        [points[inG1], -sigma],
      ]),
    ]);
    const pairs = [
      [known, spx],
      [changed, sp[name]],
    ];
    if (name === 'alpha') return pairs;
    const mu = factor();
    const inG2 = `${name}G2` as const;
    const [times, timesX] = await Promise.all([
      multiples(arithmetic, curve, [[s, mu]]),
      multiples(arithmetic, curve, [[sx, mu]]),
    ]);
    return [...pairs, [times, points[inG2]], [negated(curve, timesX), before[inG2]]];
  };
  const names = ['tau', 'alpha', 'beta'] as const;
  const all = await Promise.all(links.flatMap((link) => names.map((name) => pairsOf(link, name))));
  const pairs = all.flat() as [Uint8Array, Uint8Array][];
  return arithmetic.pairingProductIsOne({
    g1: joinBytes(pairs.map(([g1]) => g1)),
    g2: joinBytes(pairs.map(([, g2]) => g2)),
  });
}

/** Whether the whole public key is what the beacon gives. */
async function isOfBeacon(
  { signal, onProgress }: ToldWork,
  curve: Curve,
  { points, beacon }: PowersRecord,
  challenge: Uint8Array,
  arithmetic: PairingArithmetic,
): Promise<boolean> {
  const seed = await beaconSeed(beacon!, signal, onProgress);
  const { secrets, publicKey } = await drawPowersKey(seed, challenge, curve, arithmetic);
  wipe(...Object.values(secrets));
  return Object.entries(publicKey).every(([name, point]) => equalBytes(points[name as keyof PublicKey], point));
}
