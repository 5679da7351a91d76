import cutDigits from '../../../shaders/digits/cut.wgsl';
import givenDigits from '../../../shaders/digits/given.wgsl';
import digitLayout from '../../../shaders/digits/layout.wgsl';
import bls12377Field from '../../../shaders/generated/bls12-377-fq.wgsl';
import bls12377ByteField from '../../../shaders/generated/bls12-377-fq-bytes.wgsl';
import bn254Field from '../../../shaders/generated/bn254-fq.wgsl';
import bn254ByteField from '../../../shaders/generated/bn254-fq-bytes.wgsl';
import cutPieces from '../../../shaders/pieces/cut.wgsl';
import edwards from '../../../shaders/point/edwards.wgsl';
import edwardsByBytes from '../../../shaders/point/edwards-bytes.wgsl';
import weierstrass from '../../../shaders/point/weierstrass.wgsl';
import weierstrassByBytes from '../../../shaders/point/weierstrass-bytes.wgsl';
import type { CurveId } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { type PointForm, pointForm } from '../../msm/prepared.js';
import type { Prelude, Stage } from '../runtime/stage.js';
import { type PointLayout, pointLayout } from './point-layout.js';

/**
 * How field elements are multiplied: by limbs of 13 bits, which every device does, or by bytes with `dot4U8Packed`, which is
 * faster where the hardware has it. By bytes, bases can be added to sums and nothing else.
 */
export type Products = 'limbs' | 'bytes';

/** Of the curves that have shaders. */
const FIELDS: Readonly<Record<Products, Readonly<Partial<Record<CurveId, string>>>>> = {
  limbs: { bn254: bn254Field, 'bls12-377': bls12377Field },
  bytes: { bn254: bn254ByteField, 'bls12-377': bls12377ByteField },
};
const POINTS: Readonly<Record<Products, Readonly<Record<PointForm, string>>>> = {
  limbs: { weierstrass, edwards },
  bytes: { weierstrass: weierstrassByBytes, edwards: edwardsByBytes },
};

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
const PRELUDES: Readonly<Record<Exclude<Prelude, 'points' | 'bases'>, readonly string[]>> = {
  scalars: [digitLayout, cutDigits],
  digits: [digitLayout, givenDigits],
  pieces: [cutPieces],
};

/** Whether there are shaders for a curve. */
export function hasShaders(curve: CurveId): boolean {
  return FIELDS.limbs[curve] !== undefined;
}

/** What tells a stage's WGSL from every other. */
export function stageKey(curve: CurveId, { name, prelude }: Stage, products: Products): string {
  if (prelude === 'points') return `${name} ${curve}`;
  if (prelude === 'bases') return `${name} ${curve} ${products}`;
  return `${name} ${prelude ?? ''}`;
}

/** The whole WGSL of a stage for a curve; `products` are for stages that only add bases. */
export function stageCode(curve: CurveId, { prelude, shader }: Stage, products: Products): string {
  if (prelude === 'points') return composeShader(curve, shader);
  if (prelude === 'bases') return composeShader(curve, shader, products);
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
export function composeShader(curve: CurveId, stage: string, products: Products = 'limbs'): string {
  const field = FIELDS[products][curve];
  if (field === undefined) throw new PippinError('INTERNAL', `expected a curve with shaders, got ${curve}`);
  const form = pointForm(curve);
  const layout = pointLayout(curve);
  const accessors: string[] = [];
  if (stage.includes('base_load(')) accessors.push(baseLoad(layout));
  for (const [name, buffer] of Object.entries(SUM_BUFFERS)) {
    if (stage.includes(`load_${name}(`)) accessors.push(sumLoad(name, buffer, form, layout));
    if (stage.includes(`store_${name}(`)) accessors.push(sumStore(name, buffer, form, layout));
  }
  return [field, POINTS[products][form], ...accessors, stage].join('\n');
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
  return `fn load_${name}(index: u32) -> Point {
  let at = index * ${4 * words}u;
  return point_from_buffer(
${coordinates.join('\n')}
  );
}
`;
}

function sumStore(name: string, buffer: string, form: PointForm, { words }: PointLayout): string {
  const bring = name === 'bit' ? 'field_canonical' : 'field_shrink';
  const lines = SUM_COORDINATES[form].flatMap((coordinate, i) => [
    `  let w${i} = field_pack(${bring}(kept.${coordinate}));`,
    ...Array.from({ length: words }, (_, w) => `  ${buffer}[at + ${i * words + w}u] = w${i}[${w}];`),
  ]);
  return `fn store_${name}(index: u32, sum: Point) {
  let at = index * ${4 * words}u;
  let kept = point_for_buffer(sum);
${lines.join('\n')}
}
`;
}
