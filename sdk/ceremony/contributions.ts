import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToBigint, joinBytes, writeBigint } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { type Curve, type GroupId, pointBytes } from '../curves/index.js';
import { reverseCoordinates } from '../curves/point-bytes.js';
import type { ByteSource } from '../files/byte-source.js';
import { expectOnCurve } from '../files/snarkjs/curve-equation.js';
import { viewOf, words } from '../files/snarkjs/section-file.js';
import { montgomeryReader } from '../files/snarkjs/zkey-header.js';

/**
 * Section 10 of a .zkey: the hash of the circuit, the number of contributions (u32), and each contribution as
 *
 * - delta afterwards, s and s x in G1, and x times a point of G2 (`ContributionPoints`), all in the form of a .zkey;
 * - the transcript, a hash of all that was there before, which determines that point of G2;
 * - the type (u32): 0, or 1 for a beacon;
 * - the bytes of the parameters (u32), and these, by ascending tags of one byte: 1, length and bytes of the name; 2,
 *   the logarithm of a beacon's iterations; 3, length and bytes of the beacon's hash.
 *
 * Hashes are Blake2b-512, of points with big-endian coordinates.
 */
export const HISTORY_SECTION = 10;
export const HASH_BYTES = 64;

const TAG = { name: 1, iterations: 2, hash: 3 } as const;
/** UTF-16 units of a name that are written. */
const MOST_NAME_UNITS = 64;
/** Room for some 50 000 contributions, more than any ceremony has had; a longer section is a damaged file. */
const MOST_BYTES = 2 ** 25;

/** The points of a contribution with the secret x. */
export interface ContributionPoints {
  /** delta of the key, after it. */
  readonly deltaAfter: Uint8Array;
  /** A random point s of G1, and x s. */
  readonly g1s: Uint8Array;
  readonly g1sx: Uint8Array;
  /** x times the point of G2 that the transcript determines. */
  readonly g2spx: Uint8Array;
}

/** The source of a beacon's secret. */
export interface BeaconParameters {
  readonly hash: Uint8Array;
  /** SHA-256 is applied 2^iterations times. */
  readonly iterations: number;
}

export interface ContributionRecord {
  /** As written in the file, and in the boundary form. */
  readonly written: ContributionPoints;
  readonly points: ContributionPoints;
  readonly transcript: Uint8Array;
  readonly name: string | undefined;
  readonly beacon: BeaconParameters | undefined;
}

export interface History {
  readonly circuitHash: Uint8Array;
  readonly contributions: readonly ContributionRecord[];
}

/** A Blake2b-512. */
export const newBlake2b = (): ReturnType<typeof blake2b.create> => blake2b.create({ dkLen: HASH_BYTES });

/** A Blake2b-512 of points and other bytes one after another. */
export class CeremonyHash {
  private constructor(private readonly hash: ReturnType<typeof blake2b.create>) {}

  static create(): CeremonyHash {
    return new CeremonyHash(newBlake2b());
  }

  bytes(bytes: Uint8Array): this {
    this.hash.update(bytes);
    return this;
  }

  /** A finite point in the boundary form, with big-endian coordinates; of those over F_p^2 c1 comes first. */
  point(point: Uint8Array): this {
    return this.bytes(toUncompressed(point));
  }

  contribution({ points, transcript }: Pick<ContributionRecord, 'points' | 'transcript'>): this {
    for (const name of POINT_NAMES) this.point(points[name]);
    return this.bytes(transcript);
  }

  /** The transcript of the next contribution: the hash of all until now and of its two points of G1. */
  transcriptWith(g1s: Uint8Array, g1sx: Uint8Array): Uint8Array {
    return new CeremonyHash(this.hash.clone()).point(g1s).point(g1sx).digest();
  }

  digest(): Uint8Array {
    return this.hash.digest();
  }
}

const POINT_NAMES = ['deltaAfter', 'g1s', 'g1sx', 'g2spx'] as const;
const GROUPS: Readonly<Record<keyof ContributionPoints, GroupId>> = {
  deltaAfter: 'g1',
  g1s: 'g1',
  g1sx: 'g1',
  g2spx: 'g2',
};

/** The hash of a contribution, which its contributor publishes. */
export function hashOfContribution(record: Pick<ContributionRecord, 'points' | 'transcript'>): Uint8Array {
  return CeremonyHash.create().contribution(record).digest();
}

/** The hash of the circuit and of the contributions until now. */
export function hashOfHistory({ circuitHash, contributions }: History): CeremonyHash {
  const hash = CeremonyHash.create().bytes(circuitHash);
  for (const record of contributions) hash.contribution(record);
  return hash;
}

/**
 * Reads section 10. `MALFORMED_FILE` for what contradicts itself, `INVALID_POINT` for a point that is infinite or not
 * on its curve.
 */
export async function readHistory(section: ByteSource, curve: Curve): Promise<History> {
  if (section.size > MOST_BYTES)
    throw malformedSection(HISTORY_SECTION, `at most ${MOST_BYTES} bytes`, String(section.size));
  const bytes = await section.read(0, section.size);
  const reader = new HistoryReader(bytes, HISTORY_SECTION);
  const circuitHash = reader.take(HASH_BYTES);
  const count = reader.u32();
  const contributions: ContributionRecord[] = [];
  for (let i = 0; i < count; i++) contributions.push(readContribution(reader, curve, i + 1));
  if (reader.left > 0)
    throw malformedSection(HISTORY_SECTION, `${count} contributions`, `${reader.left} bytes after them`);
  return { circuitHash, contributions };
}

function readContribution(reader: HistoryReader, curve: Curve, number: number): ContributionRecord {
  const written: Record<string, Uint8Array> = {};
  const points: Record<string, Uint8Array> = {};
  for (const name of POINT_NAMES) {
    const read = reader.point(curve, GROUPS[name], `${name} of contribution ${number}`);
    written[name] = read.written;
    points[name] = read.point;
  }
  const transcript = reader.take(HASH_BYTES);
  return {
    written: written as unknown as ContributionPoints,
    points: points as unknown as ContributionPoints,
    transcript,
    ...readType(reader, number),
  };
}

/** The name of a contribution, and the beacon that it was made from if it is one. */
export function readType(reader: HistoryReader, number: number): Pick<ContributionRecord, 'name' | 'beacon'> {
  const { section } = reader;
  const type = reader.u32();
  if (type > 1) throw malformedSection(section, `contribution ${number} of type 0 or 1`, `type ${type}`);
  const { name, ...beacon } = readParameters(new HistoryReader(reader.take(reader.u32()), section), number);
  if (type === 1 && (beacon.hash === undefined || beacon.iterations === undefined)) {
    throw malformedSection(section, `the hash and the iterations of the beacon that contribution ${number} is`, 'none');
  }
  return { name, beacon: type === 1 ? (beacon as BeaconParameters) : undefined };
}

function readParameters(
  reader: HistoryReader,
  number: number,
): Partial<BeaconParameters> & { readonly name: string | undefined } {
  let [last, name, iterations, hash]: [number, string?, number?, Uint8Array?] = [0];
  while (reader.left > 0) {
    const tag = reader.u8();
    if (tag <= last)
      throw malformedSection(
        reader.section,
        `parameters of contribution ${number} in ascending order`,
        `${tag} after ${last}`,
      );
    last = tag;
    if (tag === TAG.name) name = new TextDecoder().decode(reader.take(reader.u8()));
    else if (tag === TAG.iterations) iterations = reader.u8();
    else if (tag === TAG.hash) hash = reader.take(reader.u8());
    else throw malformedSection(reader.section, `parameters 1 to 3 of contribution ${number}`, `parameter ${tag}`);
  }
  return { name, ...(iterations !== undefined && { iterations }), ...(hash !== undefined && { hash }) };
}

/** Section 10, as snarkjs writes it. */
export function writeHistory({ circuitHash, contributions }: History): Uint8Array {
  const records = contributions.flatMap(({ written, transcript, name, beacon }) => {
    const parameters = writeParameters(name, beacon);
    const type = beacon === undefined ? 0 : 1;
    const points = POINT_NAMES.map((each) => written[each]);
    return [...points, transcript, words(type, parameters.length), parameters];
  });
  return joinBytes([circuitHash, words(contributions.length), ...records]);
}

export function writeParameters(name: string | undefined, beacon: BeaconParameters | undefined): Uint8Array {
  const parts: Uint8Array[] = [];
  if (name !== undefined && name !== '') {
    const text = new TextEncoder().encode(name.slice(0, MOST_NAME_UNITS));
    parts.push(Uint8Array.of(TAG.name, text.length), text);
  }
  if (beacon !== undefined) {
    parts.push(Uint8Array.of(TAG.iterations, beacon.iterations, TAG.hash, beacon.hash.length), beacon.hash);
  }
  return joinBytes(parts);
}

/** A point of the boundary form as a .zkey has it: coordinates times R mod p. */
export function toMontgomery({ coordinateBytes, fq }: Curve, point: Uint8Array): Uint8Array {
  const written = new Uint8Array(point.length);
  const R = 1n << BigInt(8 * coordinateBytes);
  for (let at = 0; at < point.length; at += coordinateBytes) {
    writeBigint(written, at, coordinateBytes, (bytesToBigint(point, at, coordinateBytes) * R) % fq.modulus);
  }
  return written;
}

/** A point of the boundary form as it is hashed: big-endian, c1 before c0. */
export function toUncompressed(point: Uint8Array): Uint8Array {
  const bytes = point.slice();
  reverseCoordinates(bytes, bytes.length);
  return bytes;
}

/** The record of a contribution whose points are in the boundary form. */
export function recordOf(
  curve: Curve,
  points: ContributionPoints,
  rest: Pick<ContributionRecord, 'transcript' | 'name' | 'beacon'>,
): ContributionRecord {
  const [deltaAfter, g1s, g1sx, g2spx] = POINT_NAMES.map((name) => toMontgomery(curve, points[name]));
  return { written: { deltaAfter: deltaAfter!, g1s: g1s!, g1sx: g1sx!, g2spx: g2spx! }, points, ...rest };
}

export function malformedSection(section: number, expected: string, got: string): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected} in section ${section}, got ${got}`);
}

/** Takes the bytes of the history from the beginning. `MALFORMED_FILE` at their end. */
export class HistoryReader {
  private at = 0;

  /** @param section the section's number, in messages. */
  constructor(
    private readonly bytes: Uint8Array,
    readonly section: number,
  ) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw malformedSection(this.section, `${length} more bytes`, `${this.left}`);
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }

  u8(): number {
    return this.take(1)[0]!;
  }

  /** A finite point of the curve, as written and in the boundary form. `INVALID_POINT` for another. */
  point(curve: Curve, group: GroupId, what: string): { readonly written: Uint8Array; readonly point: Uint8Array } {
    const written = this.take(pointBytes(curve.id, group));
    const point = montgomeryReader(curve)(written, what);
    if (written.every((byte) => byte === 0)) {
      throw new PippinError('INVALID_POINT', `expected ${what} as a finite point, got infinity`);
    }
    expectOnCurve(curve, group, point, what);
    return { written, point };
  }

  u32(): number {
    return viewOf(this.take(4)).getUint32(0, true);
  }
}
