import { bigintToBytes, copyBytes, newBytes } from '../../base/bytes.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { type ByteSource, expectWithin, joinSources, partOf } from '../byte-source.js';
import { ELEMENTS_PER_ROW } from '../snarkjs/plonk-arithmetization.js';
import { copyPart, malformedPackedKey, type PackedSection } from './header.js';

/** NTT over Fr of 2^k elements below r, little-endian, natural order in and out. The inverse one divides by 2^k. */
export type Transform = (values: Uint8Array, direction: 'forward' | 'inverse') => Promise<Uint8Array>;

/** The largest domain whose transforms fit a kernel's memory. */
const MAX_DOMAIN = 2 ** 24;
/** A section has one polynomial, or the three of the permutation. */
const MAX_ROWS = 3;
/** C0 of an FFLONK key has the coefficients of these sections in turns: Ql, Qr, Qo, Qm, Qc, S1, S2, S3. */
export const OF_C0 = [7, 8, 10, 9, 11, 12, 13, 14];
/** Polynomials of C0 that are read at a time, in elements of each. */
const C0_ELEMENTS = 2 ** 12;

/**
 * What a PLONK or FFLONK .zkey has of a polynomial: n coefficients and the values on the domain of 4 n elements. They
 * are linear in the coefficients, so that the transform serves for the Montgomery form, too.
 */
async function evaluationsOf(coefficients: Uint8Array, transform: Transform): Promise<Uint8Array> {
  const padded = newBytes((ELEMENTS_PER_ROW - 1) * coefficients.length);
  padded.set(coefficients);
  return transform(padded, 'forward');
}

/**
 * Polynomials of a .zkey, at most `most` of them, of which `coefficients` gives the n coefficients; their values are
 * computed when they are read.
 */
function withEvaluations(
  { size, id, parameters: [n] }: PackedSection,
  most: number,
  coefficients: (row: number) => ByteSource,
  transform: Transform,
): ByteSource {
  const rows = size / (ELEMENTS_PER_ROW * n * SCALAR_BYTES);
  if (!isDomain(n) || !Number.isInteger(rows) || rows > most) {
    throw malformedPackedKey(
      `at most ${most} polynomials of 2^k coefficients in section ${id}`,
      `${size} bytes for 2^k = ${n}`,
    );
  }
  const valuesOf = lastRow(async (row) => {
    const own = coefficients(row);
    return evaluationsOf(await own.read(0, own.size), transform);
  });
  return joinSources(
    Array.from({ length: rows }, (_, row) => [
      coefficients(row),
      {
        size: (ELEMENTS_PER_ROW - 1) * n * SCALAR_BYTES,
        read: async (offset: number, length: number) =>
          copyBytes((await valuesOf(row)).subarray(offset, offset + length)),
      } as ByteSource,
    ]).flat(),
  );
}

/** Polynomials of which only the coefficients are packed. */
export function unpackedPolynomials(section: PackedSection, packed: ByteSource, transform: Transform): ByteSource {
  const { size, id, parameters } = section;
  const bytes = parameters[0] * SCALAR_BYTES;
  if (packed.size * ELEMENTS_PER_ROW !== size) {
    throw malformedPackedKey(`${size / ELEMENTS_PER_ROW} bytes of coefficients in section ${id}`, `${packed.size}`);
  }
  return withEvaluations(section, MAX_ROWS, (row) => partOf(packed, row * bytes, bytes), transform);
}

/** The Lagrange polynomials 0, 1 .. of a domain, of which nothing is packed, in Montgomery form with R = 2^256. */
export function unpackedLagrange(section: PackedSection, curve: Curve, transform: Transform): ByteSource {
  const [n] = section.parameters;
  const { modulus } = curve.fr;
  const one = bigintToBytes((1n << BigInt(8 * SCALAR_BYTES)) % modulus, SCALAR_BYTES);
  const coefficientsOf = lastRow((row) => {
    const values = newBytes(n * SCALAR_BYTES);
    values.set(one, row * SCALAR_BYTES);
    return transform(values, 'inverse');
  });
  return withEvaluations(
    section,
    n,
    (row) => ({
      size: n * SCALAR_BYTES,
      read: async (offset, length) => copyBytes((await coefficientsOf(row)).subarray(offset, offset + length)),
    }),
    transform,
  );
}

/** C0 of an FFLONK key: the coefficients of eight other sections, in turns. */
export function unpackedC0(
  { size, id, parameters: [n] }: PackedSection,
  sectionOf: (id: number) => Promise<ByteSource>,
): ByteSource {
  if (size !== OF_C0.length * n * SCALAR_BYTES) {
    throw malformedPackedKey(`${OF_C0.length} polynomials of ${n} coefficients in section ${id}`, `${size} bytes`);
  }
  const rowBytes = OF_C0.length * SCALAR_BYTES;
  const piece = async (from: number, to: number): Promise<Uint8Array> => {
    const bytes = newBytes((to - from) * rowBytes);
    for (const [i, other] of OF_C0.entries()) {
      const own = await (await sectionOf(other)).read(from * SCALAR_BYTES, (to - from) * SCALAR_BYTES);
      for (let at = 0, row = i * SCALAR_BYTES; at < own.length; at += SCALAR_BYTES, row += rowBytes) {
        bytes.set(own.subarray(at, at + SCALAR_BYTES), row);
      }
    }
    return bytes;
  };
  return {
    size,
    async read(offset, length) {
      expectWithin(size, offset, length);
      const result = newBytes(length);
      const last = Math.ceil((offset + length) / rowBytes);
      for (let from = Math.floor(offset / rowBytes); from < last; from += C0_ELEMENTS) {
        copyPart(result, offset, await piece(from, Math.min(from + C0_ELEMENTS, last)), from * rowBytes);
      }
      return result;
    },
  };
}

/** Computes a row that is not the last one that was asked for: slices of the same row follow each other. */
function lastRow(compute: (row: number) => Promise<Uint8Array>): (row: number) => Promise<Uint8Array> {
  let last: { readonly row: number; readonly bytes: Promise<Uint8Array> } | undefined;
  return (row) => {
    if (last?.row === row) return last.bytes;
    const made = { row, bytes: compute(row) };
    last = made;
    made.bytes.catch(() => {
      if (last === made) last = undefined;
    });
    return made.bytes;
  };
}

/** Whether polynomials of n coefficients are packed. */
export function isDomain(n: number): boolean {
  return n >= 1 && n <= MAX_DOMAIN && Number.isInteger(Math.log2(n));
}
