import { PippinError } from '../../base/errors.js';
import { type Curve, type CurveId, pointBytes } from '../../curves/index.js';
import { type ByteSource, partOf } from '../byte-source.js';
import { KEY_CURVE_NAMES, KEY_CURVES } from './known-curves.js';
import { expectElementBytes, fieldName, readModulus } from './modulus.js';
import { readSectionFile, type SectionFile, viewOf } from './section-file.js';
import { expectSize, montgomeryReader } from './zkey-header.js';

/**
 * The sections of a .ptau file that are read, as snarkjs writes them (src/powersoftau_utils.js): numbers are u32, all
 * bytes little-endian, points affine with coordinates in Montgomery form.
 *
 * - 1: p, the power k of this file, the power of its ceremony.
 * - 2: tau^i in G1, i from 0 to 2^(k+1) - 2.
 * - 3: tau^i in G2, i from 0 to 2^k - 1.
 */
const SECTION = { header: 1, tauG1: 2, tauG2: 3 } as const;

/** snarkjs' largest ceremony; a larger number is a damaged file. */
export const MAX_POWER = 28;

/** The powers of tau of a file, which have not been read. */
export interface PtauPowers {
  readonly file: SectionFile;
  readonly curve: CurveId;
  /** k: the file serves domains of up to 2^k elements. */
  readonly power: number;
  /** 2^(k+1) - 1 powers in G1. */
  readonly count: number;
  /** They, in Montgomery form. */
  readonly g1: ByteSource;
  /** tau in G2, in the boundary form: its coordinates are below p; it may be off the curve. */
  readonly tauG2: Uint8Array;
}

/** A .ptau file of which the header has been read. */
export interface PtauFile {
  readonly file: SectionFile;
  readonly curve: Curve;
  readonly power: number;
  /** The power of the ceremony: a file may have been truncated since. */
  readonly ceremonyPower: number;
}

/**
 * Reads the header of a .ptau file. `UNSUPPORTED_FORMAT` for another version, `CURVE_MISMATCH` for a curve without a
 * pairing here, `MALFORMED_FILE` for anything else than a .ptau file.
 */
export async function openPtau(source: ByteSource): Promise<PtauFile> {
  const file = await readSectionFile(source, 'ptau');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .ptau version 1, got ${file.version}`);
  const header = file.section(SECTION.header);
  const written = await readModulus(header, 0);
  const curve = curveOverField(written.modulus);
  expectElementBytes(written, curve.coordinateBytes);
  expectSize(header, written.end + 8, `section ${SECTION.header} (header)`);
  const view = viewOf(await header.read(written.end, 8));
  const [power, ceremonyPower] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (power < 1 || power > MAX_POWER) {
    throw new PippinError('MALFORMED_FILE', `expected a power from 1 to ${MAX_POWER}, got ${power}`);
  }
  return { file, curve, power, ceremonyPower };
}

/**
 * Reads the header of a .ptau file, prepared for phase 2 or not, and tau in G2. Rejects as `openPtau`, and with
 * `INVALID_POINT` for a coordinate of tau in G2 that is not below p.
 */
export async function readPtau(source: ByteSource): Promise<PtauPowers> {
  const { file, curve, power } = await openPtau(source);
  const count = 2 ** (power + 1) - 1;
  const g1 = file.section(SECTION.tauG1);
  expectSize(g1, count * pointBytes(curve.id, 'g1'), `${count} powers of tau in section ${SECTION.tauG1}`);
  const g2 = file.section(SECTION.tauG2);
  const g2Bytes = pointBytes(curve.id, 'g2');
  expectSize(g2, 2 ** power * g2Bytes, `${2 ** power} powers of tau in section ${SECTION.tauG2}`);
  const tauG2 = montgomeryReader(curve)(await partOf(g2, g2Bytes, g2Bytes).read(0, g2Bytes), 'tau in G2');
  return { file, curve: curve.id, power, count, g1, tauG2 };
}

/** The curve with this base field; a .ptau file does not name its scalar field. */
function curveOverField(modulus: bigint): Curve {
  const curve = KEY_CURVES.find(({ fq }) => fq.modulus === modulus);
  if (curve !== undefined) return curve;
  throw new PippinError(
    'CURVE_MISMATCH',
    `expected powers of tau over ${KEY_CURVE_NAMES}, got some over ${fieldName(modulus)}`,
  );
}
