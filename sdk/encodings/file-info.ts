import { PippinError } from '../base/errors.js';
import { CURVES, type CurveId } from '../curves/index.js';
import type { ByteSource } from '../files/byte-source.js';
import { fileHint } from '../files/file-hint.js';
import { fieldName, readModulus } from '../files/snarkjs/modulus.js';
import { readR1cs } from '../files/snarkjs/r1cs.js';
import { printable, readSectionFile, type SectionFile, viewOf } from '../files/snarkjs/section-file.js';
import { COEFFICIENT_BYTES } from '../files/snarkjs/zkey.js';
import { protocolOfSections } from '../files/snarkjs/zkey-header.js';

/** What the files of snarkjs and circom have in common. */
interface FieldInfo {
  /** The file's size in bytes. */
  readonly bytes: number;
  /** The curve whose scalars the file is over; undefined if Pippin does not have it. */
  readonly curve: CurveId | undefined;
  /** The scalar field in words, such as "BN254's scalar field". */
  readonly field: string;
  /** Its modulus as a decimal string. */
  readonly prime: string;
}

/** What a proving key (`.zkey`) holds. */
export interface ZkeyInfo extends FieldInfo {
  /** A proving key. */
  readonly kind: 'zkey';
  /** The proof system. */
  readonly protocol: 'groth16' | 'plonk' | 'fflonk';
  /** Values of a witness, the constant one included. */
  readonly variables: number;
  /** The number of public signals. */
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two. */
  readonly domainSize: number;
  /**
   * Constraints of the circuit; with PLONK and FFLONK the number of gates. With Groth16 they follow from the last row
   * of the matrices; undefined for a key that has its rows in another order.
   */
  readonly constraints: number | undefined;
  /** Groth16: entries of the matrices A and B, including the rows of the public signals. */
  readonly coefficients?: number;
  /** PLONK and FFLONK: signals that gates define as linear combinations of two others, beside the witness. */
  readonly additions?: number;
  /**
   * Groth16: contributions to phase 2 of the set-up; without any, the key is not for use. Undefined if the file does
   * not have them.
   */
  readonly contributions?: number | undefined;
}

/** What a witness (`.wtns`) holds; its values are secret and not read. */
export interface WtnsInfo extends FieldInfo {
  /** A witness. */
  readonly kind: 'wtns';
  /** The number of its values, the constant one included. */
  readonly variables: number;
}

/** What a constraint system (`.r1cs`) holds. */
export interface R1csInfo extends FieldInfo {
  /** A constraint system. */
  readonly kind: 'r1cs';
  /** Values of a witness (wires), the constant one included. */
  readonly variables: number;
  /** The number of constraints. */
  readonly constraints: number;
  /** The number of public outputs. */
  readonly publicOutputs: number;
  /** The number of public inputs. */
  readonly publicInputs: number;
  /** The number of private inputs. */
  readonly privateInputs: number;
  /** Signals before the compiler has simplified the circuit, by which a .sym file numbers them. */
  readonly labels: number;
  /** Whether it uses custom gates, which Groth16 does not have. */
  readonly customGates: boolean;
}

/** What `readInfo` gives, by `kind` of file. */
export type FileInfo = ZkeyInfo | WtnsInfo | R1csInfo;

const SECTION = { header: 2, coefficients: 4, contributions: 10 } as const;
/** Before the number of contributions comes the hash of the circuit. */
const CIRCUIT_HASH_BYTES = 64;

/** See `readInfo` of the entries. */
export async function fileInfo(source: ByteSource): Promise<FileInfo> {
  const beginning = await source.read(0, Math.min(16, source.size));
  const magic = String.fromCharCode(...beginning.subarray(0, 4));
  if (magic === 'zkey') return zkeyInfo(source);
  if (magic === 'wtns') return wtnsInfo(source);
  if (magic === 'r1cs') return r1csInfo(source);
  throw new PippinError(
    'MALFORMED_FILE',
    `expected a file that begins with "zkey", "wtns" or "r1cs", got "${printable(magic)}" (${source.size} bytes)`,
    fileHint(beginning),
  );
}

async function zkeyInfo(source: ByteSource): Promise<ZkeyInfo> {
  const file = await readSectionFile(source, 'zkey');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .zkey version 1, got ${file.version}`);
  const protocol = await protocolOfSections(file);
  const header = file.section(SECTION.header);
  const q = await readModulus(header, 0);
  const r = await readModulus(header, q.end);
  const view = viewOf(await header.read(r.end, 20));
  const publicSignals = view.getUint32(4, true);
  const common = {
    kind: 'zkey',
    protocol,
    ...fieldInfo(source, r.modulus, q.modulus),
    publicSignals,
    domainSize: view.getUint32(8, true),
  } as const;
  const signals = view.getUint32(0, true);
  if (protocol === 'groth16') {
    const matrices = await matrixInfo(file, publicSignals);
    return { ...common, variables: signals, ...matrices, contributions: await contributions(file) };
  }
  // The results of additions count as signals, but follow from the witness.
  const additions = view.getUint32(12, true);
  return { ...common, variables: signals - additions, constraints: view.getUint32(16, true), additions };
}

/**
 * The last row of the matrices that snarkjs writes belongs to the last public signal, in A; the rows of the constant
 * and of the public signals follow the rows of the circuit's constraints.
 */
async function matrixInfo(
  file: SectionFile,
  publicSignals: number,
): Promise<{ coefficients: number; constraints: number | undefined }> {
  const section = file.section(SECTION.coefficients);
  const coefficients = viewOf(await section.read(0, 4)).getUint32(0, true);
  if (coefficients === 0) return { coefficients, constraints: undefined };
  const last = viewOf(await section.read(4 + (coefficients - 1) * COEFFICIENT_BYTES, 12));
  const [matrix, row, signal] = [0, 4, 8].map((at) => last.getUint32(at, true)) as [number, number, number];
  const isOfPublicSignal = matrix === 0 && signal === publicSignals && row >= publicSignals;
  return { coefficients, constraints: isOfPublicSignal ? row - publicSignals : undefined };
}

async function contributions(file: SectionFile): Promise<number | undefined> {
  if (!file.has(SECTION.contributions)) return undefined;
  return viewOf(await file.section(SECTION.contributions).read(CIRCUIT_HASH_BYTES, 4)).getUint32(0, true);
}

async function wtnsInfo(source: ByteSource): Promise<WtnsInfo> {
  const file = await readSectionFile(source, 'wtns');
  const header = file.section(1);
  const { modulus, end } = await readModulus(header, 0);
  const variables = viewOf(await header.read(end, 4)).getUint32(0, true);
  return { kind: 'wtns', ...fieldInfo(source, modulus), variables };
}

async function r1csInfo(source: ByteSource): Promise<R1csInfo> {
  const { header } = await readR1cs(source);
  const { prime, wires, elementBytes: _, hasCustomGates, ...counts } = header;
  return { kind: 'r1cs', ...fieldInfo(source, prime), variables: wires, ...counts, customGates: hasCustomGates };
}

/** @param q the modulus of the coordinates, where the file has one. */
function fieldInfo(source: ByteSource, r: bigint, q?: bigint): FieldInfo {
  const curve = Object.values(CURVES).find(({ fr, fq }) => fr.modulus === r && (q === undefined || fq.modulus === q));
  return { bytes: source.size, curve: curve?.id, field: fieldName(r), prime: String(r) };
}
