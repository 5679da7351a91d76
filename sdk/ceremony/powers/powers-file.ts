import { bigintToBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import type { ByteSource } from '../../files/byte-source.js';
import { openPtau } from '../../files/snarkjs/ptau.js';
import { type SectionFile, sectionHead, words } from '../../files/snarkjs/section-file.js';
import { expectSize, type KeyVector } from '../../files/snarkjs/zkey-header.js';
import { HISTORY, type PowersRecord, readPowersHistory } from './powers-history.js';

/** Sections of points: powers of tau in G1 and G2, the same in G1 times alpha and times beta; and beta in G2. */
export const POINTS = [
  { id: 2, name: 'tauG1', group: 'g1' },
  { id: 3, name: 'tauG2', group: 'g2' },
  { id: 4, name: 'alphaTauG1', group: 'g1' },
  { id: 5, name: 'betaTauG1', group: 'g1' },
  { id: 6, name: 'betaG2', group: 'g2' },
] as const;
export type PowersSection = (typeof POINTS)[number];

/** The sections that phase 2 needs besides: the points of the first four of `POINTS` over the Lagrange bases. */
export const LAGRANGE = [12, 13, 14, 15] as const;
const VERSION = 1;
/** Sections of a file without its points, of one with them, and of one that is prepared for phase 2. */
export const PTAU_SECTIONS = { history: 2, plain: 7, prepared: 11 } as const;

/** A file whose sections are looked for by its curve and its power. */
export interface PowersSections {
  readonly file: SectionFile;
  readonly curve: Curve;
  readonly power: number;
}

export interface PowersFile extends PowersSections {
  /** The power that contributions were made with; `power` is smaller after the file has been truncated. */
  readonly ceremonyPower: number;
  readonly contributions: readonly PowersRecord[];
}

/** The number of points of a section. */
export function pointsOf(id: number, power: number): number {
  if (id === 6) return 1;
  return id === 2 ? 2 ** (power + 1) - 1 : 2 ** power;
}

/** What a section is called in messages. */
export function sectionName({ id, name }: Pick<PowersSection, 'id' | 'name'>): string {
  return `the points of section ${id} (${name})`;
}

/** Reads all but the points. Rejects as `openPtau` and `readPowersHistory` do. */
export async function openPowers(source: ByteSource): Promise<PowersFile> {
  const powers = await openHistoryOfPowers(source);
  for (const section of POINTS) vectorOf(powers, section);
  return powers;
}

/** As `openPowers`, but the file may lack the sections of points. */
export async function openHistoryOfPowers(source: ByteSource): Promise<PowersFile> {
  const { file, curve, power, ceremonyPower } = await openPtau(source);
  if (ceremonyPower < power) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a power of at most its ceremony's, ${ceremonyPower}, got ${power}`,
    );
  }
  const contributions = await readPowersHistory(file.section(HISTORY), curve);
  return { file, curve, power, ceremonyPower, contributions };
}

/** The points of a section. */
export function vectorOf({ file, curve, power }: PowersSections, { id, name, group }: PowersSection): KeyVector {
  const count = pointsOf(id, power);
  const bytes = file.section(id);
  expectSize(bytes, count * pointBytes(curve.id, group), `${count} points in section ${id} (${name})`);
  return { group, count, bytes };
}

/** The sections over Lagrange bases, if there are all; the first, of tau in G1, has one basis more. */
export function lagrangeVectors(powers: PowersSections): KeyVector[] | undefined {
  if (!LAGRANGE.every((id) => powers.file.has(id))) return undefined;
  return LAGRANGE.map((id, i) => {
    const { group, name } = POINTS[i]!;
    const count = lagrangePoints(id, powers.power);
    const bytes = powers.file.section(id);
    expectSize(bytes, count * pointBytes(powers.curve.id, group), `${count} points in section ${id} (${name})`);
    return { group, count, bytes };
  });
}

/** As `lagrangeVectors`; `UNSUPPORTED_FORMAT` if there are not all. */
export function expectLagrangeVectors(powers: PowersSections): KeyVector[] {
  const vectors = lagrangeVectors(powers);
  if (vectors !== undefined) return vectors;
  throw new PippinError('UNSUPPORTED_FORMAT', 'expected powers of tau that are prepared for phase 2, got others', {
    hint: 'preparePowersOfTau, or snarkjs powersoftau prepare phase2, prepares them',
  });
}

export function lagrangePoints(id: number, power: number): number {
  return 2 ** (power + (id === 12 ? 2 : 1)) - 1;
}

/** What a file begins with, up to the first section of points. */
export function fileHead(curve: Curve, power: number, sections: number, ceremonyPower = power): Uint8Array[] {
  const { coordinateBytes, fq } = curve;
  const header = [words(coordinateBytes), bigintToBytes(fq.modulus, coordinateBytes), words(power, ceremonyPower)];
  return [new TextEncoder().encode('ptau'), words(VERSION, sections), sectionHead(1, coordinateBytes + 12), ...header];
}

/** The bytes of a section of so many points. */
export function bytesOfPoints(curve: Curve, group: GroupId, points: number): number {
  return points * pointBytes(curve.id, group);
}
