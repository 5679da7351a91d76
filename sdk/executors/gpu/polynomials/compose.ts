import { SCALAR_FIELD_SHADERS } from '../../../../shaders/generated/index.js';
import element from '../../../../shaders/quotient/element.wgsl';
import { PippinError } from '../../../base/errors.js';
import type { CurveId } from '../../../curves/index.js';
import { loadShader, type ShaderLoader } from '../load-shader.js';
import type { GpuKernel } from '../runtime/stage.js';
import { stageHeader } from '../runtime/stage-header.js';

const FIELDS: Readonly<Partial<Record<CurveId, ShaderLoader>>> = SCALAR_FIELD_SHADERS;

/** A key that identifies a kernel's WGSL. */
export function polynomialKernelKey(curve: CurveId, { name }: GpuKernel): string {
  return `${name} ${curve}`;
}

/** The complete WGSL of a kernel for a curve. `CURVE_MISMATCH` for a curve without NTTs. */
export async function polynomialKernelCode(curve: CurveId, kernel: GpuKernel): Promise<string> {
  const load = FIELDS[curve];
  if (load === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with transforms, got ${curve}`);
  }
  return [await loadShader(curve, load), element, stageHeader(kernel), kernel.shader].join('\n');
}
