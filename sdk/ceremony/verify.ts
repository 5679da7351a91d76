import { throwIfAborted } from '../base/abort.js';
import { equalBytes, joinBytes } from '../base/bytes.js';
import { CURVES } from '../curves/index.js';
import { type ByteSource, SLICE_BYTES } from '../files/byte-source.js';
import type { SectionFile } from '../files/snarkjs/section-file.js';
import { readZkey, type Zkey } from '../files/snarkjs/zkey.js';
import { openZkey } from '../files/snarkjs/zkey-header.js';
import { pairings } from '../proofs/pairings.js';
import { generator, isSameMultiple, negated } from '../proofs/verified-points.js';
import { DIVIDED } from './contribute.js';
import { HISTORY_SECTION, type History, readHistory } from './contributions.js';
import { faultOfFirstH } from './first-h-check.js';
import { weightedSums } from './ratio-check.js';
import type { CeremonyWork } from './scaled-section.js';
import { faultOfChain } from './verify-chain.js';

/** The sections that no contribution changes. */
const SAME = [
  [3, 'IC'],
  [4, 'coefficients'],
  [5, 'A'],
  [6, 'B in G1'],
  [7, 'B in G2'],
] as const;
const CONSTANTS = ['alpha1', 'beta1', 'beta2', 'gamma2'] as const;

/** A Groth16 key with its history. */
interface CeremonyKey {
  readonly file: SectionFile;
  readonly key: Zkey;
  readonly history: History;
}

async function openKey(source: ByteSource): Promise<CeremonyKey> {
  const file = await openZkey(source, 'groth16');
  const key = await readZkey(source);
  return { file, key, history: await readHistory(file.section(HISTORY_SECTION), CURVES[key.curve]) };
}

/**
 * What is wrong with a key that is said to come from another by contributions alone: undefined if nothing is.
 * Rejects as the readers of a .zkey do, and with `INVALID_POINT` for points that are not in their group.
 *
 * @param onProgress called with the done fraction.
 */
export async function faultOfKey(
  work: CeremonyWork,
  source: ByteSource,
  { first: firstSource, ptau }: { readonly first: ByteSource; readonly ptau: ByteSource | undefined },
  onProgress: (fraction: number) => void,
): Promise<{ readonly fault: string | undefined; readonly history: History }> {
  const last = await openKey(source);
  const first = await openKey(firstSource);
  await work.open(last.key.curve);
  const fault =
    faultOfHeaders(last, first) ??
    (await faultOfChain(work, last.key.curve, last.history, () => undefined)) ??
    (await faultOfDelta(work, last)) ??
    (await faultOfSections(work, last, first, onProgress)) ??
    (ptau && (await faultOfFirstH(work, first.key, ptau)));
  return { fault, history: last.history };
}

function faultOfHeaders(last: CeremonyKey, first: CeremonyKey): string | undefined {
  const [a, b] = [last.key, first.key];
  if (a.curve !== b.curve) return `it is over ${a.curve}, and the first key over ${b.curve}`;
  for (const name of ['variables', 'publicSignals', 'domainSize'] as const) {
    if (a.facts[name] !== b.facts[name]) return `it has other ${name} than the first key`;
  }
  if (!equalBytes(last.history.circuitHash, first.history.circuitHash)) return 'it is of another circuit';
  const differs = CONSTANTS.find((name) => !equalBytes(a.points[name], b.points[name]));
  if (differs !== undefined) return `it has another ${differs} than the first key`;
  const isFirst =
    first.history.contributions.length === 0 &&
    equalBytes(b.points.delta1, generator(b.curve, 'g1')) &&
    equalBytes(b.points.delta2, generator(b.curve, 'g2'));
  return isFirst ? undefined : 'the first key has contributions itself';
}

/** delta must be the delta of the last contribution, and the same in both groups. */
async function faultOfDelta(
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
    if (!(await isSame(last.file.section(id), first.file.section(id), work.signal))) {
      return `section ${id} (${name}) is another than in the first key`;
    }
  }
  const all = vectors.C.count + vectors.H.count;
  let before = 0;
  for (const [id, name] of DIVIDED) {
    const both = [first.key.vectors[name], vectors[name]] as const;
    const what = `the points of section ${id} (${name})`;
    const sums = await weightedSums(work, curve, both, what, (done) => onProgress((before + done) / all));
    before += vectors[name].count;
    if (vectors[name].count === 0) continue;
    // e(P, delta of the first key) = e(P / delta, delta). The sum of a section without finite points proves nothing.
    const areFinite = sums.every((sum) => sum.some((byte) => byte !== 0));
    const holds = await pairings(work.pool, curve, work.signal).pairingProductIsOne({
      g1: joinBytes([sums[0], negated(curve, sums[1])]),
      g2: joinBytes([first.key.points.delta2, points.delta2]),
    });
    if (!areFinite || !holds) return `${what} are not the first key's divided by delta`;
  }
  return undefined;
}

async function isSame(one: ByteSource, other: ByteSource, signal: AbortSignal | undefined): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += SLICE_BYTES) {
    throwIfAborted(signal);
    const length = Math.min(SLICE_BYTES, one.size - at);
    const [a, b] = await Promise.all([one.read(at, length), other.read(at, length)]);
    if (!equalBytes(a, b)) return false;
  }
  return true;
}
