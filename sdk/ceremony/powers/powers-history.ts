import { blake2b } from '@noble/hashes/blake2.js';
import { joinBytes } from '../../base/bytes.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import type { ByteSource } from '../../files/byte-source.js';
import { words } from '../../files/snarkjs/section-file.js';
import {
  type BeaconParameters,
  HASH_BYTES,
  HistoryReader,
  malformedSection,
  readType,
  toMontgomery,
  toUncompressed,
  writeParameters,
} from '../contributions.js';
import { readUncompressed } from '../uncompressed-points.js';
import { finishedHash, PARTIAL_HASH_BYTES } from './partial-hash.js';

/**
 * Section 7 of a .ptau file: the number of contributions (u32), and each as
 *
 * - the points afterwards (`POINT_NAMES`), then those that prove that the secrets are known (`KEY_NAMES`);
 * - the state of the hash of the challenge and of all points that came of it, compressed (`partialHash`);
 * - the hash of the next challenge: of the contribution's hash, and of all points;
 * - type and parameters as in a .zkey (sdk/ceremony/contributions.ts).
 *
 * Hashes are Blake2b-512, of points with big-endian coordinates. A contribution's hash is its state finished with the
 * points `KEY_NAMES`.
 */
export const HISTORY = 7;

const POINT_NAMES = ['tauG1', 'tauG2', 'alphaG1', 'betaG1', 'betaG2'] as const;
/** Of each secret x: s and x s in G1, and x times a point of G2 that these and the challenge determine. */
const KEY_NAMES = ['tauS', 'tauSx', 'alphaS', 'alphaSx', 'betaS', 'betaSx', 'tauSpx', 'alphaSpx', 'betaSpx'] as const;
const NAMES = [...POINT_NAMES, ...KEY_NAMES] as const;
type PointName = (typeof NAMES)[number];
/** In the boundary form. */
export type PowersPoints = Readonly<Record<PointName, Uint8Array>>;
export type PublicKey = Pick<PowersPoints, (typeof KEY_NAMES)[number]>;
export type SecretName = 'tau' | 'alpha' | 'beta';

/** Room for some 10 000 contributions. */
const MOST_BYTES = 2 ** 25;

export interface PowersRecord {
  readonly points: PowersPoints;
  readonly state: Uint8Array;
  /** The hash that its contributor publishes. */
  readonly hash: Uint8Array;
  readonly nextChallenge: Uint8Array;
  readonly name: string | undefined;
  readonly beacon: BeaconParameters | undefined;
}

function groupOf(name: PointName): GroupId {
  return /G2$|Spx$/.test(name) ? 'g2' : 'g1';
}

/** Points of G1 and of G2 of a record. */
export function pointsByGroup(points: PowersPoints): Readonly<Record<GroupId, Uint8Array[]>> {
  const of = (group: GroupId) => NAMES.filter((name) => groupOf(name) === group).map((name) => points[name]);
  return { g1: of('g1'), g2: of('g2') };
}

/** Points of the boundary form as they are hashed: big-endian, c1 before c0. */
export function uncompressed(points: readonly Uint8Array[]): Uint8Array {
  return joinBytes(points.map(toUncompressed));
}

/** What the state of a contribution's hash is finished with. */
export function hashedKey(points: PublicKey): Uint8Array {
  return uncompressed(KEY_NAMES.map((name) => points[name]));
}

/** Reads what `hashedKey` gives. `INVALID_POINT` for a point that is infinite or not on its curve. */
export function readHashedKey(bytes: Uint8Array, curve: Curve): PublicKey {
  const points: Record<string, Uint8Array> = {};
  let at = 0;
  for (const name of KEY_NAMES) {
    const size = pointBytes(curve.id, groupOf(name));
    points[name] = readUncompressed(bytes.slice(at, at + size), curve, groupOf(name), name);
    at += size;
  }
  return points as unknown as PublicKey;
}

/** The bytes of `hashedKey`. */
export function hashedKeyBytes(curve: Curve): number {
  return KEY_NAMES.reduce((sum, name) => sum + pointBytes(curve.id, groupOf(name)), 0);
}

/** The hash that a ceremony begins with, of no bytes. */
export function blankHash(): Uint8Array {
  return blake2b(new Uint8Array(), { dkLen: HASH_BYTES });
}

/**
 * Reads section 7. `MALFORMED_FILE` for what contradicts itself, `INVALID_POINT` for a point that is infinite or not on
 * its curve.
 */
export async function readPowersHistory(section: ByteSource, curve: Curve): Promise<PowersRecord[]> {
  if (section.size > MOST_BYTES) throw malformedSection(HISTORY, `at most ${MOST_BYTES} bytes`, String(section.size));
  const reader = new HistoryReader(await section.read(0, section.size), HISTORY);
  const count = reader.u32();
  const records: PowersRecord[] = [];
  for (let i = 0; i < count; i++) records.push(readRecord(reader, curve, i + 1));
  if (reader.left > 0) throw malformedSection(HISTORY, `${count} contributions`, `${reader.left} bytes after them`);
  return records;
}

function readRecord(reader: HistoryReader, curve: Curve, number: number): PowersRecord {
  const points: Record<string, Uint8Array> = {};
  for (const name of NAMES) {
    points[name] = reader.point(curve, groupOf(name), `${name} of contribution ${number}`).point;
  }
  const state = reader.take(PARTIAL_HASH_BYTES);
  const nextChallenge = reader.take(HASH_BYTES);
  const made = points as unknown as PowersPoints;
  const hash = finishedHash(state, hashedKey(made), `the hash of contribution ${number}`);
  return { points: made, state, hash, nextChallenge, ...readType(reader, number) };
}

/** Section 7, as snarkjs writes it. */
export function writePowersHistory(curve: Curve, records: readonly PowersRecord[]): Uint8Array {
  const parts = records.flatMap(({ points, state, nextChallenge, name, beacon }) => {
    const parameters = writeParameters(name, beacon);
    const type = beacon === undefined ? 0 : 1;
    const written = NAMES.map((each) => toMontgomery(curve, points[each]));
    return [...written, state, nextChallenge, words(type, parameters.length), parameters];
  });
  return joinBytes([words(records.length), ...parts]);
}

/** Points before the first contribution: generators. */
export function firstPoints(
  generators: Readonly<Record<GroupId, Uint8Array>>,
): Pick<PowersPoints, (typeof POINT_NAMES)[number]> {
  const { g1, g2 } = generators;
  return { tauG1: g1, tauG2: g2, alphaG1: g1, betaG1: g1, betaG2: g2 };
}
