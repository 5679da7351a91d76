import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { inverse, power } from '../../curves/modular.js';
import { ADDITION_BYTES } from '../../polynomials/polynomials.js';
import { type ByteSource, partOf } from '../byte-source.js';
import { type SectionFile, viewOf } from './section-file.js';
import { expectDomain, expectPublicSignals, expectSize } from './zkey-header.js';

/**
 * What the keys of PLONK and FFLONK have in common, since both arithmetize a circuit in the same way: gates qm a b + ql
 * a + qr b + qo c + qc = 0, of which the first ones take the public signals, and a permutation of the 3 n wires. Signal
 * 0 stands for an unused wire, whose value is 0. Scalars are in Montgomery form with R = 2^256.
 *
 * - 3: the additions, rows of `ADDITION_BYTES`. Row i defines the signal `variables` + i as factor a times signal a
 *   plus factor b times signal b, each of which the witness has or an earlier row defines.
 * - 4, 5, 6: for each gate the signals on its wires a, b and c (u32).
 */
export const WIRING_SECTIONS = { additions: 3, maps: [4, 5, 6] } as const;

/** The smallest domain that snarkjs makes has 2^3 elements. */
export const SMALLEST_LOG_DOMAIN = 3;
/** The quotient is computed on a domain of 4 n elements, and its evaluations there are in the file. */
export const LOG_EXTENSION = 2;
/** A polynomial of the file: n coefficients, then 4 n evaluations. */
export const ELEMENTS_PER_ROW = 1 + 2 ** LOG_EXTENSION;

/** What the header of a PLONK or FFLONK key says. */
export interface PlonkKeyFacts {
  /** Values of a witness, the constant one included; the results of additions are not among them. */
  readonly variables: number;
  readonly publicSignals: number;
  readonly domainSize: number;
  readonly additions: number;
  /** Gates, one for each public signal included. */
  readonly constraints: number;
}

/** Bytes of the numbers that `readFacts` reads. */
export const FACTS_BYTES = 20;

/**
 * Reads the numbers at the beginning of `bytes`: signals (additions included), public signals, domain size, additions,
 * gates. `MALFORMED_FILE` if they contradict each other or the curve's scalar field.
 *
 * @param reserved elements of the domain that belong to no gate.
 */
export function readFacts(bytes: Uint8Array, { fr }: Curve, reserved = 0): PlonkKeyFacts {
  const view = viewOf(bytes);
  const [signals, publicSignals, domainSize, additions, constraints] = [0, 4, 8, 12, 16].map((at) =>
    view.getUint32(at, true),
  ) as [number, number, number, number, number];
  if (additions >= signals) {
    throw new PippinError('MALFORMED_FILE', `expected fewer additions than signals, got ${additions} of ${signals}`);
  }
  const variables = signals - additions;
  expectPublicSignals(publicSignals, variables);
  expectDomain(domainSize, SMALLEST_LOG_DOMAIN, fr.twoAdicity - LOG_EXTENSION);
  const most = domainSize - reserved;
  if (constraints < publicSignals || constraints > most) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected at least ${publicSignals} gates (public signals) and at most ${most} (domain), got ${constraints}`,
    );
  }
  return { variables, publicSignals, domainSize, additions, constraints };
}

/** Reads scalars of a header one after another as integers; `MALFORMED_FILE` names one that is not below r. */
export class ScalarReader {
  private readonly inverseR: bigint;

  constructor(
    private readonly curve: Curve,
    private readonly bytes: Uint8Array,
    private at: number,
  ) {
    this.inverseR = inverse(1n << BigInt(8 * SCALAR_BYTES), curve.fr.modulus);
  }

  next(name: string): bigint {
    const r = this.curve.fr.modulus;
    const value = bytesToBigint(this.bytes, this.at, SCALAR_BYTES);
    this.at += SCALAR_BYTES;
    if (value >= r) throw new PippinError('MALFORMED_FILE', `expected ${name} below r, got ${value}`);
    return (value * this.inverseR) % r;
  }
}

/** Whether the cosets H, k1 H and k2 H of the n-th roots of unity have no element in common, and none is 0. */
export function areDistinctCosets({ fr }: Curve, domainSize: number, k1: bigint, k2: bigint): boolean {
  const [one, two] = [k1, k2].map((k) => power(k, BigInt(domainSize), fr.modulus));
  return k1 !== 0n && k2 !== 0n && one !== 1n && two !== 1n && one !== two;
}

/** `MALFORMED_FILE` unless `areDistinctCosets`: else the permutation could not tell the wires apart. */
export function expectDistinctCosets(curve: Curve, { domainSize }: PlonkKeyFacts, k1: bigint, k2: bigint): void {
  if (areDistinctCosets(curve, domainSize, k1, k2)) return;
  throw new PippinError(
    'MALFORMED_FILE',
    `expected k1 and k2 in different cosets of the domain's roots of unity, got ${k1} and ${k2}`,
  );
}

/** How signals come to the wires of the gates. */
export interface Wiring {
  /** Rows of `ADDITION_BYTES`. */
  readonly additions: ByteSource;
  /** For each gate the signal on its wire a, b and c: u32. */
  readonly maps: readonly [a: ByteSource, b: ByteSource, c: ByteSource];
}

/** The sections of the wiring; `MALFORMED_FILE` for one of another size. */
export function wiringOf(file: SectionFile, { additions, constraints }: PlonkKeyFacts): Wiring {
  const rows = file.section(WIRING_SECTIONS.additions);
  expectSize(rows, additions * ADDITION_BYTES, `${additions} additions in section ${WIRING_SECTIONS.additions}`);
  const [a, b, c] = WIRING_SECTIONS.maps.map((section) => {
    const map = file.section(section);
    expectSize(map, 4 * constraints, `the signals of ${constraints} gates in section ${section}`);
    return map;
  }) as [ByteSource, ByteSource, ByteSource];
  return { additions: rows, maps: [a, b, c] };
}

/**
 * The n coefficients of each of `count` polynomials of a section, without the evaluations that follow them;
 * `MALFORMED_FILE` for a section of another size.
 */
export function coefficientsOf(
  file: SectionFile,
  section: number,
  { domainSize }: PlonkKeyFacts,
  count = 1,
): readonly ByteSource[] {
  const bytes = file.section(section);
  const size = ELEMENTS_PER_ROW * domainSize * SCALAR_BYTES;
  expectSize(bytes, count * size, `${count} polynomials in section ${section}`);
  return Array.from({ length: count }, (_, i) => partOf(bytes, i * size, domainSize * SCALAR_BYTES));
}

/** Checks the size of the section of Lagrange polynomials. It is not read: they follow from the domain. */
export function expectLagrange(file: SectionFile, section: number, facts: PlonkKeyFacts): void {
  coefficientsOf(file, section, facts, Math.max(1, facts.publicSignals));
}
