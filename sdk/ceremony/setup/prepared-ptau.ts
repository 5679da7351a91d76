import { PippinError } from '../../base/errors.js';
import { type CurveId, type GroupId, pointBytes } from '../../curves/index.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { readPtau } from '../../files/snarkjs/ptau.js';
import {
  HEADER_BYTES,
  readSectionFile,
  readSectionHeader,
  SECTION_HEADER_BYTES,
} from '../../files/snarkjs/section-file.js';
import { expectSize, type KeyVector } from '../../files/snarkjs/zkey-header.js';

/**
 * What a .ptau file has besides the powers of tau once it is prepared for phase 2 (snarkjs, src/powersoftau_utils.js):
 *
 * - 4, 5: alpha tau^i and beta tau^i in G1, i from 0 to 2^k - 1; 6: beta in G2.
 * - 12, 13: the Lagrange polynomials of the domains of 1, 2, 4, .. elements at tau, in G1 up to 2^(k+1) elements and in
 *   G2 up to 2^k; 14, 15: alpha and beta times the same in G1.
 */
const SECTION = { tauG1: 2, alphaTauG1: 4, betaTauG1: 5, betaG2: 6 } as const;
const LAGRANGE = {
  tauG1: { section: 12, group: 'g1', further: 1 },
  tauG2: { section: 13, group: 'g2', further: 0 },
  alphaTauG1: { section: 14, group: 'g1', further: 0 },
  betaTauG1: { section: 15, group: 'g1', further: 0 },
} as const satisfies Record<string, { section: number; group: GroupId; further: number }>;

export type LagrangeName = keyof typeof LAGRANGE;

/** A .ptau file that was prepared for phase 2. Nothing but its header has been read. */
export interface PreparedPtau {
  readonly curve: CurveId;
  /** k: the file serves domains of up to 2^k elements. */
  readonly power: number;
  /** The powers of tau in G1, 2^(k+1) - 1 of them. */
  readonly powers: KeyVector;
  /** alpha and beta in G1, and beta in G2. */
  readonly alpha1: KeyVector;
  readonly beta1: KeyVector;
  readonly beta2: KeyVector;
  /** The Lagrange polynomials of the domain of 2^power elements at tau. */
  lagrange(name: LagrangeName, power: number): KeyVector;
  /** So many bytes of the file from the end of the powers of tau in G1 on. */
  behindPowers(length: number): Promise<Uint8Array>;
}

/**
 * Reads the header and the sizes of all sections. Errors as in `readPtau`; `UNSUPPORTED_FORMAT` for powers of tau that
 * were not prepared for phase 2.
 */
export async function readPreparedPtau(source: ByteSource): Promise<PreparedPtau> {
  const { curve, power, count, g1 } = await readPtau(source);
  const file = await readSectionFile(source, 'ptau');
  if (Object.values(LAGRANGE).some(({ section }) => !file.has(section))) {
    throw new PippinError('UNSUPPORTED_FORMAT', 'expected powers of tau that were prepared for phase 2, got others', {
      hint: 'prepare the file with snarkjs powersoftau prepare phase2',
    });
  }
  const first = (id: number, group: GroupId, points: number): KeyVector => {
    const section = file.section(id);
    expectSize(section, points * pointBytes(curve, group), `${points} points in section ${id}`);
    return { group, count: 1, bytes: partOf(section, 0, pointBytes(curve, group)) };
  };
  for (const { section, group, further } of Object.values(LAGRANGE)) {
    const points = 2 ** (power + 1 + further) - 1;
    expectSize(file.section(section), points * pointBytes(curve, group), `${points} points in section ${section}`);
  }
  return {
    curve,
    power,
    powers: { group: 'g1', count, bytes: g1 },
    alpha1: first(SECTION.alphaTauG1, 'g1', 2 ** power),
    beta1: first(SECTION.betaTauG1, 'g1', 2 ** power),
    beta2: first(SECTION.betaG2, 'g2', 1),
    lagrange(name, logDomain) {
      const { section, group } = LAGRANGE[name];
      const size = pointBytes(curve, group);
      const domain = 2 ** logDomain;
      return { group, count: domain, bytes: partOf(file.section(section), (domain - 1) * size, domain * size) };
    },
    async behindPowers(length) {
      const end = await endOfSection(source, SECTION.tauG1);
      return partOf(source, end, length).read(0, length);
    },
  };
}

async function endOfSection(source: ByteSource, wanted: number): Promise<number> {
  for (let offset = HEADER_BYTES; ; ) {
    const { id, size } = await readSectionHeader(source, offset);
    offset += SECTION_HEADER_BYTES + size;
    if (id === wanted) return offset;
  }
}
