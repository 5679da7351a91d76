import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bls12381, bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { Random } from '../support/random.js';
import { patched, type Section, u32 } from '../support/section-bytes.js';
import { pick } from './mutated-bytes.js';
import { type Change, changeBody, mutatedFile, u32At, withNumber } from './mutated-sections.js';

const HEADER = 1;
const CONSTRAINTS = 2;
const GATE_SECTIONS = [4, 5];

/** The circuits' fields all have elements of 32 bytes: in the header come the size, the modulus and then the counts. */
const COUNTS_AT = 4 + SCALAR_BYTES;
/** Wires, public outputs, public and private inputs, labels in two words, constraints. */
const COUNTS = 7;
const WIRES = 0;
const NUMBER_OF_CONSTRAINTS = 6;
const TERM_BYTES = 4 + SCALAR_BYTES;

/** Where the sums of the constraints' section begin, as far as they can be told. */
function sumsOf(body: Uint8Array): number[] {
  const sums: number[] = [];
  for (let at = 0; at + 4 <= body.length; at += 4 + TERM_BYTES * u32At(body, at)) sums.push(at);
  return sums;
}

/** A change of one sum, which begins at `at` and ends at `end`. */
type SumChange = (body: Uint8Array, at: number, end: number, random: Random) => Uint8Array;

const inSum =
  (change: SumChange): Change =>
  (parts, random) =>
    changeBody(parts, CONSTRAINTS, (body) => {
      const sums = sumsOf(body).filter((at) => at + 4 + TERM_BYTES * u32At(body, at) <= body.length);
      if (sums.length === 0) return body;
      const at = pick(random, sums);
      return change(body, at, at + 4 + TERM_BYTES * u32At(body, at), random);
    });

/** A change of one term of a sum. */
const inTerm = (change: (body: Uint8Array, at: number, random: Random) => Uint8Array): Change =>
  inSum((body, at, end, random) => {
    const terms = (end - at - 4) / TERM_BYTES;
    return terms === 0 ? body : change(body, at + 4 + TERM_BYTES * random.integer(terms), random);
  });

function setCount(body: Uint8Array, which: number, change: (count: number) => number): Uint8Array {
  const at = COUNTS_AT + 4 * which;
  return at + 4 > body.length ? body : patched(body, at, u32(change(u32At(body, at)) >>> 0));
}

/** A field with as many bytes as it says, or with others: of another curve, small, even, 0. */
const otherField: Change = (parts, random) => {
  const modulus = pick(random, [
    bn254.fr.modulus,
    bn254.fq.modulus,
    bls12381.fr.modulus,
    2n ** 64n - 2n ** 32n + 1n,
    bn254.fr.modulus - 1n,
    3n,
    2n,
    1n,
    0n,
  ]);
  const size = pick(random, [1, 8, 24, SCALAR_BYTES, 40, 128, 136]);
  const bytes = bigintToBytes(BigInt.asUintN(8 * size, modulus), size);
  return changeBody(parts, HEADER, (body) => joinBytes([u32(size), bytes, body.subarray(COUNTS_AT)]));
};

/** A term more or less, with the sum's number of terms, so that only what the term says can be wrong. */
const terms = inSum((body, at, end, random) => {
  const count = u32At(body, at);
  const [head, rest] = [body.subarray(at + 4, end), body.subarray(end)];
  if (count > 0 && random.integer(2) === 0) {
    return joinBytes([body.subarray(0, at), u32(count - 1), head.subarray(TERM_BYTES), rest]);
  }
  const copied = count > 0 && random.integer(2) === 0;
  const term = copied ? head.subarray(0, TERM_BYTES) : new Uint8Array(TERM_BYTES).fill(0, 4);
  return joinBytes([body.subarray(0, at), u32(count + 1), head, term, rest]);
});

/** A constraint more or less, with the header's number of them or without. */
const constraints: Change = (parts, random) => {
  const more = random.integer(2) === 0;
  const changed = changeBody(parts, CONSTRAINTS, (body) => {
    const [first] = [sumsOf(body)[3] ?? body.length];
    return more ? joinBytes([body.subarray(0, Math.min(first, body.length)), body]) : body.slice(first);
  });
  if (random.integer(4) === 0) return changed;
  return changeBody(changed, HEADER, (body) =>
    setCount(body, NUMBER_OF_CONSTRAINTS, (count) => (more ? count + 1 : count - 1)),
  );
};

/** Changes of what a .r1cs says. */
const R1CS: readonly Change[] = [
  otherField,
  (parts, random) => changeBody(parts, HEADER, (body) => withNumber(body, 0, random)),
  (parts, random) =>
    changeBody(parts, HEADER, (body) => withNumber(body, COUNTS_AT + 4 * random.integer(COUNTS), random)),
  // The labels' upper half alone.
  (parts, random) => changeBody(parts, HEADER, (body) => setCount(body, 5, () => 2 ** random.integer(32))),
  // One wire less than the constraints need, or just as many.
  (parts, random) => {
    const body = parts.sections.find(([id]) => id === CONSTRAINTS)?.[1] ?? new Uint8Array();
    const used = sumsOf(body).flatMap((at) =>
      at + 8 <= body.length && u32At(body, at) > 0 ? [u32At(body, at + 4)] : [],
    );
    return changeBody(parts, HEADER, (header) =>
      setCount(header, WIRES, () => Math.max(0, ...used) + random.integer(2)),
    );
  },
  // The number of terms.
  inSum((body, at, _, random) => withNumber(body, at, random)),
  // The wire, near the number of wires or anywhere.
  inTerm((body, at, random) => withNumber(body, at, random)),
  inTerm((body, at, random) => patched(body, at, u32(random.integer(32)))),
  // The coefficient, which is to be below r.
  inTerm((body, at, random) => {
    const r = bn254.fr.modulus;
    const value = pick(random, [0n, 1n, r - 1n, r, r + 1n, bls12381.fr.modulus, 2n ** 256n - 1n, random.below(r)]);
    return patched(body, at + 4, bigintToBytes(value, SCALAR_BYTES));
  }),
  terms,
  terms,
  constraints,
  // What makes a circuit one with custom gates.
  (parts, random) => {
    const gates = GATE_SECTIONS.slice(random.integer(2)).map((id): Section => [id, u32(random.integer(2))]);
    return { ...parts, sections: [...parts.sections, ...gates] };
  },
];

/** A .r1cs over a field of 32 bytes with one to three changes. */
export function mutatedR1cs(file: Uint8Array, random: Random): Uint8Array {
  return mutatedFile(file, R1CS, random);
}
