import extension from '../../../../shaders/field/extension.wgsl';
import { FIELD_SHADERS } from '../../../../shaders/generated/index.js';
import edwards from '../../../../shaders/point/edwards.wgsl';
import edwardsByBytes from '../../../../shaders/point/edwards-bytes.wgsl';
import extensionBuffers from '../../../../shaders/point/extension-buffers.wgsl';
import extensionBuffersByBytes from '../../../../shaders/point/extension-buffers-bytes.wgsl';
import weierstrass from '../../../../shaders/point/weierstrass.wgsl';
import weierstrassByBytes from '../../../../shaders/point/weierstrass-bytes.wgsl';
import weierstrassOverExtension from '../../../../shaders/point/weierstrass-extension.wgsl';
import { PippinError } from '../../../base/errors.js';
import type { PointForm } from '../../../bases/prepared.js';
import type { CurveId, GroupId } from '../../../curves/index.js';
import { loadShader, type ShaderLoader } from '../load-shader.js';
import type { GpuDevice, Products } from '../runtime/device.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { GpuKernel } from '../runtime/stage.js';
import { stageHeader } from '../runtime/stage-header.js';
import { type KernelChoice, kernelsFor } from './msm-steps.js';
import { type PointLayout, pointLayout } from './point-layout.js';

/** What loads WGSL, by either way of products. */
type ShaderLoaders = Readonly<Record<Products, ShaderLoader>>;

/** The coordinate fields of the curves with kernels on the GPU, and what stands behind each for its quadratic extension. */
const FIELDS: Readonly<Partial<Record<CurveId, ShaderLoaders & { readonly extension?: ShaderLoaders }>>> =
  FIELD_SHADERS;

/** The law of a group by either way of its products. */
type Law = Readonly<Record<Products, string>>;

const LAW: Law = { limbs: weierstrass, bytes: weierstrassByBytes };

/** The law in the Edwards form. */
const EDWARDS_LAW: Law = { limbs: edwards, bytes: edwardsByBytes };

/** The law over the quadratic extension; G2 has the Weierstrass form alone. */
const LAW_OVER_EXTENSION: Law = {
  limbs: [extension, weierstrassOverExtension, extensionBuffers].join('\n'),
  bytes: [extension, weierstrassOverExtension, extensionBuffersByBytes].join('\n'),
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

/** How points lie in buffers, and which law they follow. */
type ShaderLayout = Pick<PointLayout, 'form' | 'degree' | 'words' | 'baseCoordinates'>;

/** What the WGSL of a group's points is put together from. */
interface PointShaders {
  /** The arithmetic of the coordinate field; for an extension of degree 2 its generated part too. */
  readonly field: string;
  /** The group's law (`pointLaw`). */
  readonly law: string;
  readonly layout: ShaderLayout;
}

/** What tells a kernel's WGSL from every other: the group only where the kernel works on points. */
export function msmKernelKey(curve: CurveId, group: GroupId, kernel: GpuKernel, products: Products): string {
  const { name, variant, arithmetic } = kernel;
  if (arithmetic === undefined) return `${name} ${variant ?? ''}`;
  return `${name} ${curve} ${group} ${productsOf(kernel, products)}`;
}

/** The whole WGSL of a kernel for a group; `products` are for kernels that only add bases. */
export async function msmKernelCode(
  curve: CurveId,
  group: GroupId,
  kernel: GpuKernel,
  products: Products,
): Promise<string> {
  const code = [stageHeader(kernel), ...kernel.libraries, kernel.shader].join('\n');
  if (kernel.arithmetic === undefined) return code;
  return composeShader(curve, group, code, productsOf(kernel, products));
}

/**
 * WGSL that works on points of a group: the coordinates' field, the group's law, the loads and stores that `code` calls, and `code` itself,
 * which has the bindings. By bytes, bases can be added to sums and nothing else. `CURVE_MISMATCH` for a curve without kernels on the GPU.
 */
export async function composeShader(
  curve: CurveId,
  group: GroupId,
  code: string,
  products: Products = 'limbs',
): Promise<string> {
  const layout = pointLayout(curve, group);
  const found = FIELDS[curve];
  if (found === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with kernels on the GPU, got ${curve}`);
  }
  const { extension: behind, ...prime } = found;
  const loaders = layout.degree === 2 ? [prime, behind!] : [prime];
  const fields = await Promise.all(loaders.map((each) => loadShader(curve, each[products])));
  return composePointShader({ field: fields.join('\n'), law: pointLaw(layout, products), layout }, code);
}

/** How a kernel multiplies where there is the choice of `products` for those that only add bases. */
function productsOf({ arithmetic }: GpuKernel, products: Products): Products {
  return arithmetic === 'bases' ? products : 'limbs';
}

/** The law of points that lie so, by a way of their products. */
export function pointLaw({ form, degree }: ShaderLayout, products: Products): string {
  if (form === 'edwards') return EDWARDS_LAW[products];
  return (degree === 2 ? LAW_OVER_EXTENSION : LAW)[products];
}

/**
 * `composeShader` for any field and form. WGSL cannot take a buffer as an argument, so each buffer gets functions of its own:
 *
 * - `base_load(i)`: base i of `bases`.
 * - `load_<sum>(i)`: sum i of a buffer; all-zero words are the neutral element.
 * - `store_<sum>(i, p)`: packs a sum; `store_bit` brings its coordinates below p first, for the host.
 *
 * COORDINATE_WORDS are the words of a packed coordinate.
 */
export function composePointShader({ field, law, layout }: PointShaders, code: string): string {
  const accessors: string[] = [`const COORDINATE_WORDS = ${layout.degree * layout.words}u;`];
  if (code.includes('base_load(')) accessors.push(baseLoad(layout));
  for (const [name, buffer] of Object.entries(SUM_BUFFERS)) {
    if (code.includes(`load_${name}(`)) accessors.push(sumLoad(name, buffer, layout));
    if (code.includes(`store_${name}(`)) accessors.push(sumStore(name, buffer, layout));
  }
  return [field, law, ...accessors, code].join('\n');
}

/** The expression of the packed number at word `at` + `offset` of a buffer. */
function unpacked(buffer: string, words: number, offset = 0): string {
  const each = Array.from({ length: words }, (_, w) => `${buffer}[at + ${offset + w}u]`);
  return `field_unpack(array<u32, ${words}>(${each.join(', ')}))`;
}

/** A function that reads a point of `count` coordinates, which are the arguments of `make`. */
function load(signature: string, make: string, buffer: string, count: number, { degree, words }: ShaderLayout): string {
  const size = count * degree * words;
  if (degree === 1) {
    const coordinates = Array.from({ length: count }, (_, i) => `    ${unpacked(buffer, words, i * words)},`);
    return `fn ${signature} {
  let at = index * ${size}u;
  return ${make}(
${coordinates.join('\n')}
  );
}
`;
  }
  const coordinates = Array.from({ length: count }, (_, i) => `field2_join(numbers[${2 * i}], numbers[${2 * i + 1}])`);
  return `fn ${signature} {
  var numbers: array<Kept, ${2 * count}>;
  ${overNumbers(2 * count)} {
    let at = index * ${size}u + i * ${words}u;
    numbers[i] = field_keep(${unpacked(buffer, words)});
  }
  return ${make}(${coordinates.join(', ')});
}
`;
}

function baseLoad(layout: ShaderLayout): string {
  return load('base_load(index: u32) -> Base', 'Base', 'bases', layout.baseCoordinates / layout.degree, layout);
}

function sumLoad(name: string, buffer: string, layout: ShaderLayout): string {
  return load(`load_${name}(index: u32) -> Point`, 'point_from_buffer', buffer, 4, layout);
}

function sumStore(name: string, buffer: string, layout: ShaderLayout): string {
  const { form, degree, words } = layout;
  const coordinates = SUM_COORDINATES[form].map((coordinate) => `kept.${coordinate}`);
  const begin = `fn store_${name}(index: u32, sum: Point) {
  let kept = point_for_buffer(sum);`;
  if (degree === 1) {
    const bring = name === 'bit' ? 'field_canonical' : 'field_shrink';
    const lines = coordinates.flatMap((coordinate, i) => [
      `  let w${i} = field_pack(${bring}(${coordinate}));`,
      ...Array.from({ length: words }, (_, w) => `  ${buffer}[at + ${i * words + w}u] = w${i}[${w}];`),
    ]);
    return `${begin}
  let at = index * ${4 * words}u;
${lines.join('\n')}
}
`;
  }
  const numbers = coordinates.flatMap((coordinate) => [`${coordinate}.c[0]`, `${coordinate}.c[1]`]);
  // Numbers are below 2 p at most, which fits their words.
  const number = name === 'bit' ? 'field_canonical(field_of(numbers[i]))' : 'field_of(numbers[i])';
  return `${begin}
  var numbers = array<Kept, 8>(${numbers.join(', ')});
  ${overNumbers(8)} {
    let at = index * ${8 * words}u + i * ${words}u;
    let w = field_pack(${number});
${Array.from({ length: words }, (_, w) => `    ${buffer}[at + ${w}u] = w[${w}];`).join('\n')}
  }
}
`;
}

/** The head of a loop that no compiler unrolls: packing and unpacking are large code. */
function overNumbers(count: number): string {
  return `for (var i = 0u; i < ${count}u + (params.limbs >> 8u); i++)`;
}

/** The kernels of a multiplication, and how they multiply where they leave the choice. */
interface CompiledKernels extends KernelChoice {
  readonly products: Products;
}

/** The compiled kernels of multiplications over one group. */
export class GroupKernels {
  private readonly pipelines = new Map<string, Promise<ReadonlyMap<GpuKernel, StagePipeline>>>();

  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
  ) {}

  /** The kernels, compiled when they are first asked for. A failure shows in the multiplication that needs them. */
  pipelinesFor(choice: CompiledKernels): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const key = `${choice.digitsFrom} ${choice.reduction} ${choice.products}`;
    let compiled = this.pipelines.get(key);
    if (compiled === undefined) {
      compiled = this.compile(choice);
      compiled.catch(() => undefined);
      this.pipelines.set(key, compiled);
    }
    return compiled;
  }

  private async compile({ products, ...choice }: CompiledKernels): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const { curve, group } = this;
    const { pipelines } = this.gpu;
    const compiled = kernelsFor(choice).map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
      const code = await msmKernelCode(curve, group, kernel, products);
      return [kernel, await pipelines.get(msmKernelKey(curve, group, kernel, products), kernel, code)];
    });
    return new Map(await Promise.all(compiled));
  }
}
