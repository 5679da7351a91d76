import { throwIfAborted } from '../../base/abort.js';
import { equalBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { type Curve, pointBytes } from '../../curves/index.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { type ByteSource, memorySource } from '../../files/byte-source.js';
import { toHex } from '../../files/cache/sha256.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import { type CeremonyWork, SLICE_POINTS, type ToldWork } from '../ceremony-work.js';
import { HASH_BYTES, newBlake2b } from '../contributions.js';
import { expectAllPowers, type PowersOutput, PowersWriter } from './contribute-powers.js';
import { firstChallenge } from './hash-points.js';
import { partialHash } from './partial-hash.js';
import {
  openHistoryOfPowers,
  POINTS,
  type PowersSection,
  PTAU_SECTIONS,
  pointsOf,
  sectionName,
} from './powers-file.js';
import { hashedKeyBytes, type PowersRecord, readHashedKey } from './powers-history.js';
import { finiteMembers } from './scaled-powers.js';

/** Bytes of points in memory at a time. The hash's state depends on it, and so it is snarkjs'. */
const CHUNK_BYTES = 2 ** 24;
/** The challenge after a contribution without points, which is not known. */
const UNKNOWN_CHALLENGE = new Uint8Array(HASH_BYTES).fill(0xff);

export interface ImportedResponse {
  readonly response: ByteSource;
  readonly name: string | undefined;
  /** Whether the new file has the points, or the history alone. */
  readonly hasPoints: boolean;
}

/**
 * Writes powers of tau after a response to their challenge, byte for byte as snarkjs 0.7.6. The response is not
 * verified, but for its points to be finite and in the subgroup of prime order. `MALFORMED_FILE` for a response of
 * another size, `INVALID_ARGUMENT` for one to another challenge.
 *
 * @returns the record of the contribution.
 */
export async function importResponseTo(
  work: ToldWork,
  source: ByteSource,
  { response, name, hasPoints }: ImportedResponse,
  output: PowersOutput,
): Promise<PowersRecord> {
  const powers = await openHistoryOfPowers(source);
  expectAllPowers(powers);
  const { curve, power } = powers;
  const reader = new ResponseReader(response, curve, power);
  await work.open(curve.id);
  const challenge = await reader.take(HASH_BYTES);
  const contributions = await historyUntil(challenge, powers, work);
  const hash = newBlake2b().update(challenge);
  const writer = new PowersWriter(powers, output);
  await writer.begin(hasPoints ? PTAU_SECTIONS.plain : PTAU_SECTIONS.history);
  for (const [i, section] of POINTS.entries()) {
    const tell = (done: number): void => work.onProgress((i + done) / POINTS.length);
    const size = pointBytes(curve.id, section.group);
    const chunk = Math.floor(CHUNK_BYTES / (hasPoints ? size : size / 2));
    const count = pointsOf(section.id, power);
    for (let from = 0; from < count; from += chunk) {
      throwIfAborted(work.signal);
      const some = Math.min(chunk, count - from);
      const compressed = await reader.take((some * size) / 2);
      hash.update(compressed);
      if (hasPoints) {
        const onProgress = (done: number): void => tell((from + some * done) / count);
        await writer.points(section, from, await decompressed(work, curve, section, { compressed, from, onProgress }));
      } else if (from === 0) {
        // The record needs the first two.
        const first = compressed.slice(0, size);
        writer.note(section, await decompressed(work, curve, section, { compressed: first, from, onProgress: tell }));
      }
      freeMemory(compressed);
    }
  }
  const state = partialHash(hash);
  const proof = await reader.take(hashedKeyBytes(curve));
  const points = { ...writer.firstPoints(), ...readHashedKey(proof, curve) };
  const digest = hash.update(proof).digest();
  const nextChallenge = hasPoints ? await writer.nextChallenge(work, digest) : UNKNOWN_CHALLENGE;
  const record = { points, state, hash: digest, nextChallenge, name, beacon: undefined };
  await writer.end([...contributions, record]);
  work.onProgress(1);
  return record;
}

/** Takes the bytes of a response in order. `MALFORMED_FILE` unless it has the size of one. */
class ResponseReader {
  private at = 0;

  constructor(
    private readonly source: ByteSource,
    curve: Curve,
    power: number,
  ) {
    const points = POINTS.reduce((sum, { id, group }) => sum + pointsOf(id, power) * pointBytes(curve.id, group), 0);
    const size = HASH_BYTES + points / 2 + hashedKeyBytes(curve);
    if (source.size === size) return;
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a response of ${size} bytes for powers of 2^${power} over ${curve.name}, got ${source.size} bytes`,
    );
  }

  take(length: number): Promise<Uint8Array> {
    this.at += length;
    return this.source.read(this.at - length, length);
  }
}

/** The contributions until the challenge. After one without points any challenge is taken for the next one. */
async function historyUntil(
  challenge: Uint8Array,
  {
    curve,
    power,
    contributions,
  }: { readonly curve: Curve; readonly power: number; readonly contributions: readonly PowersRecord[] },
  work: CeremonyWork,
): Promise<readonly PowersRecord[]> {
  const last = contributions.at(-1);
  if (last !== undefined && equalBytes(last.nextChallenge, UNKNOWN_CHALLENGE)) {
    return contributions.with(-1, { ...last, nextChallenge: challenge });
  }
  const expected = last?.nextChallenge ?? (await firstChallenge(work, curve, power));
  if (equalBytes(challenge, expected)) return contributions;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected a response to the challenge ${toHex(expected)}, got one to ${toHex(challenge)}`,
    { hint: 'import it to the powers that the challenge was exported from' },
  );
}

/** Points as a .ptau file has them, checked to be finite and in the subgroup of prime order. */
async function decompressed(
  work: CeremonyWork,
  curve: Curve,
  section: PowersSection,
  {
    compressed,
    from,
    onProgress,
  }: { readonly compressed: Uint8Array; readonly from: number; readonly onProgress: (fraction: number) => void },
): Promise<Uint8Array> {
  const { group } = section;
  const { pool, signal } = work;
  const what = sectionName(section);
  const module = await work.module(curve.id, 'roots');
  const size = pointBytes(curve.id, group);
  const count = (2 * compressed.length) / size;
  const points = new Uint8Array(count * size);
  const decompress = async (begin: number, end: number): Promise<void> => {
    const made = await retryOnDeadWorker(() => {
      const own = compressed.slice((begin * size) / 2, (end * size) / 2);
      const args = { group, compressed: own, what, first: from + begin, module };
      return pool.call(curve.id, 'decompressPoints', args, { signal, moved: true });
    });
    points.set(made, begin * size);
    freeMemory(made);
  };
  await eachSlice(pool, count, SLICE_POINTS, decompress, { signal, onProgress });
  freeMemory(await finiteMembers(work, curve, { group, count, bytes: memorySource(points) }, { what, from }));
  return points;
}
