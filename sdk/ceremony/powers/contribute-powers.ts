import { blake2b } from '@noble/hashes/blake2.js';
import { bigintToBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory, wipe } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { sectionHead } from '../../files/snarkjs/section-file.js';
import { type KeyVector, montgomeryReader } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../../proofs/pairings.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import type { MakeContribution } from '../contribute.js';
import { HASH_BYTES } from '../contributions.js';
import { type CeremonyWork, COST_OF_G2, SLICE_POINTS } from '../scaled-section.js';
import { firstChallenge, hashPoints } from './hash-points.js';
import { partialHash } from './partial-hash.js';
import {
  bytesOfPoints,
  fileHead,
  openPowers,
  POINTS,
  type PowersFile,
  type PowersSection,
  PTAU_SECTIONS,
  pointsOf,
  sectionName,
  vectorOf,
} from './powers-file.js';
import { HISTORY, hashedKey, type PowersPoints, type PowersRecord, writePowersHistory } from './powers-history.js';
import { drawPowersKey, type PowersKey } from './powers-key.js';

/** Bytes of points in memory at a time. The hash's state depends on it, and so it is snarkjs'. */
const CHUNK_BYTES = 2 ** 20;

/** A file that is written, of which parts are read again. */
export interface PowersOutput {
  /** Takes bytes that nobody else uses. */
  write(bytes: Uint8Array): Promise<void>;
  /** What has been written. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Writes powers of tau with one contribution more, byte for byte as snarkjs 0.7.6: point i of each section times tau^i,
 * and times alpha or beta, for the secrets that the seed determines, and the record of the contribution. Sections for
 * phase 2 are left out, as they no longer hold.
 *
 * @returns the hash of the contribution, and the next challenge.
 */
export async function contributeToPowers(
  source: ByteSource,
  seed: Uint8Array,
  output: PowersOutput,
  options: MakeContribution,
): Promise<PowersRecord> {
  const powers = await openPowers(source);
  const { curve, power, ceremonyPower, contributions } = powers;
  if (power !== ceremonyPower) {
    throw new PippinError(
      'UNSUPPORTED_FORMAT',
      `expected all powers of the ceremony of 2^${ceremonyPower}, got a file truncated to 2^${power}`,
      { hint: 'contribute to the file that was truncated' },
    );
  }
  await options.open(curve.id);
  const { signal, name, beacon } = options;
  const challenge = contributions.at(-1)?.nextChallenge ?? (await firstChallenge(curve, power, signal));
  const key = await drawPowersKey(seed, challenge, curve, pairings(options.pool, curve.id, signal));
  try {
    for (const part of fileHead(curve, power, PTAU_SECTIONS.plain)) await output.write(part);
    const made = await writeSections(powers, key, challenge, output, options);
    const points = { ...made.points, ...key.publicKey };
    const next = blake2b.create({ dkLen: HASH_BYTES }).update(made.hash);
    for (const [i, { id, group }] of POINTS.entries()) {
      const size = bytesOfPoints(curve, group, pointsOf(id, power));
      const written = { size, read: (offset: number, length: number) => output.read(made.starts[i]! + offset, length) };
      await hashPoints(options, curve, { group, bytes: written }, next);
    }
    const record = { points, state: made.state, hash: made.hash, nextChallenge: next.digest(), name, beacon };
    const history = writePowersHistory(curve, [...contributions, record]);
    await output.write(sectionHead(HISTORY, history.length));
    await output.write(history);
    options.onProgress(1);
    return record;
  } finally {
    wipe(...Object.values(key.secrets));
  }
}

/** What was written: the hash until now, and where each section's points begin. */
interface Written {
  readonly points: Omit<PowersPoints, keyof PowersKey['publicKey']>;
  readonly state: Uint8Array;
  readonly hash: Uint8Array;
  readonly starts: readonly number[];
}

async function writeSections(
  powers: PowersFile,
  { secrets, publicKey }: PowersKey,
  challenge: Uint8Array,
  output: PowersOutput,
  options: MakeContribution,
): Promise<Written> {
  const { curve, power } = powers;
  const hash = blake2b.create({ dkLen: HASH_BYTES }).update(challenge);
  const one = bigintToBytes(1n, SCALAR_BYTES);
  const first = { 2: one, 3: one, 4: secrets.alpha, 5: secrets.beta, 6: secrets.beta };
  const canonical = montgomeryReader(curve);
  const firstTwo: Uint8Array[][] = [];
  const starts: number[] = [];
  const cost = ({ id, group }: PowersSection): number => pointsOf(id, power) * (group === 'g2' ? COST_OF_G2 : 1);
  const all = POINTS.reduce((sum, section) => sum + cost(section), 0);
  let at = fileHead(curve, power, PTAU_SECTIONS.plain).reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  for (const section of POINTS) {
    const vector = vectorOf(powers, section);
    const head = sectionHead(section.id, vector.bytes.size);
    starts.push(at + head.length);
    at += head.length + vector.bytes.size;
    await output.write(head);
    const what = sectionName(section);
    const onProgress = (done: number): void => options.onProgress((before + done * cost(section)) / all);
    const scaling = { first: first[section.id], ratio: secrets.tau, what, onProgress };
    for await (const { written, compressed } of scaledChunks(options, curve, vector, scaling)) {
      const size = pointBytes(curve.id, section.group);
      if (firstTwo.length < starts.length) {
        firstTwo.push([0, 1].map((i) => canonical(written.slice(i * size, (i + 1) * size), what)));
      }
      hash.update(compressed);
      await output.write(written);
    }
    before += cost(section);
  }
  const [[, tauG1], [, tauG2], [alphaG1], [betaG1], [betaG2]] = firstTwo as [
    [Uint8Array, Uint8Array],
    [Uint8Array, Uint8Array],
    [Uint8Array],
    [Uint8Array],
    [Uint8Array],
  ];
  const state = partialHash(hash);
  return {
    points: { tauG1, tauG2, alphaG1, betaG1, betaG2 },
    state,
    hash: hash.update(hashedKey(publicKey)).digest(),
    starts,
  };
}

interface PowersScaling {
  readonly first: Uint8Array;
  readonly ratio: Uint8Array;
  readonly what: string;
  /** Called with the done fraction. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Point i of a section times first ratio^i, chunk by chunk: as a .ptau file has them, and compressed. `INVALID_POINT`
 * for a point that is infinite, off its curve or outside of the subgroup of prime order.
 */
async function* scaledChunks(
  work: CeremonyWork,
  curve: Curve,
  { group, count, bytes }: KeyVector,
  { first, ratio, what, onProgress }: PowersScaling,
): AsyncGenerator<{ readonly written: Uint8Array; readonly compressed: Uint8Array }> {
  const { pool, signal } = work;
  const module = await work.compileRoots(curve.id);
  const size = pointBytes(curve.id, group);
  const packedBytes = preparedPointBytes(curve.id, group);
  const chunk = Math.floor(CHUNK_BYTES / size);
  for (let from = 0; from < count; from += chunk) {
    const some = Math.min(chunk, count - from);
    const points = await finiteMembers(
      work,
      curve,
      { group, count: some, bytes: partOf(bytes, from * size, some * size) },
      { what, from },
    );
    const [written, compressed] = [new Uint8Array(some * size), new Uint8Array((some * size) / 2)];
    const scale = async (begin: number, end: number): Promise<void> => {
      const result = await retryOnDeadWorker(() => {
        const own = points.slice(begin * packedBytes, end * packedBytes);
        const args = { group, points: own, first: first.slice(), ratio: ratio.slice(), from: from + begin, module };
        const call = pool.call(curve.id, 'scalePointsByPowers', args, { signal, moved: true });
        return call.finally(() => wipe(args.first, args.ratio));
      });
      const end1 = (end - begin) * size;
      written.set(result.subarray(0, end1), begin * size);
      compressed.set(result.subarray(end1), (begin * size) / 2);
      freeMemory(result);
    };
    await eachSlice(pool, some, SLICE_POINTS, scale, {
      signal,
      onProgress: (fraction) => onProgress((from + some * fraction) / count),
    });
    freeMemory(points);
    yield { written, compressed };
  }
}

/**
 * Points of a section, prepared. `INVALID_POINT` for one that is infinite, off its curve or outside of the subgroup of
 * prime order.
 */
export async function finiteMembers(
  { pool, signal }: CeremonyWork,
  curve: Curve,
  { group, count, bytes }: KeyVector,
  { what, from }: { readonly what: string; readonly from: number },
): Promise<Uint8Array> {
  const request = { curve: curve.id, group, encoding: 'montgomery', count, firstIndex: from, points: bytes } as const;
  const prepared = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined }).catch(
    (error: unknown) => {
      if (!(error instanceof PippinError) || error.code !== 'INVALID_POINT') throw error;
      throw new PippinError('INVALID_POINT', `expected ${what} to be valid: ${error.message}`, { cause: error });
    },
  );
  if (prepared.kept === count) return prepared.points;
  const kept = new Set(prepared.indices);
  let index = 0;
  while (kept.has(index)) index++;
  throw new PippinError('INVALID_POINT', `expected ${what} as finite points, got infinity at ${from + index}`);
}
