import { PippinError } from '../../base/errors.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
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
