import { bigintToBytes, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { pointForm, preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { sectionHead } from '../../files/snarkjs/section-file.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { type CeremonyWork, CHUNK_POINTS, COST_OF_G2 } from '../ceremony-work.js';
import { inOrder } from '../in-order.js';
import { inSlices, type PointVector, writtenByWorkers } from '../point-slices.js';
import { copiedSection, writeSection } from '../section-writer.js';
import { transformPoints } from './point-transform.js';
import {
  bytesOfPoints,
  fileHead,
  LAGRANGE,
  lagrangePoints,
  openPowers,
  POINTS,
  type PowersFile,
  type PowersSection,
  PTAU_SECTIONS,
  sectionName,
  vectorOf,
} from './powers-file.js';
import { HISTORY } from './powers-history.js';
import { finiteMembers } from './scaled-powers.js';

/** Domains at work at a time, so that a GPU has work while workers check and write points. */
const DOMAINS_AHEAD = 2;

/**
 * Writes powers of tau with the sections that phase 2 needs, byte for byte as snarkjs 0.7.6: of each section and for
 * the domains of 1, 2, 4, .. points the same points over the Lagrange basis, sum_i w^(-ij) P_i / n.
 *
 * @param onProgress called with the done fraction.
 */
export async function writePreparedPowers(
  work: CeremonyWork,
  source: ByteSource,
  write: (bytes: Uint8Array) => Promise<void>,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const powers = await openPowers(source);
  const { curve, power, file } = powers;
  expectLargestDomain(powers);
  await work.open(curve.id);
  for (const part of fileHead(curve, power, PTAU_SECTIONS.prepared)) await write(part);
  for (const id of [...POINTS.map((section) => section.id), HISTORY]) {
    await writeSection(write, copiedSection(id, file.section(id), work.signal));
  }
  const costs = LAGRANGE.map((id, i) => lagrangePoints(id, power) * (POINTS[i]!.group === 'g2' ? COST_OF_G2 : 1));
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  let before = 0;
  for (const [i, id] of LAGRANGE.entries()) {
    const section = POINTS[i]!;
    await write(sectionHead(id, bytesOfPoints(curve, section.group, lagrangePoints(id, power))));
    const most = section.id === 2 ? power + 1 : power;
    const tell = (done: number): void => onProgress((before + done * costs[i]!) / all);
    const vector = sectionToPrepare(powers, section);
    for await (const points of overLagrangeBases(work, curve, vector, { from: 0, to: most }, tell)) await write(points);
    before += costs[i]!;
  }
}

/** `UNSUPPORTED_FORMAT` where the curve has no domain of 2^(power + 1) points. */
export function expectLargestDomain({ curve, power }: Pick<PowersFile, 'curve' | 'power'>): void {
  const most = curve.fr.twoAdicity - 1;
  if (power <= most) return;
  throw new PippinError('UNSUPPORTED_FORMAT', `expected a power of at most ${most} over ${curve.name}, got ${power}`);
}

/** A section's points, with their name in messages. */
interface SectionToPrepare extends KeyVector {
  readonly what: string;
}

export function sectionToPrepare(powers: PowersFile, section: PowersSection): SectionToPrepare {
  return { ...vectorOf(powers, section), what: sectionName(section) };
}

/** The points over the Lagrange bases of 2^from, .. 2^to points, as a .ptau file has them. */
export async function* overLagrangeBases(
  work: CeremonyWork,
  curve: Curve,
  vector: SectionToPrepare,
  { from, to }: { readonly from: number; readonly to: number },
  onProgress: (fraction: number) => void,
): AsyncGenerator<Uint8Array> {
  const { group, count } = vector;
  const size = preparedPointBytes(curve.id, group);
  const divided = await dividedPoints(work, curve, vector, 2 ** to);
  const all = 2 ** (to + 1) - 2 ** from;
  let done = 0;
  const domain = async (n: number): Promise<Uint8Array> => {
    const points = newBytes(n * size);
    points.set(divided.subarray(0, Math.min(n, count) * size));
    const own = { curve, group, points };
    // Divided by the number of points of the largest domain; each smaller one takes twice as much.
    if (n < 2 ** to) await doublePoints(work, own, to - Math.log2(n));
    let before = 0;
    await transformPoints(work, own, (fraction) => {
      done += n * (fraction - before);
      before = fraction;
      onProgress(done / all);
    });
    done += n * (1 - before);
    const written = await writtenByWorkers(work, own);
    freeMemory(points);
    return written;
  };
  const domains = Array.from({ length: to - from + 1 }, (_, i) => () => domain(2 ** (from + i)));
  yield* inOrder(domains, () => DOMAINS_AHEAD);
  onProgress(1);
  freeMemory(divided);
}

/** A section's points divided by a power of two, prepared. */
async function dividedPoints(
  work: CeremonyWork,
  curve: Curve,
  { group, count, bytes, what }: SectionToPrepare,
  by: number,
): Promise<Uint8Array> {
  const { pool, signal } = work;
  const size = pointBytes(curve.id, group);
  const points = newBytes(count * preparedPointBytes(curve.id, group));
  for (let from = 0; from < count; from += CHUNK_POINTS) {
    const some = Math.min(CHUNK_POINTS, count - from);
    const chunk = { group, count: some, bytes: partOf(bytes, from * size, some * size) };
    points.set(await finiteMembers(work, curve, chunk, { what, from }), from * preparedPointBytes(curve.id, group));
  }
  const scalar = bigintToBytes(inverse(BigInt(by), curve.fr.modulus), SCALAR_BYTES);
  await inSlices(work, { curve, group, points }, count, (own) =>
    pool.call(curve.id, 'scalePoints', { group, points: own, scalar: scalar.slice() }, { signal, moved: true }),
  );
  return points;
}

/** Doubles finite points so many times. */
async function doublePoints(work: CeremonyWork, vector: PointVector, times: number): Promise<void> {
  const { curve, group, points } = vector;
  const plan = { form: pointForm(curve.id, group), windowBits: times, rows: 1, multiples: 2 };
  const count = points.length / preparedPointBytes(curve.id, group);
  await inSlices(work, vector, count, async (own) => {
    const args = { group, points: own, ...plan };
    const doubled = await work.pool.call(curve.id, 'multiples', args, { signal: work.signal, moved: true });
    if (doubled !== undefined) return doubled;
    throw new PippinError('INVALID_POINT', 'expected points of the subgroup of prime order, got another one');
  });
}
