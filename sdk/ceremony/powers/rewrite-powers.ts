import { PippinError } from '../../base/errors.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { sectionHead } from '../../files/snarkjs/section-file.js';
import type { ToldWork } from '../ceremony-work.js';
import { copiedSection, writeSection } from '../section-writer.js';
import {
  bytesOfPoints,
  expectLagrangeVectors,
  fileHead,
  LAGRANGE,
  lagrangePoints,
  openPowers,
  POINTS,
  PTAU_SECTIONS,
  pointsOf,
} from './powers-file.js';
import { HISTORY } from './powers-history.js';
import { expectLargestDomain, overLagrangeBases, sectionToPrepare } from './prepare-powers.js';

/**
 * Writes prepared powers of tau for smaller circuits, byte for byte as snarkjs 0.7.6: the first points of each section,
 * and the whole history. `UNSUPPORTED_FORMAT` for powers that are not prepared, `INVALID_ARGUMENT` unless they are
 * more.
 *
 * @returns the power of the source.
 */
export async function writeTruncatedPowers(
  source: ByteSource,
  power: number,
  write: (bytes: Uint8Array) => Promise<void>,
  { signal, onProgress }: { readonly signal: AbortSignal | undefined; readonly onProgress: (fraction: number) => void },
): Promise<number> {
  const powers = await openPowers(source);
  const { curve, file, ceremonyPower } = powers;
  if (power >= powers.power) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected a smaller power than the file's, 2^${powers.power}, got 2^${power}`,
    );
  }
  expectLagrangeVectors(powers);
  const sections = [
    ...POINTS.map(({ id, group }) => ({ id, size: bytesOfPoints(curve, group, pointsOf(id, power)) })),
    { id: HISTORY, size: file.section(HISTORY).size },
    ...LAGRANGE.map((id, i) => ({ id, size: bytesOfPoints(curve, POINTS[i]!.group, lagrangePoints(id, power)) })),
  ];
  for (const part of fileHead(curve, power, PTAU_SECTIONS.prepared, ceremonyPower)) await write(part);
  for (const [i, { id, size }] of sections.entries()) {
    await writeSection(write, copiedSection(id, partOf(file.section(id), 0, size), signal));
    onProgress((i + 1) / sections.length);
  }
  return powers.power;
}

/** The section over Lagrange bases that old files have without the basis of the largest domain. */
const TAU = LAGRANGE[0];

/**
 * Writes powers that an old snarkjs has prepared as later ones prepare them, byte for byte as snarkjs 0.7.6:
 * of tau in G1 the points over the Lagrange basis of 2^(power + 1) points are added. All else is copied.
 * `UNSUPPORTED_FORMAT` for powers that are not prepared, or that have these points.
 */
export async function writeConvertedPowers(
  work: ToldWork,
  source: ByteSource,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const powers = await openPowers(source);
  const { curve, power, file, ceremonyPower } = powers;
  expectLargestDomain(powers);
  const missing = LAGRANGE.find((id) => !file.has(id));
  if (missing !== undefined) throw notOld(`none of its section ${missing}`);
  for (const id of LAGRANGE) {
    const { group } = POINTS[LAGRANGE.indexOf(id)]!;
    // Each section has one point for the domain of 1, two for the domain of 2, and so on.
    const size = bytesOfPoints(curve, group, 2 ** (power + 1) - 1);
    if (file.section(id).size !== size) throw notOld(`${file.section(id).size} bytes in section ${id} and not ${size}`);
  }
  await work.open(curve.id);
  const copy = (id: number): Promise<void> => writeSection(write, copiedSection(id, file.section(id), work.signal));
  for (const part of fileHead(curve, power, PTAU_SECTIONS.prepared, ceremonyPower)) await write(part);
  for (const id of [...POINTS.map((section) => section.id), HISTORY]) await copy(id);
  await write(sectionHead(TAU, bytesOfPoints(curve, 'g1', lagrangePoints(TAU, power))));
  for await (const part of copiedSection(TAU, file.section(TAU), work.signal).parts) await write(part);
  const largest = { from: power + 1, to: power + 1 };
  const vector = sectionToPrepare(powers, POINTS[0]);
  for (const make of overLagrangeBases(work, curve, vector, largest, work.onProgress)) {
    for (const part of await make()) await write(part);
  }
  for (const id of LAGRANGE.slice(1)) await copy(id);
}

function notOld(found: string): PippinError {
  return new PippinError('UNSUPPORTED_FORMAT', `expected powers of tau as an old snarkjs prepared them, got ${found}`, {
    hint: 'preparePowersOfTau, or snarkjs powersoftau prepare phase2, prepares other powers',
  });
}
