import { record } from '../../base/records.js';
import { type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import type { ByteSource } from '../byte-source.js';
import {
  coefficientsOf,
  expectDistinctCosets,
  expectLagrange,
  FACTS_BYTES,
  type PlonkKeyFacts,
  readFacts,
  ScalarReader,
  type Wiring,
  wiringOf,
} from './plonk-arithmetization.js';
import type { SectionFile } from './section-file.js';
import { expectSize, HEADER_SECTION, type KeyVector, openZkey, PointReader, readCurve } from './zkey-header.js';

export type { PlonkKeyFacts };

/**
 * The sections of a PLONK .zkey, as snarkjs 0.7 writes them (src/plonk_setup.js); numbers and points as zkey-header.ts
 * says, scalars and the sections 3 to 6 as plonk-arithmetization.ts says.
 *
 * - 2: p and r, signals, public signals, domain size n, additions, gates, k1, k2, then the commitments Qm, Ql, Qr, Qo,
 *   Qc, S1, S2, S3, and tau in G2.
 * - 7 to 11: Qm, Ql, Qr, Qo, Qc, each as n coefficients and its values on the domain of 4 n elements.
 * - 12: the permutation's S1, S2, S3, likewise.
 * - 13: the Lagrange polynomials of the public signals (at least one), likewise.
 * - 14: tau^i in G1, i from 0 to n + 5.
 *
 * About three quarters of a file are evaluations and Lagrange polynomials, which follow from the rest.
 */
export const PLONK_SECTIONS = { permutations: 12, lagrange: 13, powers: 14 } as const;
export const SELECTOR_SECTIONS = { Qm: 7, Ql: 8, Qr: 9, Qo: 10, Qc: 11 } as const;

/** The selectors of the gates, named and ordered as in snarkjs' verification key. */
export const SELECTORS = ['Qm', 'Ql', 'Qr', 'Qo', 'Qc'] as const;
/** The polynomials of the permutation, for the wires a, b and c. */
export const PERMUTATIONS = ['S1', 'S2', 'S3'] as const;

/** A polynomial of the key. */
export type PlonkPolynomial = (typeof SELECTORS)[number] | (typeof PERMUTATIONS)[number];

/** All polynomials of the key, in the order in which the transcript takes their commitments. */
export const PLONK_POLYNOMIALS: readonly PlonkPolynomial[] = [...SELECTORS, ...PERMUTATIONS];

/** Coefficients of the longest polynomial that a proof commits to, beyond n. */
const EXTRA_POWERS = 6;

/** The powers of tau of a key with a domain of n elements. */
export function plonkPowers(n: number): number {
  return n + EXTRA_POWERS;
}

/** The points of a key, affine in the boundary form. A commitment is infinity if its polynomial is 0. */
export type PlonkKeyPoints = Readonly<Record<PlonkPolynomial, Uint8Array>> & {
  /** tau in G2. */
  readonly X_2: Uint8Array;
};

/** A PLONK proving key whose large sections have not been read yet. */
export interface PlonkZkey extends Wiring {
  readonly curve: CurveId;
  readonly facts: PlonkKeyFacts;
  /** The permutation names wire b of gate i k1 w^i and wire c k2 w^i, where wire a is w^i. */
  readonly k1: bigint;
  readonly k2: bigint;
  readonly points: PlonkKeyPoints;
  /** The n coefficients of each polynomial, in Montgomery form with R = 2^256. */
  readonly polynomials: Readonly<Record<PlonkPolynomial, ByteSource>>;
  /** tau^i in G1, i from 0 to n + 5. */
  readonly powers: KeyVector;
}

/**
 * Reads the header and the table of sections of a PLONK .zkey; its moduli determine the curve. `UNSUPPORTED_FORMAT` for
 * another proof system, `CURVE_MISMATCH` for a curve without PLONK in Pippin, `INVALID_POINT` for a bad point of the
 * header, `MALFORMED_FILE` for a file that contradicts itself. The additions, the signals of the gates, the polynomials
 * and the powers are not read.
 */
export async function readPlonkZkey(source: ByteSource): Promise<PlonkZkey> {
  const file = await openZkey(source, 'plonk');
  const header = await readHeader(file.section(HEADER_SECTION));
  const { curve, facts } = header;
  expectLagrange(file, PLONK_SECTIONS.lagrange, facts);
  const powers = file.section(PLONK_SECTIONS.powers);
  const count = plonkPowers(facts.domainSize);
  expectSize(powers, count * pointBytes(curve, 'g1'), `${count} powers of tau in section ${PLONK_SECTIONS.powers}`);
  return {
    ...header,
    ...wiringOf(file, facts),
    polynomials: polynomialsOf(file, facts),
    powers: { group: 'g1', count, bytes: powers },
  };
}

async function readHeader(section: ByteSource): Promise<Pick<PlonkZkey, 'curve' | 'facts' | 'k1' | 'k2' | 'points'>> {
  const { curve, end } = await readCurve(section);
  const scalarsAt = FACTS_BYTES;
  const pointsAt = scalarsAt + 2 * SCALAR_BYTES;
  const pointsBytes = PLONK_POLYNOMIALS.length * pointBytes(curve.id, 'g1') + pointBytes(curve.id, 'g2');
  expectSize(section, end + pointsAt + pointsBytes, `section ${HEADER_SECTION} (header)`);
  const bytes = await section.read(end, section.size - end);
  const facts = readFacts(bytes, curve);
  const scalars = new ScalarReader(curve, bytes, scalarsAt);
  const k1 = scalars.next('k1');
  const k2 = scalars.next('k2');
  expectDistinctCosets(curve, facts, k1, k2);
  const points = new PointReader(curve, bytes, pointsAt);
  const commitments = record(PLONK_POLYNOMIALS, (name) => points.next('g1', name));
  // With infinity, tau would be 0: everyone could open commitments to anything.
  const X_2 = points.nextFinite('g2', 'X_2');
  return { curve: curve.id, facts, k1, k2, points: { ...commitments, X_2 } };
}

function polynomialsOf(file: SectionFile, facts: PlonkKeyFacts): PlonkZkey['polynomials'] {
  const permutations = coefficientsOf(file, PLONK_SECTIONS.permutations, facts, PERMUTATIONS.length);
  return {
    ...record(SELECTORS, (name) => coefficientsOf(file, SELECTOR_SECTIONS[name], facts)[0]!),
    ...record(PERMUTATIONS, (name) => permutations[PERMUTATIONS.indexOf(name)]!),
  };
}
