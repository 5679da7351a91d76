import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { ADDITION_BYTES } from '../../sdk/polynomials/polynomials.js';
import type { Random } from '../support/random.js';
import { patched, u32 } from '../support/section-bytes.js';
import { pick, spoiltPoint } from './mutated-bytes.js';
import {
  type Change,
  COORDINATE_BYTES,
  COUNTS_AT,
  changeBody,
  foreignField,
  G1_BYTES,
  G2_BYTES,
  mutatedFile,
  type Parts,
  u32At,
  withNumber,
} from './mutated-sections.js';

/** The form of a proof system's key: sdk/files/snarkjs/plonk-zkey.ts and fflonk-zkey.ts. */
interface Form {
  /** Scalars of the header after its counts, and the bytes of each point after these. */
  readonly headerScalars: number;
  readonly headerPoints: readonly number[];
  /** The sections of polynomials, and of C0. */
  readonly polynomials: readonly number[];
  readonly lagrange: number;
  readonly powers: number;
}

const FORMS: Readonly<Record<'plonk' | 'fflonk', Form>> = {
  plonk: {
    headerScalars: 2,
    headerPoints: [...Array<number>(8).fill(G1_BYTES), G2_BYTES],
    polynomials: [7, 8, 9, 10, 11, 12],
    lagrange: 13,
    powers: 14,
  },
  fflonk: {
    headerScalars: 6,
    headerPoints: [G2_BYTES, G1_BYTES],
    polynomials: [7, 8, 9, 10, 11, 12, 13, 14, 17],
    lagrange: 15,
    powers: 16,
  },
};

const [HEADER, ADDITIONS, WIRES] = [2, 3, [4, 5, 6]] as const;
/** Signals, public signals, the domain's size, additions, gates. */
const COUNTS = 5;
const SCALARS_AT = COUNTS_AT + 4 * COUNTS;

/** A PLONK or FFLONK .zkey over BN254 with one to three changes. */
export function mutatedUniversalKey(protocol: 'plonk' | 'fflonk', file: Uint8Array, random: Random): Uint8Array {
  return mutatedFile(file, CHANGES[protocol], random);
}

const changesOf = ({ headerScalars, headerPoints, polynomials, lagrange, powers }: Form): readonly Change[] => [
  foreignField,
  // The proof system.
  (parts, random) =>
    changeBody(parts, 1, (body) =>
      random.integer(2) === 0 ? u32(pick(random, [0, 1, 2, 10])) : withNumber(body, 0, random),
    ),
  (parts, random) =>
    changeBody(parts, HEADER, (body) => withNumber(body, COUNTS_AT + 4 * random.integer(COUNTS), random)),
  (parts, random) =>
    changeBody(parts, HEADER, (body) =>
      withScalar(body, SCALARS_AT + SCALAR_BYTES * random.integer(headerScalars), random),
    ),
  (parts, random) =>
    changeBody(parts, HEADER, (body) => {
      const chosen = random.integer(headerPoints.length);
      const before = headerPoints.slice(0, chosen).reduce((sum, size) => sum + size, 0);
      const at = SCALARS_AT + SCALAR_BYTES * headerScalars + before;
      const size = headerPoints[chosen]!;
      return at + size > body.length ? body : spoiltPoint(body, at, size, COORDINATE_BYTES, random);
    }),
  // A signal or a factor of an addition.
  (parts, random) =>
    changeBody(parts, ADDITIONS, (body) => {
      const at = ADDITION_BYTES * random.integer(Math.max(1, Math.floor(body.length / ADDITION_BYTES)));
      const which = random.integer(2);
      if (random.integer(2) === 0) return withNumber(body, at + 4 * which, random);
      return withScalar(body, at + 8 + SCALAR_BYTES * which, random);
    }),
  // A signal on a wire: out of range, or another one.
  (parts, random) =>
    changeBody(parts, pick(random, WIRES), (body) => {
      const at = 4 * random.integer(Math.max(1, body.length >> 2));
      if (random.integer(2) === 0 || at + 4 > body.length) return withNumber(body, at, random);
      return patched(body, at, u32(random.integer(16)));
    }),
  // Coefficients, and evaluations that are not read.
  ...[0, 1].map(
    (): Change => (parts, random) =>
      changeBody(parts, pick(random, [...polynomials, lagrange]), (body) =>
        withScalar(body, SCALAR_BYTES * random.integer(Math.max(1, Math.floor(body.length / SCALAR_BYTES))), random),
      ),
  ),
  (parts, random) =>
    changeBody(parts, powers, (body) => {
      const points = Math.floor(body.length / G1_BYTES);
      return points === 0
        ? body
        : spoiltPoint(body, G1_BYTES * random.integer(points), G1_BYTES, COORDINATE_BYTES, random);
    }),
  (parts, random) => larger(parts, lagrange, random),
];

const CHANGES = { plonk: changesOf(FORMS.plonk), fflonk: changesOf(FORMS.fflonk) } as const;

/** A scalar in its place: 0, 1, near r, above r, or random. */
function withScalar(body: Uint8Array, at: number, random: Random): Uint8Array {
  const r = bn254.fr.modulus;
  const value = pick(random, [0n, 1n, r - 1n, r, r + 1n, (1n << 256n) - 1n, random.below(r), random.below(r)]);
  return at + SCALAR_BYTES > body.length ? body : patched(body, at, bigintToBytes(value, SCALAR_BYTES));
}

/** A key with one more public signal, addition or gate, and with the sections that go with it. */
function larger(parts: Parts, lagrange: number, random: Random): Parts {
  const more = (from: Parts, ...counts: readonly number[]): Parts =>
    changeBody(from, HEADER, (body) =>
      counts.reduce(
        (changed, which) =>
          changed.length < SCALARS_AT
            ? changed
            : patched(changed, COUNTS_AT + 4 * which, u32((u32At(changed, COUNTS_AT + 4 * which) + 1) >>> 0)),
        body,
      ),
    );
  const longer = (from: Parts, id: number, bytes: number): Parts =>
    changeBody(from, id, (body) => joinBytes([body, new Uint8Array(bytes)]));
  switch (random.integer(3)) {
    case 0: {
      const polynomial = parts.sections.find(([id]) => id === 7)?.[1].length ?? 0;
      return longer(more(parts, 1), lagrange, polynomial);
    }
    case 1:
      return longer(more(parts, 0, 3), ADDITIONS, ADDITION_BYTES);
    default:
      return WIRES.reduce((changed, id) => longer(changed, id, 4), more(parts, 4));
  }
}
