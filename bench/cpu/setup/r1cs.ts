import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { readSectionFile, viewOf } from '../../../sdk/files/snarkjs/section-file.js';

/** One of a constraint's three linear combinations of signals. */
export type Sum = readonly { readonly signal: number; readonly coefficient: bigint }[];

/** One row of (A w)(B w) = C w, where w is the witness. */
export interface Constraint {
  readonly a: Sum;
  readonly b: Sum;
  readonly c: Sum;
}

/** A circuit's rank-1 constraint system, as circom writes it. */
export interface R1cs {
  /** The number of values of a witness, including the constant 1. */
  readonly variables: number;
  /** The number of outputs and public inputs. */
  readonly publicSignals: number;
  readonly constraints: readonly Constraint[];
}

const SECTION = { header: 1, constraints: 2 } as const;
const ELEMENT_BYTES = 32;
/** Offsets of the header's numbers (u32), counted from the end of the modulus. */
const OFFSET = { variables: 0, outputs: 4, publicInputs: 8, constraints: 24 } as const;

/** Reads an .r1cs file over BN254's scalar field (iden3/r1csfile, doc/r1cs_bin_format.md). */
export async function readR1cs(bytes: Uint8Array): Promise<R1cs> {
  const file = await readSectionFile(memorySource(bytes), 'r1cs');
  const read = async (id: number): Promise<Uint8Array> => file.section(id).read(0, file.section(id).size);
  const header = viewOf(await read(SECTION.header));
  const fact = (name: keyof typeof OFFSET): number => header.getUint32(4 + ELEMENT_BYTES + OFFSET[name], true);
  const body = await read(SECTION.constraints);
  const view = viewOf(body);
  let at = 0;
  const nextSum = (): Sum => {
    const terms = view.getUint32(at, true);
    at += 4;
    return Array.from({ length: terms }, () => {
      const term = {
        signal: view.getUint32(at, true),
        coefficient: bytesToBigint(body, at + 4, ELEMENT_BYTES),
      };
      at += 4 + ELEMENT_BYTES;
      return term;
    });
  };
  return {
    variables: fact('variables'),
    publicSignals: fact('outputs') + fact('publicInputs'),
    constraints: Array.from({ length: fact('constraints') }, () => ({ a: nextSum(), b: nextSum(), c: nextSum() })),
  };
}
