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
import { CURVES, type CurveId, type GroupId } from '../../../curves/index.js';
import { loadShader, type ShaderLoader } from '../load-shader.js';
import type { GpuDevice, Products } from '../runtime/device.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { GpuKernel } from '../runtime/stage.js';
import { stageHeader } from '../runtime/stage-header.js';
import { type KernelChoice, kernelsFor } from './msm-steps.js';
import { type PointLayout, pointLayout } from './point-layout.js';
import { elementsOf, type FieldElements, productKinds, withProducts } from './product-forms.js';

/** Loaders of WGSL for limb and byte products. */
type ShaderLoaders = Readonly<Record<FieldElements, ShaderLoader>>;

/** The coordinate fields of the curves with GPU kernels, and the code that each one's quadratic extension adds. */
const FIELDS: Readonly<Partial<Record<CurveId, ShaderLoaders & { readonly extension?: ShaderLoaders }>>> =
  FIELD_SHADERS;

/** A group law with limb and with byte products. */
type Law = Readonly<Record<FieldElements, string>>;

const LAW: Law = { limbs: weierstrass, bytes: weierstrassByBytes };

/** The group law in Edwards form. */
const EDWARDS_LAW: Law = { limbs: edwards, bytes: edwardsByBytes };

/** The group law over the quadratic extension; G2 has only the Weierstrass form. */
const LAW_OVER_EXTENSION: Law = {
  limbs: [extension, weierstrassOverExtension, extensionBuffers].join('\n'),
  bytes: [extension, weierstrassOverExtension, extensionBuffersByBytes].join('\n'),
};

/** An accumulator's coordinates, as the point modules name them. */
const SUM_COORDINATES: Readonly<Record<PointForm, readonly string[]>> = {
  weierstrass: ['x', 'y', 'zz', 'zzz'],
  edwards: ['x', 'y', 'z', 't'],
};

/** The buffers of accumulators, by their names in a stage's loads and stores: `load_slot(i)`, `store_bit(i, p)`. */
const SUM_BUFFERS: Readonly<Record<string, string>> = {
  bucket: 'buckets',
  slot: 'slots',
  bit: 'bit_sums',
  sum: 'sums',
  multiple: 'multiples',
};

/** How points are stored in buffers, and which group law they follow. */
type ShaderLayout = Pick<PointLayout, 'form' | 'degree' | 'words' | 'baseCoordinates'>;

/** The parts of the WGSL for a group's points. */
interface PointShaders {
  /** The arithmetic of the coordinate field, and for degree 2 the generated part of the extension's. */
  readonly field: string;
  /** The group law (`pointLaw`). */
  readonly law: string;
  readonly layout: ShaderLayout;
}

/** A key that identifies a kernel's WGSL. It names the group only if the kernel works on points. */
export function msmKernelKey(curve: CurveId, group: GroupId, kernel: GpuKernel, products: Products): string {
  const { name, variant, arithmetic } = kernel;
  if (arithmetic === undefined) return `${name} ${variant ?? ''}`;
  return `${name} ${curve} ${group} ${productsOf(kernel, curve, group, products)}`;
}

/** The complete WGSL of a kernel for a group; kernels that only add bases take `products`. */
export async function msmKernelCode(
  curve: CurveId,
  group: GroupId,
  kernel: GpuKernel,
  products: Products,
): Promise<string> {
  const code = [stageHeader(kernel), ...kernel.libraries, kernel.shader].join('\n');
  if (kernel.arithmetic === undefined) return code;
  return composeShader(curve, group, code, productsOf(kernel, curve, group, products));
}

/**
 * WGSL that works on points of a group: the coordinate field, the group law, the loads and stores that `code` calls,
 * and `code` itself, which has the bindings. With byte products it can only add bases to accumulators; only G1 over a
 * field of few words has products that are unrolled, by Karatsuba's method or of words. `CURVE_MISMATCH` for a curve
 * without GPU kernels.
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
  const elements = elementsOf(products);
  const generated = await Promise.all(loaders.map((each) => loadShader(curve, each[elements])));
  const field = withProducts(generated.join('\n'), CURVES[curve].fq, products);
  return composePointShader({ field, law: pointLaw(layout, elements), layout }, code);
}

/** How a kernel multiplies: as `products` says if it only adds bases and has that kind, otherwise by limbs. */
function productsOf({ arithmetic }: GpuKernel, curve: CurveId, group: GroupId, products: Products): Products {
  const has = arithmetic === 'bases' && productKinds(CURVES[curve].fq.bits, group).includes(products);
  return has ? products : 'limbs';
}

/** The group law for a layout and the field's elements. */
export function pointLaw({ form, degree }: ShaderLayout, elements: FieldElements): string {
  if (form === 'edwards') return EDWARDS_LAW[elements];
  return (degree === 2 ? LAW_OVER_EXTENSION : LAW)[elements];
}

/**
 * `composeShader` for any field and form. A WGSL function cannot take a buffer as an argument, so each buffer has its
 * own functions:
 *
 * - `base_load(i)`: base i of `bases`.
 * - `load_<name>(i)`: accumulator i of a buffer; all-zero words are the neutral element.
 * - `store_<name>(i, p)`: packs an accumulator; `store_bit` first makes its coordinates canonical, for the host.
 *
 * COORDINATE_WORDS is the number of words of a packed coordinate.
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
export function unpacked(buffer: string, words: number, offset = 0): string {
  const each = Array.from({ length: words }, (_, w) => `${buffer}[at + ${offset + w}u]`);
  return `field_unpack(array<u32, ${words}>(${each.join(', ')}))`;
}

/** A function that loads a point of `count` coordinates, which are the arguments of `make`. */
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
  // Values are below 2 p, which fits their words.
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

/** The head of a loop that the compiler cannot unroll: packing and unpacking are large code. */
export function overNumbers(count: number): string {
  return `for (var i = 0u; i < ${count}u + (params.limbs >> 8u); i++)`;
}

/** An MSM's kernels, and the products of the ones that add bases. */
interface CompiledKernels extends KernelChoice {
  readonly products: Products;
}

/** The compiled kernels of MSMs over one group. */
export class GroupKernels {
  private readonly pipelines = new Map<string, Promise<ReadonlyMap<GpuKernel, StagePipeline>>>();

  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
  ) {}

  /** The kernels, compiled on first use. A failure rejects the MSM that needs them. */
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
