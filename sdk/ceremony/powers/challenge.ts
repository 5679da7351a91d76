import { throwIfAborted } from '../../base/abort.js';
import { equalBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory, wipe } from '../../base/free-memory.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import { type ByteSource, partOf, slicesOf } from '../../files/byte-source.js';
import { toHex } from '../../files/cache/sha256.js';
import { MAX_POWER } from '../../files/snarkjs/ptau.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../../proofs/pairings.js';
import { type CeremonyWork, CHUNK_POINTS, type ToldWork } from '../ceremony-work.js';
import { HASH_BYTES, newBlake2b } from '../contributions.js';
import { fromUncompressed } from '../uncompressed-points.js';
import { firstChallenge, uncompressedPoints } from './hash-points.js';
import {
  bytesOfPoints,
  openPowers,
  POINTS,
  type PowersSection,
  pointsOf,
  sectionName,
  vectorOf,
} from './powers-file.js';
import { blankHash, hashedKey } from './powers-history.js';
import { drawPowersKey } from './powers-key.js';
import { finiteMembers, scaledPowers } from './scaled-powers.js';

/**
 * Challenge and response files, for contributors without the .ptau. A challenge is the hash of the last response, and
 * the points of the sections 2 to 6, uncompressed; the challenge's hash is of the whole file. A response is the hash of
 * the challenge, the points afterwards, compressed, and the points that prove that the secrets are known, uncompressed.
 */

/** The parts of the work of a response that is reading the challenge. */
const SHARE_OF_READING = 0.05;

/**
 * Writes the challenge of the next contribution, byte for byte as snarkjs 0.7.6. `MALFORMED_FILE` for points that do
 * not have the hash of the last contribution, `INVALID_POINT` for a point that is infinite or outside of the subgroup.
 *
 * @returns the challenge's hash.
 */
export async function writeChallenge(
  work: ToldWork,
  source: ByteSource,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Uint8Array> {
  const powers = await openPowers(source);
  const { curve, power, contributions } = powers;
  await work.open(curve.id);
  const last = contributions.at(-1);
  const expected = last?.nextChallenge ?? (await firstChallenge(work, curve, power));
  const response = last?.hash ?? blankHash();
  const hash = newBlake2b().update(response);
  await write(response.slice());
  for (const [i, section] of POINTS.entries()) {
    const vector = vectorOf(powers, section);
    await expectFiniteMembers(work, curve, vector, sectionName(section));
    for await (const points of uncompressedPoints(work, curve, vector)) {
      hash.update(points);
      await write(points);
    }
    work.onProgress((i + 1) / POINTS.length);
  }
  const found = hash.digest();
  if (equalBytes(found, expected)) return found;
  throw new PippinError(
    'MALFORMED_FILE',
    `expected points with the hash of the next challenge, ${toHex(expected)}, got ${toHex(found)}`,
    { hint: 'a file that has been truncated has no challenge' },
  );
}

async function expectFiniteMembers(work: CeremonyWork, curve: Curve, vector: KeyVector, what: string): Promise<void> {
  const { group, count, bytes } = vector;
  const size = pointBytes(curve.id, group);
  for (let from = 0; from < count; from += CHUNK_POINTS) {
    throwIfAborted(work.signal);
    const some = Math.min(CHUNK_POINTS, count - from);
    const chunk = { group, count: some, bytes: partOf(bytes, from * size, some * size) };
    freeMemory(await finiteMembers(work, curve, chunk, { what, from }));
  }
}

/**
 * Writes the response to a challenge: its points times the secrets that the seed determines, as snarkjs 0.7.6 writes
 * it. `MALFORMED_FILE` for a file of another size than a challenge's, `INVALID_POINT` as in `scaledPowers`.
 *
 * @returns the hashes of the challenge and of the response.
 */
export async function writeResponse(
  work: ToldWork,
  {
    challenge: source,
    curve,
    seed,
  }: { readonly challenge: ByteSource; readonly curve: Curve; readonly seed: Uint8Array },
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<{ readonly challenge: Uint8Array; readonly hash: Uint8Array }> {
  const power = powerOfChallenge(curve, source.size);
  await work.open(curve.id);
  const challenge = await hashOf(source, work);
  const key = await drawPowersKey(seed, challenge, curve, pairings(work.pool, curve.id, work.signal));
  try {
    const hash = newBlake2b().update(challenge);
    await write(challenge.slice());
    const powers = {
      curve,
      power,
      encoding: 'canonical',
      vectorOf: (section: PowersSection) => vectorOfChallenge(source, curve, power, section),
    } as const;
    const tell = (done: number): void => work.onProgress(SHARE_OF_READING + (1 - SHARE_OF_READING) * done);
    for await (const { compressed } of scaledPowers(work, powers, key.secrets, tell)) {
      hash.update(compressed);
      await write(compressed);
    }
    const proof = hashedKey(key.publicKey);
    const digest = hash.update(proof).digest();
    await write(proof);
    return { challenge, hash: digest };
  } finally {
    wipe(...Object.values(key.secrets));
  }
}

async function hashOf(source: ByteSource, { signal, onProgress }: ToldWork): Promise<Uint8Array> {
  const hash = newBlake2b();
  for await (const slice of slicesOf(source, (done) => onProgress(SHARE_OF_READING * done))) {
    throwIfAborted(signal);
    hash.update(slice);
  }
  return hash.digest();
}

function powerOfChallenge(curve: Curve, size: number): number {
  for (let power = 1; power <= MAX_POWER; power++) if (endOfPoints(curve, power) === size) return power;
  throw new PippinError(
    'MALFORMED_FILE',
    `expected a challenge over ${curve.name}, of ${endOfPoints(curve, 1)} bytes or of a larger power, got ${size} bytes`,
    { hint: 'the curve must be the one of the powers of tau' },
  );
}

/** Where points begin, in front of all sections or in front of one. */
function endOfPoints(curve: Curve, power: number, before = Number.POSITIVE_INFINITY): number {
  const sections = POINTS.filter(({ id }) => id < before);
  const bytes = ({ id, group }: { id: number; group: GroupId }) => bytesOfPoints(curve, group, pointsOf(id, power));
  return sections.reduce((sum, section) => sum + bytes(section), HASH_BYTES);
}

function vectorOfChallenge(source: ByteSource, curve: Curve, power: number, { id, group }: PowersSection): KeyVector {
  const count = pointsOf(id, power);
  const part = partOf(source, endOfPoints(curve, power, id), bytesOfPoints(curve, group, count));
  return { group, count, bytes: fromUncompressed(part, pointBytes(curve.id, group)) };
}
