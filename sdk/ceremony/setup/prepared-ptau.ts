import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { readPtau } from '../../files/snarkjs/ptau.js';
import { HEADER_BYTES, readSectionHeader, SECTION_HEADER_BYTES } from '../../files/snarkjs/section-file.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { lagrangeVectors, POINTS, vectorOf } from '../powers/powers-file.js';
import { partOfVector } from '../ratio-check.js';

/** The sections over Lagrange bases are named as the powers that they are of. */
export type LagrangeName = (typeof POINTS)[0 | 1 | 2 | 3]['name'];

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
  const { file, curve, power, count, g1 } = await readPtau(source);
  const powers = { file, curve: CURVES[curve], power };
  const lagrange = lagrangeVectors(powers);
  if (lagrange === undefined) {
    throw new PippinError('UNSUPPORTED_FORMAT', 'expected powers of tau that were prepared for phase 2, got others', {
      hint: 'prepare the file with snarkjs powersoftau prepare phase2',
    });
  }
  const first = (name: 'alphaTauG1' | 'betaTauG1' | 'betaG2'): KeyVector => {
    const vector = vectorOf(powers, POINTS.find((section) => section.name === name)!);
    return partOfVector(curve, vector, 0, 1);
  };
  return {
    curve,
    power,
    powers: { group: 'g1', count, bytes: g1 },
    alpha1: first('alphaTauG1'),
    beta1: first('betaTauG1'),
    beta2: first('betaG2'),
    lagrange(name, logDomain) {
      const all = lagrange[POINTS.findIndex((section) => section.name === name)]!;
      // The domains of 1, 2, 4, .. elements come one after another.
      const domain = 2 ** logDomain;
      return partOfVector(curve, all, domain - 1, domain);
    },
    async behindPowers(length) {
      const end = await endOfSection(source, POINTS[0].id);
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

/** `INVALID_ARGUMENT` unless the powers of tau serve domains of 2^power elements. */
export function expectPower(ptau: Pick<PreparedPtau, 'power'>, power: number): void {
  if (power <= ptau.power) return;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected powers of tau for a domain of 2^${power} for this circuit, got some for 2^${ptau.power}`,
    { hint: `take a .ptau of the power ${power} or a larger one` },
  );
}
