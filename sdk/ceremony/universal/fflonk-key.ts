import { joinBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { inverse, power } from '../../curves/modular.js';
import { WorkersPolynomials } from '../../executors/workers/pool/workers-polynomials.js';
import { onWorkers } from '../../executors/workers/pool/workers-vectors.js';
import { FFLONK_ROOTS, type FflonkRoots } from '../../files/snarkjs/fflonk-roots.js';
import {
  BLINDED_ELEMENTS,
  FFLONK_POLYNOMIAL_SECTIONS,
  FFLONK_POLYNOMIALS,
  FFLONK_SECTIONS,
  type FflonkPolynomial,
  fflonkPowers,
} from '../../files/snarkjs/fflonk-zkey.js';
import { HEADER_SECTION } from '../../files/snarkjs/zkey-header.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { toMontgomery } from '../contributions.js';
import { type NewSection, wholeSection } from '../section-writer.js';
import { montgomeryScalar, rowBytes } from './key-rows.js';
import type { UniversalFormat, UniversalSetUp } from './universal-set-up.js';

/** Sections of an FFLONK .zkey of snarkjs. */
export const FFLONK_KEY_SECTIONS = 17;

export const FFLONK_FORMAT: UniversalFormat = {
  protocol: 10,
  selectors: ['Ql', 'Qr', 'Qm', 'Qo', 'Qc'],
  dropsZeros: true,
  blindedRows: BLINDED_ELEMENTS,
  lagrangeSection: FFLONK_SECTIONS.lagrange,
  powersSection: FFLONK_SECTIONS.powers,
  powers: fflonkPowers,
};

/** The polynomials of C0(X) = Ql(X^8) + X Qr(X^8) + .. in the order of their powers of X. */
const IN_C0: readonly FflonkPolynomial[] = ['Ql', 'Qr', 'Qo', 'Qm', 'Qc', 'S1', 'S2', 'S3'];

/** It has no cube root modulo the order of BN254 or of BLS12-381. */
const NO_CUBE = 3n;

/** The sections of an FFLONK key in the order in which snarkjs 0.7.6 writes them. The parts of each must be taken. */
export async function* fflonkSections(setUp: UniversalSetUp): AsyncGenerator<NewSection> {
  yield setUp.protocolSection();
  yield* setUp.wiringSections();
  const size = rowBytes(setUp.domainSize);
  const coefficients = new Map<FflonkPolynomial, Uint8Array>();
  for await (const row of setUp.polynomials()) {
    const name = FFLONK_POLYNOMIALS[coefficients.size]!;
    coefficients.set(name, row.coefficients.slice());
    freeMemory(row.values);
    yield { id: FFLONK_POLYNOMIAL_SECTIONS[name], size, parts: setUp.written(row) };
  }
  yield setUp.lagrangeSection();
  const c0 = await combined(
    setUp,
    IN_C0.map((name) => coefficients.get(name)!),
  );
  const { section, commitments } = setUp.powersSection([c0]);
  yield section;
  yield wholeSection(FFLONK_SECTIONS.C0, c0);
  const curve = CURVES[setUp.curve];
  const roots = fflonkRoots(setUp.curve, setUp.domainSize);
  const [commitment] = await commitments.sum();
  yield wholeSection(
    HEADER_SECTION,
    joinBytes([
      setUp.headerHead(),
      ...FFLONK_ROOTS.map((name) => montgomeryScalar(curve.fr.modulus, roots[name])),
      ...[setUp.tauG2, commitment!].map((point) => toMontgomery(curve, point)),
    ]),
  );
}

/** The coefficients of C0; the polynomials' are freed. */
async function combined({ work, curve }: UniversalSetUp, polynomials: readonly Uint8Array[]): Promise<Uint8Array> {
  const on = new WorkersPolynomials(work.pool, curve);
  const length = polynomials.reduce((sum, { length }) => sum + length, 0) / SCALAR_BYTES;
  const c0 = await on.interleave(
    polynomials.map((bytes) => on.create(bytes)),
    length,
  );
  freeMemory(...polynomials);
  return onWorkers(c0).take();
}

/**
 * The roots of a key. Over BN254 they are snarkjs'; over other curves snarkjs writes numbers that are no roots of unity
 * (0.7.6), and no proof with its keys verifies.
 */
function fflonkRoots(curve: CurveId, domainSize: number): FflonkRoots {
  const { modulus } = CURVES[curve].fr;
  return {
    w3: power(NO_CUBE, (2n * (modulus - 1n)) / 3n, modulus),
    w4: rootOfDomain(curve, 4),
    w8: rootOfDomain(curve, 8),
    // Within the group of the domain's size, which 3 does not divide.
    wr: power(rootOfDomain(curve, domainSize), inverse(3n, BigInt(domainSize)), modulus),
  };
}
