import { toLimbs } from '../../../sdk/curves/limbs.js';
import type { FieldShape } from './field-shape.js';

/** The WGSL that the kernels of all variants have in common. */

/** Threads of a workgroup. */
export const WORKGROUP = 64;

/** `text(0)` to `text(count - 1)`. */
export function repeat(count: number, text: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => text(i));
}

/**
 * Declares the type Field, the uniforms and the buffers. `input` holds limbs or packed points, `output` the kept
 * results and the digests.
 */
export function declarations({ limbs }: FieldShape): string {
  return `struct Field {
  v: array<u32, ${limbs}>,
}
${bindings('input')}`;
}

/** Numbers of iterations come from uniforms, so that no compiler unrolls the loops. */
export const PARAMS = `struct Params {
  limbs: u32,
  // Products or additions of a thread, one after another.
  count: u32,
  // Threads whose whole result is kept.
  kept: u32,
  // The number of points less one.
  point_mask: u32,
  // Products of an addition, or steps of an inversion.
  steps: u32,
  // Iterations of an inversion's other loop.
  turns: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
`;

export function bindings(input: string): string {
  return `${PARAMS}@group(0) @binding(1) var<storage, read> ${input}: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
`;
}

/**
 * Writes the `values` of a thread to the output: all limbs for the first threads, and one digest word for every thread.
 */
export function keep(values: readonly string[], limbs: number): string {
  const all = values.flatMap((value) => repeat(limbs, (j) => `${value}.v[${j}]`));
  return `  if (thread < params.kept) {
${all.map((limb, i) => `    output[thread * ${all.length}u + ${i}u] = ${limb};`).join('\n')}
  }
  output[params.kept * ${all.length}u + thread] = ${all.join(' ^ ')};
`;
}

/** Carries limb-wise terms and returns them as normalised limbs, of which the highest may be wider than the others. */
export function carried({ limbs, limbBits }: FieldShape, term: (j: number) => string): string {
  const lines = ['  var r: Field;', '  var carry = 0u;'];
  for (let j = 0; j < limbs - 1; j++) {
    lines.push(`  carry += ${term(j)};`, `  r.v[${j}] = carry & ${2 ** limbBits - 1}u;`, `  carry >>= ${limbBits}u;`);
  }
  lines.push(`  r.v[${limbs - 1}] = carry + ${term(limbs - 1)};`, '  return r;');
  return lines.join('\n');
}

/**
 * `field_add`; `field_sub`, which adds 4 p and needs b < 3.9 p; `field_sub_wide`, which adds 8 p and needs b < 7.9 p.
 */
export function sums(shape: FieldShape): string {
  const difference = (name: string, multiple: bigint): string => {
    // Every limb but the highest borrows 1 from the next, so that no limb of the difference goes below 0.
    const d = toLimbs(multiple * shape.p, shape.limbs, shape.limbBits);
    for (let j = 0; j < shape.limbs - 1; j++) {
      d[j]! += 2 ** shape.limbBits;
      d[j + 1]! -= 1;
    }
    return `fn ${name}(a: Field, b: Field) -> Field {\n${carried(shape, (j) => `a.v[${j}] + ${d[j]}u - b.v[${j}]`)}\n}\n`;
  };
  return `fn field_add(a: Field, b: Field) -> Field {
${carried(shape, (j) => `a.v[${j}] + b.v[${j}]`)}
}
${difference('field_sub', 4n)}${difference('field_sub_wide', 8n)}`;
}

/** `base_coordinate(at, k)`: coordinate k of the packed point that begins at word `at` of the input. */
export function baseCoordinate(shape: FieldShape): string {
  const { limbs, words } = shape;
  return `fn base_coordinate(at: u32, k: u32) -> Field {
  let from_word = at + k * ${words}u;
${repeat(words, (w) => `  let w${w} = input[from_word + ${w}u];`).join('\n')}
  return Field(array<u32, ${limbs}>(
${repeat(limbs, (j) => `    ${unpackedLimb(shape, j, (w) => `w${w}`)},`).join('\n')}
  ));
}
`;
}

/** The expression of limb j of a packed coordinate; `word(w)` is the expression of its word w. */
export function unpackedLimb({ limbBits, words }: FieldShape, j: number, word: (w: number) => string): string {
  const first = (j * limbBits) >> 5;
  const shift = (j * limbBits) & 31;
  if (first >= words) return '0u';
  const low = `(${word(first)} >> ${shift}u)`;
  const spans = shift + limbBits > 32 && first + 1 < words;
  return `(${spans ? `${low} | (${word(first + 1)} << ${32 - shift}u)` : low}) & ${2 ** limbBits - 1}u`;
}

/**
 * The expression of word w of a packed coordinate; `limb(j)` is the expression of its limb j, which is below
 * 2^limbBits.
 */
export function packedWord({ limbs, limbBits }: FieldShape, w: number, limb: (j: number) => string): string {
  const parts: string[] = [];
  for (let j = Math.floor((32 * w) / limbBits); j < limbs && j * limbBits < 32 * (w + 1); j++) {
    const shift = j * limbBits - 32 * w;
    parts.push(shift < 0 ? `(${limb(j)} >> ${-shift}u)` : `(${limb(j)} << ${shift}u)`);
  }
  return parts.join(' | ');
}
