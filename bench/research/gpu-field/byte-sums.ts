import { toLimbs } from '../../../sdk/curves/limbs.js';
import type { FieldShape } from './field-shape.js';
import { repeat } from './wgsl.js';

/** Sums and differences of numbers in words of 32 bits. They are computed and carried in halves of 16 bits. */

/** A number that is added `weight` times, or subtracted if `weight` is below 0. */
interface Term {
  readonly name: string;
  readonly weight: number;
}

/**
 * `field_add`, `field_sub` and `field_sub_wide`, as `sums` in wgsl.ts defines them. Where R is too small for sums that
 * are not reduced (BN254: R is 5.2 p), the results of all three are reduced to less than 1.02 p.
 */
export function byteSums(shape: FieldShape): string {
  const [a, b, minusB] = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 1 },
    { name: 'b', weight: -1 },
  ];
  const { p, r } = shape;
  if (r < 64n * p) {
    return ['add', 'sub', 'sub_wide']
      .map((name) => reduced(shape, name, [a!, name === 'add' ? b! : minusB!]))
      .join('\n');
  }
  const lazy = (name: string, terms: readonly Term[], multiple: bigint): string => {
    const d = toLimbs(multiple * p, 2 * shape.words, 16);
    return `fn field_${name}(a: Field, b: Field) -> Field {\n${carried(shape, terms, (h) => ` + ${d[h]}i`)}\n}\n`;
  };
  return [lazy('add', [a!, b!], 0n), lazy('sub', [a!, minusB!], 4n), lazy('sub_wide', [a!, minusB!], 8n)].join('\n');
}

/**
 * The function `field_<name>`: the sum of terms, plus a multiple of p that brings it to 0 <= r < 1.02 p. The multiple
 * is computed from the upper 12 bits of the terms, which must come to less than 16 p in all.
 */
export function reduced(shape: FieldShape, name: string, terms: readonly Term[]): string {
  const { p, words } = shape;
  const halves = toLimbs(p, 2 * words, 16);
  const unit = BigInt(32 * words - 12);
  const scale = 2 ** 20;
  const perUnit = Math.round((scale * 2 ** 20) / Number((p << 20n) >> unit));
  // The most that the lower bits of negative terms take from the sum, in units of the upper 12 bits; 4 more are for
  // rounding.
  const below = terms.reduce((sum, { weight }) => sum + Math.max(0, -weight), 0);
  const top = terms.map(
    ({ name, weight }) => `${weight < 0 ? '+' : '-'} ${times(`i32(${name}.v[${words - 1}] >> 20u)`, weight)}`,
  );
  const names = [...new Set(terms.map(({ name }) => name))];
  return `fn field_${name}(${names.map((term) => `${term}: Field`).join(', ')}) -> Field {
  let multiple = (((${below + 4}i ${top.join(' ')}) * ${perUnit}i) >> 20u) + 1i;
${carried(shape, terms, (h) => ` + multiple * ${halves[h]}i`)}
}
`;
}

function times(value: string, weight: number): string {
  return Math.abs(weight) === 1 ? value : `${value} * ${Math.abs(weight)}i`;
}

function carried({ words }: FieldShape, terms: readonly Term[], more: (half: number) => string): string {
  const sum = (half: (name: string) => string, h: number): string =>
    terms.map(({ name, weight }) => `${weight < 0 ? '-' : '+'} ${times(half(name), weight)}`).join(' ') + more(h);
  return [
    '  var r: Field;',
    '  var low = 0i;',
    '  var high = 0i;',
    ...repeat(words, (w) =>
      [
        `  low = (high >> 16u) ${sum((name) => `i32(${name}.v[${w}] & 0xffffu)`, 2 * w)};`,
        `  high = (low >> 16u) ${sum((name) => `i32(${name}.v[${w}] >> 16u)`, 2 * w + 1)};`,
        `  r.v[${w}] = (u32(low) & 0xffffu) | (u32(high) << 16u);`,
      ].join('\n'),
    ),
    '  return r;',
  ].join('\n');
}
