import { isDeepStrictEqual } from 'node:util';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { readInfo } from '../../sdk/encodings-node.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { readR1cs } from '../../sdk/files/snarkjs/r1cs.js';
import type { SnarkjsLinearCombination } from '../../sdk/hosts/snarkjs-alias/api.js';
import { r1csInfo } from '../../sdk/hosts/snarkjs-alias/r1cs.js';
import { type ReadR1cs, referenceR1cs, type Term } from '../support/r1cs-reference.js';
import { sectionBody } from './parsed-files.js';

/** Reads a .r1cs. Throws unless it is read as the reference reads it, and refused just if the reference refuses it. */
export async function readConstraintSystem(file: Uint8Array): Promise<void> {
  const expected = referenceR1cs(file);
  await expectReadOrRefused(expected?.constraints !== undefined, async () => {
    const r1cs = await readR1cs(memorySource(file));
    const constraints: (readonly Term[])[][] = [];
    for await (const sums of r1cs.constraints()) constraints.push(sums.map((sum) => [...sum]));
    return isDeepStrictEqual({ ...r1cs.header, constraints }, expected);
  });
}

/** The same by `r1cs.info` of the alias, which has no circuits with custom gates. */
export async function readSnarkjsInfo(file: Uint8Array): Promise<void> {
  const expected = referenceR1cs(file);
  const isTaken = expected?.constraints !== undefined && !expected.hasCustomGates;
  await expectReadOrRefused(isTaken, async () => {
    const { n8, prime, nVars, nOutputs, nPubInputs, nPrvInputs, nLabels, nConstraints, constraints } = await r1csInfo(
      memorySource(file),
    );
    const read: ReadR1cs = {
      prime,
      elementBytes: n8,
      wires: nVars,
      publicOutputs: nOutputs,
      publicInputs: nPubInputs,
      privateInputs: nPrvInputs,
      labels: nLabels,
      hasCustomGates: false,
      constraints: constraints.map((sums) => sums.map((sum) => byWire(termsOf(sum, prime, n8)))),
    };
    const sorted = { ...expected, constraints: expected?.constraints?.map((sums) => sums.map(byWire)) };
    return nConstraints === constraints.length && isDeepStrictEqual(read, sorted);
  });
}

/**
 * Describes a .zkey, .wtns or .r1cs. What it tells must be what the header says, though a file that is described may
 * have other faults.
 */
export async function readFileInfo(file: Uint8Array): Promise<void> {
  const read = await readInfo(file as Uint8Array<ArrayBuffer>);
  if (read.bytes !== file.length) throw new Error('expected the size of the file');
  if (read.kind === 'r1cs') {
    const { prime, wires, publicOutputs, publicInputs, privateInputs, labels } = referenceR1cs(file)!;
    const expected = { prime: String(prime), variables: wires, publicOutputs, publicInputs, privateInputs, labels };
    if (!isDeepStrictEqual({ ...read, ...expected }, read))
      throw new Error('expected what the header of the .r1cs says');
    return;
  }
  const header = sectionBody(file, read.kind === 'wtns' ? 1 : 2);
  const u32 = (at: number): number => new DataView(header.buffer, header.byteOffset).getUint32(at, true);
  // A .zkey has the modulus of the coordinates before that of the scalars.
  const at = read.kind === 'wtns' ? 0 : 4 + u32(0);
  const end = at + 4 + u32(at);
  const prime = bytesToBigint(header, at + 4, u32(at));
  if (read.prime !== String(prime) || read.variables !== u32(end)) throw new Error('expected what the header says');
  if (read.kind === 'zkey' && (read.publicSignals !== u32(end + 4) || read.domainSize !== u32(end + 8))) {
    throw new Error('expected what the header of the .zkey says');
  }
}

async function expectReadOrRefused(isTaken: boolean, readsRight: () => Promise<boolean>): Promise<void> {
  let right: boolean;
  try {
    right = await readsRight();
  } catch (error) {
    if (isTaken) throw new Error('expected to take a .r1cs that is one', { cause: error });
    throw error;
  }
  if (!isTaken) throw new Error('expected to refuse what is no .r1cs');
  if (!right) throw new Error('expected what the .r1cs says');
}

/**
 * The terms of a sum in snarkjs' form: over its curves a coefficient is bytes of k R mod r, R being 2 to the power of
 * their bits; elsewhere a BigInt.
 */
function termsOf(sum: SnarkjsLinearCombination, prime: bigint, elementBytes: number): Term[] {
  const isOfCurve = KEY_CURVES.some(({ fr }) => fr.modulus === prime);
  return Object.entries(sum).map(([wire, value]) => {
    if (isOfCurve !== value instanceof Uint8Array)
      throw new Error('expected bytes over a curve, and a BigInt elsewhere');
    if (!(value instanceof Uint8Array)) return [Number(wire), value];
    const r = mod(1n << BigInt(8 * elementBytes), prime);
    return [Number(wire), mod(bytesToBigint(value) * inverse(r, prime), prime)];
  });
}

const byWire = (sum: readonly Term[]): Term[] => sum.toSorted(([one], [other]) => one - other);
