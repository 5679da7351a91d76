import cutDigits from '../../shaders/digits/cut.wgsl';
import givenDigits from '../../shaders/digits/given.wgsl';
import digitLayout from '../../shaders/digits/layout.wgsl';
import bls12377Field from '../../shaders/generated/bls12-377-fq.wgsl';
import bn254Field from '../../shaders/generated/bn254-fq.wgsl';
import cutPieces from '../../shaders/pieces/cut.wgsl';
import edwards from '../../shaders/point/edwards.wgsl';
import weierstrass from '../../shaders/point/weierstrass.wgsl';
import type { CurveId } from '../curves/index.js';
import { type PointForm, pointForm } from '../msm/prepared.js';
import { type PointLayout, pointLayout } from './point-layout.js';
import type { Prelude, Stage } from './stage.js';

const FIELDS: Readonly<Record<CurveId, string>> = { bn254: bn254Field, 'bls12-377': bls12377Field };
const POINTS: Readonly<Record<PointForm, string>> = { weierstrass, edwards };

/** Coordinates of a sum, by the names that the point modules give them. */
const SUM_COORDINATES: Readonly<Record<PointForm, readonly string[]>> = {
  weierstrass: ['x', 'y', 'zz', 'zzz'],
  edwards: ['x', 'y', 'z', 't'],
};

/** The buffers of sums that a stage may name, by the word its loads and stores use: `load_slot(i)`, `store_bit(i, p)`. */
const SUM_BUFFERS: Readonly<Record<string, string>> = {
  bucket: 'buckets',
  slot: 'slots',
  bit: 'bit_sums',
};

/** What the stages without a curve are put behind. */
const PRELUDES: Readonly<Record<Exclude<Prelude, 'points'>, readonly string[]>> = {
  scalars: [digitLayout, cutDigits],
  digits: [digitLayout, givenDigits],
  pieces: [cutPieces],
};

/** The whole WGSL of a stage for a curve. */
export function stageCode(curve: CurveId, { prelude, shader }: Stage): string {
  if (prelude === 'points') return composeShader(curve, shader);
  return [...(prelude === undefined ? [] : PRELUDES[prelude]), shader].join('\n');
}

/**
 * The whole WGSL of a stage that works on points: the curve's field, its point form, the loads and stores that the stage calls,
 * and the stage itself. WGSL cannot take a buffer as an argument, so each buffer gets functions of its own:
 *
 * - `base_load(i)`: base i of `bases`.
 * - `load_<sum>(i)`: sum i of a buffer; all-zero words are the neutral element.
 * - `store_<sum>(i, p)`: packs a sum; `store_bit` brings its coordinates below p first, for the host.
 */
export function composeShader(curve: CurveId, stage: string): string {
  const form = pointForm(curve);
  const layout = pointLayout(curve);
  const accessors: string[] = [];
  if (stage.includes('base_load(')) accessors.push(baseLoad(layout));
  for (const [name, buffer] of Object.entries(SUM_BUFFERS)) {
    if (stage.includes(`load_${name}(`)) accessors.push(sumLoad(name, buffer, form, layout));
    if (stage.includes(`store_${name}(`)) accessors.push(sumStore(name, buffer, form, layout));
  }
  return [FIELDS[curve], POINTS[form], ...accessors, stage].join('\n');
}

/** The expression of the coordinate that begins at word `at` + `offset` of a buffer. */
function unpacked(buffer: string, offset: number, words: number): string {
  const each = Array.from({ length: words }, (_, w) => `${buffer}[at + ${offset + w}u]`);
  return `field_unpack(array<u32, ${words}>(${each.join(', ')}))`;
}

function baseLoad({ words, baseCoordinates }: PointLayout): string {
  const coordinates = Array.from({ length: baseCoordinates }, (_, i) => `    ${unpacked('bases', i * words, words)},`);
  return `fn base_load(index: u32) -> Base {
  let at = index * ${baseCoordinates * words}u;
  return Base(
${coordinates.join('\n')}
  );
}
`;
}

function sumLoad(name: string, buffer: string, form: PointForm, { words }: PointLayout): string {
  const coordinates = SUM_COORDINATES[form].map((_, i) => `    ${unpacked(buffer, i * words, words)},`);
  // On the Weierstrass form all zero already is the neutral element; on the Edwards form its Z is 0, which no point has.
  const result =
    form === 'weierstrass'
      ? 'return sum;'
      : 'if (field_is_plain_zero(sum.z)) {\n    return point_identity();\n  }\n  return sum;';
  return `fn load_${name}(index: u32) -> Point {
  let at = index * ${4 * words}u;
  let sum = Point(
${coordinates.join('\n')}
  );
  ${result}
}
`;
}

function sumStore(name: string, buffer: string, form: PointForm, { words }: PointLayout): string {
  const bring = name === 'bit' ? 'field_canonical' : 'field_shrink';
  const lines = SUM_COORDINATES[form].flatMap((coordinate, i) => [
    `  let w${i} = field_pack(${bring}(sum.${coordinate}));`,
    ...Array.from({ length: words }, (_, w) => `  ${buffer}[at + ${i * words + w}u] = w${i}[${w}];`),
  ]);
  return `fn store_${name}(index: u32, sum: Point) {
  let at = index * ${4 * words}u;
${lines.join('\n')}
}
`;
}
