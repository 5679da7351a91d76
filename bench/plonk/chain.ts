import { writeBigint } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { writeWtns } from '../../sdk/files/snarkjs/write-wtns.js';

const R = bn254.fr.modulus;

/** A gate: qm a b + ql a + qr b + qo c + qc is 0, for the values of the signals on its wires. Signal 0 is 0. */
export interface Gate {
  readonly wires: readonly [a: number, b: number, c: number];
  readonly qm: bigint;
  readonly ql: bigint;
  readonly qr: bigint;
  readonly qo: bigint;
  readonly qc: bigint;
}

/** A signal beside the witness: the sum of both terms, factor times signal. One gate checks it. */
export interface Addition {
  readonly signals: readonly [one: number, two: number];
  readonly factors: readonly [one: bigint, two: bigint];
}

/** A circuit as a PLONK key has it. The gates of the public signals are the first ones. */
export interface PlonkCircuit {
  /** log2 of the size of the domain, at least 3. */
  readonly log: number;
  /** Values of a witness. Addition i defines the signal `variables` + i. */
  readonly variables: number;
  readonly publicSignals: number;
  readonly additions: readonly Addition[];
  readonly gates: readonly Gate[];
}

/** Gates that the domain has room for and the chain does not have. */
const SPARE_GATES = 3;
/** The output, which is signal 1, and the two inputs. */
const PUBLIC_SIGNALS = 3;
/** One step out of so many has an addition. */
const STEPS_PER_ADDITION = 4;

/**
 * A chain of 2^log - 3 gates, log at least 3, with a witness (the bytes of a .wtns file). Of the two values before it, x
 * and y, each value is (x + 2)(y + 1); in every fourth step, 3 x + 5 y stands for x. So all selectors are in use, and the
 * values on the wires are dense.
 */
export function plonkChain(log: number): { readonly circuit: PlonkCircuit; readonly witness: Uint8Array } {
  const steps = additionsByStep(2 ** log - SPARE_GATES - PUBLIC_SIGNALS);
  const variables = 1 + PUBLIC_SIGNALS + steps.length - 1;
  const gates: Gate[] = Array.from({ length: PUBLIC_SIGNALS }, (_, i) => publicGate(i + 1));
  const additions: Addition[] = [];
  const values = new Array<bigint>(variables);
  [values[0], values[2], values[3]] = [1n, 3n ** 150n % R, 5n ** 100n % R];
  let [y, x] = [2, 3];
  for (const [step, adds] of steps.entries()) {
    const z = step === steps.length - 1 ? 1 : PUBLIC_SIGNALS + 1 + step;
    let [left, value] = [x, values[x]!];
    if (adds) {
      left = variables + additions.length;
      value = (3n * value + 5n * values[y]!) % R;
      additions.push({ signals: [x, y], factors: [3n, 5n] });
      gates.push({ wires: [x, y, left], qm: 0n, ql: R - 3n, qr: R - 5n, qo: 1n, qc: 0n });
    }
    gates.push({ wires: [left, y, z], qm: 1n, ql: 1n, qr: 2n, qo: R - 1n, qc: 2n });
    values[z] = ((value + 2n) * (values[y]! + 1n)) % R;
    [y, x] = [x, z];
  }
  return { circuit: { log, variables, publicSignals: PUBLIC_SIGNALS, additions, gates }, witness: wtnsOf(values) };
}

/** Whether each step has an addition, which takes a second gate; together they have `count` gates. */
function additionsByStep(count: number): boolean[] {
  const steps: boolean[] = [];
  for (let left = count; left > 0; ) {
    const adds = steps.length % STEPS_PER_ADDITION === 0 && left > 1;
    steps.push(adds);
    left -= adds ? 2 : 1;
  }
  return steps;
}

/** a is the public signal; the proof's public inputs take it away again. */
function publicGate(signal: number): Gate {
  return { wires: [signal, 0, 0], qm: 0n, ql: 1n, qr: 0n, qo: 0n, qc: 0n };
}

function wtnsOf(values: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(values.length * SCALAR_BYTES);
  for (const [i, value] of values.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, value);
  return writeWtns(bytes, R);
}
