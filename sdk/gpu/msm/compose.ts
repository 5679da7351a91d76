import { FIELD_SHADERS } from '../../../shaders/generated/index.js';
import edwards from '../../../shaders/point/edwards.wgsl';
import edwardsByBytes from '../../../shaders/point/edwards-bytes.wgsl';
import weierstrass from '../../../shaders/point/weierstrass.wgsl';
import weierstrassByBytes from '../../../shaders/point/weierstrass-bytes.wgsl';
import type { CurveId } from '../../curves/index.js';
import { asPippinError, PippinError } from '../../errors.js';
import { type PointForm, pointForm } from '../../msm/prepared.js';
import type { Products } from '../runtime/device.js';
import type { Kernel } from '../runtime/stage.js';
import { stageHeader } from '../runtime/stage-header.js';
import { type PointLayout, pointLayout } from './point-layout.js';

/** Loads the WGSL of a field. */
type FieldLoader = () => Promise<{ readonly default: string }>;

const FIELDS: Readonly<Record<CurveId, Readonly<Record<Products, FieldLoader>>>> = FIELD_SHADERS;

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

/** What the WGSL of a curve's points is put together from. */
export interface PointShaders {
  /** The arithmetic of the coordinate field. */
  readonly field: string;
  readonly products: Products;
  readonly form: PointForm;
  readonly layout: Pick<PointLayout, 'words' | 'baseCoordinates'>;
}

/** What tells a kernel's WGSL from every other. */
export function kernelKey(curve: CurveId, { name, variant, arithmetic }: Kernel, products: Products): string {
  if (arithmetic === 'points') return `${name} ${curve}`;
  if (arithmetic === 'bases') return `${name} ${curve} ${products}`;
  return `${name} ${variant ?? ''}`;
}

/** The whole WGSL of a kernel for a curve; `products` are for kernels that only add bases. */
export async function kernelCode(curve: CurveId, kernel: Kernel, products: Products): Promise<string> {
  const code = [stageHeader(kernel), ...kernel.libraries, kernel.shader].join('\n');
  if (kernel.arithmetic === undefined) return code;
  return composeShader(curve, code, kernel.arithmetic === 'bases' ? products : 'limbs');
}

/**
 * WGSL that works on points of a curve: the curve's field, its point form, the loads and stores that `code` calls, and `code` itself, which
 * has the bindings. By bytes, bases can be added to sums and nothing else.
 */
export async function composeShader(curve: CurveId, code: string, products: Products = 'limbs'): Promise<string> {
  const field = await fieldShader(curve, products);
  return composePointShader({ field, products, form: pointForm(curve), layout: pointLayout(curve) }, code);
}

/** @throws PippinError WEBGPU_UNAVAILABLE if the script that holds the WGSL cannot be loaded. */
async function fieldShader(curve: CurveId, products: Products): Promise<string> {
  try {
    return (await FIELDS[curve][products]()).default;
  } catch (error) {
    const { message } = asPippinError(error);
    throw new PippinError('WEBGPU_UNAVAILABLE', `expected the shaders of ${curve}, could not load them: ${message}`, {
      cause: error,
    });
  }
}

/**
 * `composeShader` for any field and form. WGSL cannot take a buffer as an argument, so each buffer gets functions of its own:
 *
 * - `base_load(i)`: base i of `bases`.
 * - `load_<sum>(i)`: sum i of a buffer; all-zero words are the neutral element.
 * - `store_<sum>(i, p)`: packs a sum; `store_bit` brings its coordinates below p first, for the host.
 */
export function composePointShader({ field, products, form, layout }: PointShaders, code: string): string {
  const accessors: string[] = [];
  if (code.includes('base_load(')) accessors.push(baseLoad(layout));
  for (const [name, buffer] of Object.entries(SUM_BUFFERS)) {
    if (code.includes(`load_${name}(`)) accessors.push(sumLoad(name, buffer, form, layout));
    if (code.includes(`store_${name}(`)) accessors.push(sumStore(name, buffer, form, layout));
  }
  return [field, POINTS[products][form], ...accessors, code].join('\n');
}

/** The expression of the coordinate that begins at word `at` + `offset` of a buffer. */
function unpacked(buffer: string, offset: number, words: number): string {
  const each = Array.from({ length: words }, (_, w) => `${buffer}[at + ${offset + w}u]`);
  return `field_unpack(array<u32, ${words}>(${each.join(', ')}))`;
}

function baseLoad({ words, baseCoordinates }: PointShaders['layout']): string {
  const coordinates = Array.from({ length: baseCoordinates }, (_, i) => `    ${unpacked('bases', i * words, words)},`);
  return `fn base_load(index: u32) -> Base {
  let at = index * ${baseCoordinates * words}u;
  return Base(
${coordinates.join('\n')}
  );
}
`;
}

function sumLoad(name: string, buffer: string, form: PointForm, { words }: PointShaders['layout']): string {
  const coordinates = SUM_COORDINATES[form].map((_, i) => `    ${unpacked(buffer, i * words, words)},`);
  return `fn load_${name}(index: u32) -> Point {
  let at = index * ${4 * words}u;
  return point_from_buffer(
${coordinates.join('\n')}
  );
}
`;
}

function sumStore(name: string, buffer: string, form: PointForm, { words }: PointShaders['layout']): string {
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
