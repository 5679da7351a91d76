import { joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { Constraint, R1cs, Sum } from '../cpu/setup/r1cs.js';
import { sectionFile } from '../cpu/setup/section-writer.js';

const R = bn254.fr.modulus;

/** A constraint system with a witness that satisfies it. */
export interface CircuitWithWitness {
  readonly circuit: R1cs;
  /** The bytes of a .wtns file. */
  readonly witness: Uint8Array;
}

/** Signals of the chain: the constant 1, the output, and from here on the values, of which the first two are inputs. */
const FIRST_VALUE = 2;

/**
 * The circuit of bench/cpu/circuits/chain.circom with 2^log - 8 constraints, made without circom: each value is the
 * product of the two before it, and the last one is the output. Its witness is dense.
 */
export function chainCircuit(log: number): CircuitWithWitness {
  const count = 2 ** log - 8;
  /** The signal of value i; that of the last value is the output. */
  const signal = (i: number): number => (i === count + 1 ? 1 : FIRST_VALUE + i);
  const one = (i: number): Sum => [{ signal: signal(i), coefficient: 1n }];
  const constraints = Array.from(
    { length: count },
    (_, i): Constraint => ({ a: one(i + 1), b: one(i), c: one(i + 2) }),
  );
  const values = new Array<bigint>(count + 3);
  values[0] = 1n;
  let [before, last] = [3n ** 150n % R, 5n ** 100n % R];
  values[signal(0)] = before;
  values[signal(1)] = last;
  for (let i = 2; i < count + 2; i++) {
    [before, last] = [last, (last * before) % R];
    values[signal(i)] = last;
  }
  return { circuit: { variables: count + 3, publicSignals: 1, constraints }, witness: wtnsFile(values) };
}

/** The witness file that snarkjs and circom write: the modulus and the number of values, then the values. */
function wtnsFile(values: readonly bigint[]): Uint8Array {
  const modulus = element(R);
  const body = new Uint8Array(values.length * SCALAR_BYTES);
  for (const [i, value] of values.entries()) writeBigint(body, i * SCALAR_BYTES, SCALAR_BYTES, value);
  const header = joinBytes([word(SCALAR_BYTES), modulus, word(values.length)]);
  const file = sectionFile('wtns', [
    [1, header],
    [2, body],
  ]);
  // The version of witness files is 2.
  new DataView(file.buffer).setUint32(4, 2, true);
  return file;
}

function element(value: bigint): Uint8Array {
  const bytes = new Uint8Array(SCALAR_BYTES);
  writeBigint(bytes, 0, SCALAR_BYTES, value);
  return bytes;
}

function word(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}
