import { equalBytes } from '../../base/bytes.js';
import { type CurveId, pointBytes } from '../../curves/index.js';
import { type ByteSource, beginsWith, memorySource } from '../../files/byte-source.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { generator } from '../../proofs/verified-points.js';
import { expectBeaconsWithin, shareOfBeacons } from '../beacon-seed.js';
import type { CeremonyWork, ToldWork } from '../ceremony-work.js';
import { type CeremonyKey, DIVIDED, openKey, SAME } from '../contribute.js';
import { HISTORY_SECTION, type History } from '../contributions.js';
import { faultOfFirstH } from '../first-h-check.js';
import { WeightedSums } from '../ratio-check.js';
import type { NewSection } from '../section-writer.js';
import { type BeaconLimit, faultOfDelta, faultOfFacts, isDivided, isHDivided, pointsDivided } from '../verify.js';
import { faultOfChain } from '../verify-chain.js';
import { FirstGroth16Key, oddPointsOf, openGroth16SetUp } from './groth16-key.js';

const H_SECTION = 9;
/** How many times as long a point takes when the set-up is repeated. */
const SET_UP_COST = 3;

/** What a key is compared with. */
interface CircuitOrigin extends BeaconLimit {
  readonly r1cs: ByteSource;
  readonly ptau: ByteSource;
}

/**
 * What is wrong with a key that is said to come from the set-up of a circuit by contributions alone: undefined if
 * nothing is. The set-up is repeated and compared section by section; no first key is kept. Rejects as
 * `openGroth16SetUp` and the readers of a .zkey do, with `INVALID_POINT` for points that are not in their group, and
 * with `UNSUPPORTED_FORMAT` for longer beacons.
 */
export async function faultOfKeyOfCircuit(
  work: ToldWork,
  source: ByteSource,
  { r1cs, ptau, maxBeaconIterations }: CircuitOrigin,
): Promise<{ readonly fault: string | undefined; readonly history: History }> {
  const last = await openKey(source);
  const { contributions } = last.history;
  expectBeaconsWithin(contributions, maxBeaconIterations);
  const share = shareOfBeacons(contributions, SET_UP_COST * pointsDivided(last));
  const setUp = await openGroth16SetUp(work, r1cs, ptau);
  const { circuit, domainSize, constants } = setUp;
  const { curve } = setUp.ptau;
  const facts = { variables: circuit.header.wires, publicSignals: circuit.publicSignals, domainSize };
  const points = { ...constants.points, gamma2: generator(curve, 'g2') };
  const first = new FirstGroth16Key(setUp, (done) => work.onProgress(share + (1 - share) * done));
  const h = oddPointsOf(setUp);
  const fault =
    faultOfFacts(last.key, { curve, facts, points }) ??
    (await faultOfChain(work, curve, last.history, (done) => work.onProgress(share * done))) ??
    (await faultOfDelta(work, last)) ??
    (await faultOfSections(work, last, first, h)) ??
    (await faultOfFirstH(work, { curve, facts, vectors: { H: h } }, ptau));
  return { fault, history: last.history };
}

async function faultOfSections(
  work: CeremonyWork,
  last: CeremonyKey,
  first: FirstGroth16Key,
  h: KeyVector,
): Promise<string | undefined> {
  for await (const section of first.sections()) {
    const { id } = section;
    const same = SAME.find(([number]) => number === id);
    const divided = DIVIDED.find(([number]) => number === id);
    if (same !== undefined && !(await isSection(last.file.section(id), section, work.signal))) {
      return `section ${id} (${same[1]}) is another than the circuit's`;
    }
    if (divided !== undefined && !(await isOfSetUp(work, last, section, h))) {
      return `the points of section ${id} (${divided[1]}) are not the circuit's divided by delta`;
    }
    if (id === HISTORY_SECTION && !equalBytes(first.circuitHash, last.history.circuitHash)) {
      return 'it is of another circuit';
    }
  }
  return undefined;
}

async function isSection(other: ByteSource, { size, parts }: NewSection, signal: AbortSignal | undefined) {
  return size === other.size && beginsWith(other, parts, signal);
}

/** Whether the points of a section are the set-up's divided by delta; of H, for all quotient polynomials at least. */
async function isOfSetUp(work: CeremonyWork, last: CeremonyKey, section: NewSection, h: KeyVector): Promise<boolean> {
  if (await isDividedSection(work, last, section)) return true;
  const { curve, points, vectors } = last.key;
  return section.id === H_SECTION && isHDivided(work, curve, [h, vectors.H], points.delta2);
}

/** Whether the points of a section are the set-up's divided by delta. */
async function isDividedSection(work: CeremonyWork, { file, key }: CeremonyKey, { id, size, parts }: NewSection) {
  const { curve, points } = key;
  const other = file.section(id);
  if (size !== other.size) return false;
  const sums = new WeightedSums(work, curve, `the points of section ${id}`);
  let from = 0;
  for await (const part of parts) from += await addPart(sums, curve, part, other, from);
  return from === 0 || isDivided(work, curve, await sums.total('g1'), points.delta2);
}

/** @returns the number of points that were added. */
async function addPart(
  sums: WeightedSums,
  curve: CurveId,
  part: Uint8Array,
  other: ByteSource,
  from: number,
): Promise<number> {
  const bytes = pointBytes(curve, 'g1');
  const count = part.length / bytes;
  const theirs = await other.read(from * bytes, part.length);
  const vector = (points: Uint8Array) => ({ group: 'g1' as const, count, bytes: memorySource(points) });
  await sums.add([vector(part), vector(theirs)], from);
  return count;
}
