import { newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, pointBytes } from '../../curves/index.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { sectionHead } from '../../files/snarkjs/section-file.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { type CeremonyWork, CHUNK_POINTS, COST_OF_G2 } from '../ceremony-work.js';
import { inOrder } from '../in-order.js';
import { copiedSection, writeSection } from '../section-writer.js';
import { overLagrangeBasis } from './point-transform.js';
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
  pointsOf,
  sectionName,
  vectorOf,
} from './powers-file.js';
import { HISTORY } from './powers-history.js';
import { finiteMembers } from './scaled-powers.js';

/** Domains, or several small ones together, at work at a time, so that a GPU has work while workers check others. */
const DOMAINS_AHEAD = 3;
/** Chunks of points that are prepared at a time, so that workers have work while one is waited for. */
const CHUNKS_AHEAD = 3;
/**
 * The domains of up to so many points, by their logarithm, are transformed together: on a GPU, which small ones leave
 * idle; and on the workers, which may be at work only until a GPU is ready.
 */
const TOGETHER_ON_GPU = 16;
const TOGETHER_ON_WORKERS = 12;

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
  for (const { group, id } of POINTS.slice(0, LAGRANGE.length)) work.gpu.expect(curve.id, group, pointsOf(id, power));
  for (const part of fileHead(curve, power, PTAU_SECTIONS.prepared)) await write(part);
  for (const id of [...POINTS.map((section) => section.id), HISTORY]) {
    await writeSection(write, copiedSection(id, file.section(id), work.signal));
  }
  const costs = LAGRANGE.map((id, i) => lagrangePoints(id, power) * (POINTS[i]!.group === 'g2' ? COST_OF_G2 : 1));
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  const done = costs.map(() => 0);
  function* parts(): Generator<PartMaker> {
    for (const [i, id] of LAGRANGE.entries()) {
      const section = POINTS[i]!;
      const domains = { from: 0, to: section.id === 2 ? power + 1 : power };
      let head = [sectionHead(id, bytesOfPoints(curve, section.group, lagrangePoints(id, power)))];
      const tell = (fraction: number): void => {
        done[i] = fraction * costs[i]!;
        onProgress(done.reduce((sum, cost) => sum + cost, 0) / all);
      };
      for (const make of overLagrangeBases(work, curve, sectionToPrepare(powers, section), domains, tell)) {
        const before = head;
        head = [];
        yield async () => [...before, ...(await make())];
      }
    }
  }
  for await (const made of inOrder(parts(), () => DOMAINS_AHEAD)) for (const part of made) await write(part);
  onProgress(1);
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

/** Makes the next bytes of a file, in parts. */
type PartMaker = () => Promise<Uint8Array[]>;

/**
 * The points over the Lagrange bases of 2^from, .. 2^to points, as a .ptau file has them; at most `DOMAINS_AHEAD`
 * makers should be at work at a time.
 */
export function* overLagrangeBases(
  work: CeremonyWork,
  curve: Curve,
  vector: SectionToPrepare,
  { from, to }: { readonly from: number; readonly to: number },
  onProgress: (fraction: number) => void,
): Generator<PartMaker> {
  const { group } = vector;
  const all = 2 ** (to + 1) - 2 ** from;
  let prepared: Promise<Uint8Array> | undefined;
  let done = 0;
  for (let first = from; first <= to; ) {
    const together = work.gpu.takes(curve.id, group) ? TOGETHER_ON_GPU : TOGETHER_ON_WORKERS;
    const own = { from: first, to: Math.min(to, Math.max(first, together)) };
    const count = 2 ** (own.to + 1) - 2 ** own.from;
    yield async () => {
      prepared ??= preparedPoints(work, curve, vector);
      let before = 0;
      const tell = (fraction: number): void => {
        done += count * (fraction - before);
        before = fraction;
        onProgress(done / all);
      };
      const points = await overLagrangeBasis(work, { curve, group, points: await prepared, ...own }, tell);
      tell(1);
      return points;
    };
    first = own.to + 1;
  }
}

/** A section's points, prepared. */
async function preparedPoints(
  work: CeremonyWork,
  curve: Curve,
  { group, count, bytes, what }: SectionToPrepare,
): Promise<Uint8Array> {
  const size = pointBytes(curve.id, group);
  const points = newBytes(count * preparedPointBytes(curve.id, group));
  function* chunks(): Generator<() => Promise<Uint8Array>> {
    for (let from = 0; from < count; from += CHUNK_POINTS) {
      const some = Math.min(CHUNK_POINTS, count - from);
      const chunk = { group, count: some, bytes: partOf(bytes, from * size, some * size) };
      yield () => finiteMembers(work, curve, chunk, { what, from });
    }
  }
  let at = 0;
  for await (const chunk of inOrder(chunks(), () => CHUNKS_AHEAD)) {
    points.set(chunk, at);
    at += chunk.length;
    freeMemory(chunk);
  }
  return points;
}
