import doubleOrAdd from '../../../../shaders/ceremony/double-or-add.wgsl';
import doubleOrAddOverExtension from '../../../../shaders/ceremony/double-or-add-extension.wgsl';
import { PippinError } from '../../../base/errors.js';
import { ENDOMORPHISMS } from '../../../curves/endomorphisms.js';
import { CURVES, type CurveId, type GroupId } from '../../../curves/index.js';
import { packedMontgomeryBits, toLimbs, wgslLimbBits, wgslLimbs } from '../../../curves/limbs.js';
import { composeShader, overNumbers, unpacked } from '../msm/compose.js';
import { type PointLayout, pointLayout } from '../msm/point-layout.js';
import type { GpuDevice } from '../runtime/device.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { GpuKernel } from '../runtime/stage.js';
import { stageHeader } from '../runtime/stage-header.js';
import { POINT_KERNELS } from './point-stages.js';

/** Compiles the kernels of a group's points; rejects if one cannot be compiled. */
export async function compilePointKernels(
  gpu: GpuDevice,
  curve: CurveId,
  group: GroupId,
): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
  const compiled = POINT_KERNELS.map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
    const code = await pointKernelCode(curve, group, kernel);
    return [kernel, await gpu.pipelines.get(pointKernelKey(curve, group, kernel), kernel, code)];
  });
  return new Map(await Promise.all(compiled));
}

/** A key that identifies a kernel's WGSL. */
function pointKernelKey(curve: CurveId, group: GroupId, { name }: GpuKernel): string {
  return `${name} of points, ${curve} ${group}`;
}

/**
 * The complete WGSL of a kernel that multiplies points of a group; products of coordinates are by limbs. What a kernel
 * calls besides the group law:
 *
 * - `point_double_or_add(p, q, adds)`; `point_of_base(b)`, infinity for zeros.
 * - `Coordinate` and its `coordinate_one`, `coordinate_mul`, `coordinate_negate`, `coordinate_is_plain_zero`;
 *   `coordinate_norm(a)` in the prime field; `coordinate_of_norm(a, inverse)`, the inverse of a by its norm's inverse.
 * - `coordinate_image(x)`: the x of a point's image under the endomorphism.
 * - `sum_coordinate(i, c)`: coordinate c of accumulator i of `sums`.
 * - `point_coordinate(i, c)`, `store_coordinate(i, c, value)`: coordinate c of affine point i of `points`; what is
 *   stored is canonical.
 */
function pointKernelCode(curve: CurveId, group: GroupId, kernel: GpuKernel): Promise<string> {
  const layout = pointLayout(curve, group);
  const code = [layout.degree === 2 ? OVER_EXTENSION : OVER_PRIME_FIELD];
  if ('sums' in kernel.bindings && 'points' in kernel.bindings) code.push(coordinateAccess(layout));
  if (kernel.shader.includes('point_double_or_add(')) {
    code.push(layout.degree === 2 ? doubleOrAddOverExtension : doubleOrAdd);
  }
  if (kernel.shader.includes('coordinate_image(')) code.push(imageOf(curve, group));
  if (kernel.shader.includes('point_of_base(')) code.push(POINT_OF_BASE);
  return composeShader(curve, group, [stageHeader(kernel), ...code, ...kernel.libraries, kernel.shader].join('\n'));
}

const OVER_PRIME_FIELD = `alias Coordinate = Field;
fn coordinate_one() -> Coordinate { return field_one(); }
fn coordinate_mul(a: Coordinate, b: Coordinate) -> Coordinate { return field_mul(a, b); }
fn coordinate_negate(a: Coordinate) -> Coordinate { return field_sub(field_zero(), a); }
fn coordinate_is_plain_zero(a: Coordinate) -> bool { return field_is_plain_zero(a); }
fn coordinate_norm(a: Coordinate) -> Field { return a; }
fn coordinate_of_norm(a: Coordinate, inverse: Field) -> Coordinate { return inverse; }
`;

const OVER_EXTENSION = `alias Coordinate = Field2;
fn coordinate_one() -> Coordinate { return field2_one(); }
fn coordinate_mul(a: Coordinate, b: Coordinate) -> Coordinate { return field2_mul(a, b); }
fn coordinate_negate(a: Coordinate) -> Coordinate { return field2_minus(Field2(), a, Field2()); }
fn coordinate_is_plain_zero(a: Coordinate) -> bool { return field2_is_plain_zero(a); }
fn coordinate_times(a: Coordinate, b: Field) -> Coordinate {
  var product: Coordinate;
  ${overNumbers(2)} {
    product.c[i] = field_keep(field_mul(field_of(a.c[i]), b));
  }
  return product;
}
fn coordinate_conjugate(a: Coordinate) -> Coordinate {
  return field2_minus(field2_join(a.c[0], Kept()), field2_join(Kept(), a.c[1]), Field2());
}
fn coordinate_norm(a: Coordinate) -> Field { return field_of(field2_mul(a, coordinate_conjugate(a)).c[0]); }
fn coordinate_of_norm(a: Coordinate, inverse: Field) -> Coordinate {
  return coordinate_times(coordinate_conjugate(a), inverse);
}
`;

const POINT_OF_BASE = `fn point_of_base(b: Base) -> Point {
  if (coordinate_is_plain_zero(b.x) && coordinate_is_plain_zero(b.y)) {
    return point_identity();
  }
  return Point(b.x, b.y, coordinate_one(), coordinate_one());
}
`;

/**
 * (x, y) -> (beta x, y), which multiplies by lambda in G1; in G2 beta^2 takes the place of beta, as on the workers.
 */
function imageOf(curve: CurveId, group: GroupId): string {
  const endomorphism = ENDOMORPHISMS[curve];
  if (endomorphism === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with an endomorphism, got ${curve}`);
  }
  const { modulus, bits } = CURVES[curve].fq;
  const beta = group === 'g2' ? endomorphism.beta ** 2n : endomorphism.beta;
  const limbs = toLimbs((beta << BigInt(packedMontgomeryBits(bits))) % modulus, wgslLimbs(bits), wgslLimbBits(bits));
  const field = `Field(array<u32, ${limbs.length}>(${limbs.map((limb) => `${limb}u`).join(', ')}))`;
  const multiply = group === 'g1' ? 'field_mul' : 'coordinate_times';
  return `fn coordinate_image(x: Coordinate) -> Coordinate { return ${multiply}(x, ${field}); }`;
}

function coordinateAccess({ degree, words }: PointLayout): string {
  /** A body once for each number of a coordinate, which begins at word `at`. */
  const each = (coordinates: number, body: string): string => {
    const place = `(index * ${coordinates}u + c) * ${degree * words}u`;
    if (degree === 1) return `  let at = ${place};\n${body}`;
    return `  ${overNumbers(2)} {\n  let at = ${place} + i * ${words}u;\n${body}\n  }`;
  };
  const load = (name: string, buffer: string, coordinates: number): string => {
    const number = unpacked(buffer, words);
    const body = degree === 1 ? `  value = ${number};` : `  value.c[i] = field_keep(${number});`;
    return `fn ${name}(index: u32, c: u32) -> Coordinate {
  var value: Coordinate;
${each(coordinates, body)}
  return value;
}`;
  };
  const packed = `  let w = field_pack(field_canonical(${degree === 1 ? 'value' : 'field_of(value.c[i])'}));`;
  const stores = Array.from({ length: words }, (_, w) => `  points[at + ${w}u] = w[${w}];`);
  return [
    load('sum_coordinate', 'sums', 4),
    load('point_coordinate', 'points', 2),
    `fn store_coordinate(index: u32, c: u32, value: Coordinate) {
${each(2, [packed, ...stores].join('\n'))}
}`,
  ].join('\n');
}
