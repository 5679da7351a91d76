import { PippinError } from '../../base/errors.js';
import { record } from '../../base/records.js';
import { type Curve, type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import type { ByteSource } from '../byte-source.js';
import { FFLONK_ROOTS, type FflonkRoot, type FflonkRoots, wrongRoot } from './fflonk-roots.js';
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
import { expectSize, HEADER_SECTION, type KeyVector, openZkey, PointReader, readCurve } from './zkey-header.js';

/**
 * The sections of an FFLONK .zkey, as snarkjs 0.7 writes them (src/fflonk_setup.js); numbers and points as
 * zkey-header.ts says, scalars and the sections 3 to 6 as plonk-arithmetization.ts says.
 *
 * - 2: p and r, signals, public signals, domain size n, additions, gates, k1, k2, w3, w4, w8, wr, then tau in G2 and
 *   the commitment C0.
 * - 7 to 11: Ql, Qr, Qm, Qo, Qc, each as n coefficients and its values on the domain of 4 n elements.
 * - 12, 13, 14: the permutation's S1, S2, S3, likewise.
 * - 15: the Lagrange polynomials of the public signals (at least one), likewise.
 * - 16: tau^i in G1, i from 0 to 9 n + 17.
 * - 17: the 8 n coefficients of C0(X) = Ql(X^8) + X Qr(X^8) + X^2 Qo(X^8) + X^3 Qm(X^8) + X^4 Qc(X^8) + X^5 S1(X^8) +
 *   X^6 S2(X^8) + X^7 S3(X^8).
 */
export const FFLONK_POLYNOMIAL_SECTIONS = { Ql: 7, Qr: 8, Qm: 9, Qo: 10, Qc: 11, S1: 12, S2: 13, S3: 14 } as const;
export const FFLONK_SECTIONS = { lagrange: 15, powers: 16, C0: 17 } as const;

/** A polynomial of the key: a selector of the gates, or one of the permutation. */
export type FflonkPolynomial = keyof typeof FFLONK_POLYNOMIAL_SECTIONS;

/** The polynomials of the key in the file's order. */
export const FFLONK_POLYNOMIALS = Object.keys(FFLONK_POLYNOMIAL_SECTIONS) as readonly FflonkPolynomial[];

/** The last elements of the domain belong to no gate: there the wires are random, which blinds them. */
export const BLINDED_ELEMENTS = 2;

/** The powers of tau of a key with a domain of n elements. */
export function fflonkPowers(n: number): number {
  return 9 * n + 18;
}

/** An FFLONK proving key whose large sections have not been read yet. */
export interface FflonkZkey extends Wiring {
  readonly curve: CurveId;
  readonly facts: PlonkKeyFacts;
  /** The permutation names wire b of gate i k1 w^i and wire c k2 w^i, where wire a is w^i. */
  readonly k1: bigint;
  readonly k2: bigint;
  readonly roots: FflonkRoots;
  /** tau in G2, and the commitment to C0, affine in the boundary form. */
  readonly points: { readonly X_2: Uint8Array; readonly C0: Uint8Array };
  /** The n coefficients of each polynomial, in Montgomery form with R = 2^256. */
  readonly polynomials: Readonly<Record<FflonkPolynomial, ByteSource>>;
  /** The 8 n coefficients of C0, likewise. */
  readonly C0: ByteSource;
  /** tau^i in G1, i from 0 to 9 n + 17. */
  readonly powers: KeyVector;
}

/**
 * Reads the header and the table of sections of an FFLONK .zkey; its moduli determine the curve. Errors as in
 * `readPlonkZkey`. The additions, the signals of the gates, the polynomials and the powers are not read.
 */
export async function readFflonkZkey(source: ByteSource): Promise<FflonkZkey> {
  const file = await openZkey(source, 'fflonk');
  const header = await readHeader(file.section(HEADER_SECTION));
  const { curve, facts } = header;
  const { domainSize } = facts;
  expectLagrange(file, FFLONK_SECTIONS.lagrange, facts);
  const powers = file.section(FFLONK_SECTIONS.powers);
  const count = fflonkPowers(domainSize);
  expectSize(powers, count * pointBytes(curve, 'g1'), `${count} powers of tau in section ${FFLONK_SECTIONS.powers}`);
  const c0 = file.section(FFLONK_SECTIONS.C0);
  expectSize(c0, 8 * domainSize * SCALAR_BYTES, `${8 * domainSize} coefficients in section ${FFLONK_SECTIONS.C0} (C0)`);
  return {
    ...header,
    ...wiringOf(file, facts),
    polynomials: record(
      FFLONK_POLYNOMIALS,
      (name) => coefficientsOf(file, FFLONK_POLYNOMIAL_SECTIONS[name], facts)[0]!,
    ),
    C0: c0,
    powers: { group: 'g1', count, bytes: powers },
  };
}

async function readHeader(
  section: ByteSource,
): Promise<Pick<FflonkZkey, 'curve' | 'facts' | 'k1' | 'k2' | 'roots' | 'points'>> {
  const { curve, end } = await readCurve(section);
  const pointsAt = FACTS_BYTES + (2 + FFLONK_ROOTS.length) * SCALAR_BYTES;
  const pointsBytes = pointBytes(curve.id, 'g2') + pointBytes(curve.id, 'g1');
  expectSize(section, end + pointsAt + pointsBytes, `section ${HEADER_SECTION} (header)`);
  const bytes = await section.read(end, section.size - end);
  const facts = readFacts(bytes, curve, BLINDED_ELEMENTS);
  const scalars = new ScalarReader(curve, bytes, FACTS_BYTES);
  const k1 = scalars.next('k1');
  const k2 = scalars.next('k2');
  expectDistinctCosets(curve, facts, k1, k2);
  const roots = record(FFLONK_ROOTS, (name) => scalars.next(name));
  expectRoots(curve, facts, roots);
  const points = new PointReader(curve, bytes, pointsAt);
  // With infinity, tau would be 0: everyone could open commitments to anything.
  const X_2 = points.nextFinite('g2', 'X_2');
  return { curve: curve.id, facts, k1, k2, roots, points: { X_2, C0: points.next('g1', 'C0') } };
}

function expectRoots(curve: Curve, { domainSize }: PlonkKeyFacts, roots: Readonly<Record<FflonkRoot, bigint>>): void {
  const wrong = wrongRoot(curve.id, domainSize, roots);
  if (wrong === undefined) return;
  throw new PippinError('MALFORMED_FILE', `expected ${wrong.expected}, got ${roots[wrong.name]}`, {
    hint: 'snarkjs makes working FFLONK keys for BN254 alone',
  });
}
