import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bls12381, bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { Random } from '../support/random.js';
import { patched, type Section, sectionFile, sectionsOf, u32 } from '../support/section-bytes.js';
import { flipped, pick, spoiltPoint } from './mutated-bytes.js';

/** An iden3 file of BN254, taken apart. */
export interface Parts {
  readonly magic: string;
  readonly version: number;
  readonly sections: readonly Section[];
}

export type Change = (parts: Parts, random: Random) => Parts;

export const COORDINATE_BYTES = bn254.coordinateBytes;
export const G1_BYTES = 2 * COORDINATE_BYTES;
export const G2_BYTES = 2 * G1_BYTES;
/** In a .zkey's header: two sizes of 4 bytes, the moduli, then the numbers of variables, public signals and rows. */
export const COUNTS_AT = 2 * (4 + SCALAR_BYTES);
const ROW_BYTES = 12 + SCALAR_BYTES;

/** The sections of a .zkey that hold points, with the bytes of a point. */
const POINT_SECTIONS = new Map([
  [3, G1_BYTES],
  [5, G1_BYTES],
  [6, G1_BYTES],
  [7, G2_BYTES],
  [8, G1_BYTES],
  [9, G1_BYTES],
]);

export const u32At = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(at, true);

/** A number where a file has `value`: a bit off, none, or more than any file holds. */
function wrongNumber(random: Random, value: number): number {
  const numbers = [0, 1, value + 1, value - 1, 2 * value, value >> 1, 2 ** 16, 2 ** 28, 2 ** 31, 2 ** 32 - 1];
  return pick(random, numbers) >>> 0;
}

export const withNumber = (bytes: Uint8Array, at: number, random: Random): Uint8Array =>
  at + 4 > bytes.length ? bytes : patched(bytes, at, u32(wrongNumber(random, u32At(bytes, at))));

export function changeBody(parts: Parts, id: number, change: (body: Uint8Array) => Uint8Array): Parts {
  const sections = parts.sections.map(([other, body]): Section => [other, other === id ? change(body) : body]);
  return { ...parts, sections };
}

/** Changes of the table of sections. */
const TABLE: readonly Change[] = [
  (parts, random) => ({ ...parts, sections: parts.sections.toSpliced(random.integer(parts.sections.length), 1) }),
  (parts, random) => {
    const section = pick(random, parts.sections);
    return { ...parts, sections: parts.sections.toSpliced(random.integer(parts.sections.length), 0, section) };
  },
  (parts, random) => {
    const id = pick(random, parts.sections)[0];
    const other = pick(random, [...parts.sections.map(([each]) => each), 0, 11, 2 ** 32 - 1]);
    return { ...parts, sections: parts.sections.map(([each, body]) => [each === id ? other : each, body]) };
  },
  (parts, random) => {
    const [a, b] = [pick(random, parts.sections), pick(random, parts.sections)];
    const sections = parts.sections.map(([id, body]): Section => [id, id === a[0] ? b[1] : id === b[0] ? a[1] : body]);
    return { ...parts, sections };
  },
  (parts, random) => changeBody(parts, pick(random, parts.sections)[0], (body) => resized(body, random)),
  (parts, random) => changeBody(parts, pick(random, parts.sections)[0], (body) => flipped(body, random)),
  (parts) => ({ ...parts, sections: parts.sections.toReversed() }),
  (parts, random) => ({ ...parts, version: wrongNumber(random, parts.version) }),
  (parts, random) => ({ ...parts, magic: pick(random, ['wtns', 'zkey', 'r1cs', 'zkyb', '\0asm']) }),
];

function resized(body: Uint8Array, random: Random): Uint8Array {
  if (random.integer(2) === 0) return body.slice(0, random.integer(body.length + 1));
  return joinBytes([body, new Uint8Array(1 + random.integer(100)).fill(random.integer(256))]);
}

/** The moduli of another curve, or the two changed round. */
export const foreignField: Change = (parts, random) => {
  const foreign = pick(random, [bn254.fr, bn254.fq, bls12381.fr, bls12381.fq]);
  return changeBody(parts, parts.magic === 'wtns' ? 1 : 2, (body) => {
    const size = pick(random, [SCALAR_BYTES, 48]);
    const at = parts.magic === 'wtns' ? 0 : pick(random, [0, 4 + COORDINATE_BYTES]);
    const field = joinBytes([u32(size), bigintToBytes(foreign.modulus % (1n << BigInt(8 * size)), size)]);
    return joinBytes([body.subarray(0, at), field, body.subarray(at + 4 + SCALAR_BYTES)]);
  });
};

/** Changes of what a .zkey says. */
const ZKEY: readonly Change[] = [
  foreignField,
  (parts, random) =>
    changeBody(parts, 1, (body) =>
      random.integer(2) === 0 ? u32(pick(random, [0, 2, 10])) : withNumber(body, 0, random),
    ),
  (parts, random) => changeBody(parts, 2, (body) => withNumber(body, pick(random, [0, 4 + COORDINATE_BYTES]), random)),
  (parts, random) => changeBody(parts, 2, (body) => withNumber(body, COUNTS_AT + 4 * random.integer(3), random)),
  (parts, random) => changeBody(parts, 4, (body) => withNumber(body, 0, random)),
  // Matrix, constraint or signal of a coefficient.
  (parts, random) =>
    changeBody(parts, 4, (body) => {
      const rows = Math.floor((body.length - 4) / ROW_BYTES);
      return rows < 1 ? body : withNumber(body, 4 + ROW_BYTES * random.integer(rows) + 4 * random.integer(3), random);
    }),
  // The coefficient itself, which is to be below r.
  (parts, random) =>
    changeBody(parts, 4, (body) => {
      const rows = Math.floor((body.length - 4) / ROW_BYTES);
      const value = pick(random, [
        0n,
        bn254.fr.modulus,
        bn254.fr.modulus - 1n,
        (1n << 256n) - 1n,
        random.below(bn254.fr.modulus),
      ]);
      return rows < 1
        ? body
        : patched(body, 4 + ROW_BYTES * random.integer(rows) + 12, bigintToBytes(value, SCALAR_BYTES));
    }),
  badPoint,
  badPoint,
  badHeaderPoint,
  larger,
];

function badPoint(parts: Parts, random: Random): Parts {
  const id = pick(random, [...POINT_SECTIONS.keys()]);
  const size = POINT_SECTIONS.get(id)!;
  return changeBody(parts, id, (body) => {
    const points = Math.floor(body.length / size);
    return points === 0 ? body : spoiltPoint(body, size * random.integer(points), size, COORDINATE_BYTES, random);
  });
}

/** alpha1, beta1, beta2, gamma2, delta1 or delta2. */
function badHeaderPoint(parts: Parts, random: Random): Parts {
  return changeBody(parts, 2, (body) => {
    let at = COUNTS_AT + 12;
    const sizes = [G1_BYTES, G1_BYTES, G2_BYTES, G2_BYTES, G1_BYTES, G2_BYTES];
    const chosen = random.integer(sizes.length);
    for (const size of sizes.slice(0, chosen)) at += size;
    return at + sizes[chosen]! > body.length ? body : spoiltPoint(body, at, sizes[chosen]!, COORDINATE_BYTES, random);
  });
}

/** A key with one more variable or public signal, or twice the domain, and with the sections that go with it. */
function larger(parts: Parts, random: Random): Parts {
  const longer = (ids: readonly number[], by: (size: number, body: Uint8Array) => number) => (other: Parts) =>
    ids.reduce(
      (changed, id) =>
        changeBody(changed, id, (body) => {
          const length = Math.max(0, by(POINT_SECTIONS.get(id)!, body));
          return joinBytes([body.subarray(0, length), new Uint8Array(Math.max(0, length - body.length))]);
        }),
      other,
    );
  const count = (which: number, change: (value: number) => number) =>
    changeBody(parts, 2, (body) =>
      body.length < COUNTS_AT + 12
        ? body
        : patched(body, COUNTS_AT + 4 * which, u32(change(u32At(body, COUNTS_AT + 4 * which)) >>> 0)),
    );
  const more = (size: number, body: Uint8Array): number => body.length + size;
  switch (random.integer(3)) {
    case 0:
      return longer([5, 6, 7, 8], more)(count(0, (variables) => variables + 1));
    case 1:
      return longer([8], (size, body) => body.length - size)(longer([3], more)(count(1, (signals) => signals + 1)));
    default:
      return longer([9], (_, body) => 2 * body.length)(count(2, (domain) => 2 * domain));
  }
}

/** Changes of what a .wtns says. */
const WTNS: readonly Change[] = [
  foreignField,
  (parts, random) => changeBody(parts, 1, (body) => withNumber(body, pick(random, [0, 4 + SCALAR_BYTES]), random)),
  (parts, random) =>
    changeBody(parts, 2, (body) => {
      const values = Math.floor(body.length / SCALAR_BYTES);
      const r = bn254.fr.modulus;
      const value = pick(random, [0n, 1n, 2n, r - 1n, r, r + 1n, (1n << 256n) - 1n, random.below(r)]);
      return values === 0
        ? body
        : patched(body, SCALAR_BYTES * random.integer(values), bigintToBytes(value, SCALAR_BYTES));
    }),
];

/** Changes of the bytes of the whole file. */
const WHOLE: readonly ((file: Uint8Array, random: Random) => Uint8Array)[] = [
  flipped,
  flipped,
  resized,
  // The number of sections.
  (file, random) => withNumber(file, 8, random),
  // The length of a section, of which the upper half is nearly always 0.
  (file, random) => {
    const headers = headersOf(file);
    return headers.length === 0 ? file : withNumber(file, pick(random, headers) + pick(random, [0, 4, 4, 8]), random);
  },
];

/** Where the headers of sections are, as far as they can be told. */
function headersOf(file: Uint8Array): number[] {
  const headers: number[] = [];
  for (let at = 12; at + 12 <= file.length; at += 12 + u32At(file, at + 4)) headers.push(at);
  return headers;
}

/** A .zkey or .wtns of BN254 with one to three changes. */
export function mutatedSectionFile(file: Uint8Array, random: Random): Uint8Array {
  return mutatedFile(file, String.fromCharCode(...file.subarray(0, 4)) === 'wtns' ? WTNS : ZKEY, random);
}

/**
 * A file of sections with one to three changes: of its table, of its bytes, and those of `own`, which know what it
 * says.
 */
export function mutatedFile(file: Uint8Array, own: readonly Change[], random: Random): Uint8Array {
  const magic = String.fromCharCode(...file.subarray(0, 4));
  let parts: Parts = { magic, version: u32At(file, 4), sections: sectionsOf(file) };
  const changes = random.integer(3);
  for (let i = 0; i < changes && parts.sections.length > 0; i++) {
    parts = pick(random, random.integer(3) === 0 ? TABLE : own)(parts, random);
  }
  const changed = sectionFile(parts.magic, parts.version, parts.sections);
  return changes === 0 || random.integer(4) === 0 ? pick(random, WHOLE)(changed, random) : changed;
}
