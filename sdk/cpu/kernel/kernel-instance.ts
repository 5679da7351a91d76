import type { CurveId, GroupId } from '../../curves/index.js';
import { asPippinError } from '../../errors.js';
import { type CurveExports, type GroupExports, groupExports, type PairingExports, pairingExports } from './exports.js';
import { KernelMemory } from './memory.js';

/** One WASM instance of one curve, with a memory of its own: what a kernel's methods work with. */
export interface KernelInstance {
  readonly curve: CurveId;
  readonly exports: CurveExports;
  /** undefined for a group that the curve's module does not have. */
  readonly groups: Readonly<Record<GroupId, GroupExports | undefined>>;
  /** undefined where the curve's module has no pairing. */
  readonly pairing: PairingExports | undefined;
  readonly memory: KernelMemory;
}

export async function instantiateKernel(curve: CurveId, module: WebAssembly.Module): Promise<KernelInstance> {
  const instance = await instantiate(module);
  const exports = instance.exports as unknown as CurveExports;
  return {
    curve,
    exports,
    groups: { g1: groupExports(instance.exports, 'g1'), g2: groupExports(instance.exports, 'g2') },
    pairing: pairingExports(instance.exports),
    memory: new KernelMemory(exports.memory, exports.heapBase()),
  };
}

/** Engines tell with a RangeError that there is no room for another memory. */
async function instantiate(module: WebAssembly.Module): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module, {});
  } catch (error) {
    if (error instanceof RangeError) throw asPippinError(error, 'OUT_OF_MEMORY', 'expected room for a WASM memory');
    throw error;
  }
}
