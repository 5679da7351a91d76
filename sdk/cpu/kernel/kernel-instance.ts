import type { CurveId, GroupId } from '../../curves/index.js';
import { asPippinError, PippinError } from '../../errors.js';
import { type PointForm, pointForm } from '../../msm/prepared.js';
import { type GroupExports, type ModuleExports, readExports } from './exports.js';
import { KernelMemory } from './memory.js';

/** One WASM instance of one curve, with its own memory; a kernel's methods run on it. */
export interface KernelInstance extends ModuleExports {
  readonly curve: CurveId;
  readonly memory: KernelMemory;
}

export async function instantiateKernel(curve: CurveId, module: WebAssembly.Module): Promise<KernelInstance> {
  const exports = readExports((await instantiate(module)).exports);
  return { curve, ...exports, memory: new KernelMemory(exports.core.memory, exports.core.heapBase()) };
}

/** The parts of a module that not every curve has. */
type OptionalPart = 'transforms' | 'constraints' | 'pairing';

/** The exports of such a part; `CURVE_MISMATCH` where the curve's module does not have it. */
export function expectPart<Part extends OptionalPart>(
  instance: KernelInstance,
  part: Part,
): NonNullable<KernelInstance[Part]> {
  const exports = instance[part];
  if (exports === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with kernels for ${part}, got ${instance.curve}`);
  }
  return exports;
}

/** The exports of a group; `CURVE_MISMATCH` where the curve does not have it. */
export function expectGroup({ curve, groups }: KernelInstance, group: GroupId): GroupExports {
  const found = groups[group];
  if (found === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with ${group} kernels, got ${curve}`);
  }
  return found;
}

/** `INVALID_ARGUMENT` unless points of the curve are prepared in this form. */
export function expectForm({ curve }: KernelInstance, form: PointForm): void {
  if (form !== pointForm(curve)) {
    throw new PippinError('INVALID_ARGUMENT', `expected the ${pointForm(curve)} form for ${curve}, got ${form}`);
  }
}

/** JavaScript engines report by a RangeError that there is no room for another memory. */
async function instantiate(module: WebAssembly.Module): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module, {});
  } catch (error) {
    if (error instanceof RangeError) throw asPippinError(error, 'OUT_OF_MEMORY', 'expected room for a WASM memory');
    throw error;
  }
}
