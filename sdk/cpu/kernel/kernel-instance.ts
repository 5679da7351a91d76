import type { CurveId, GroupId } from '../../curves/index.js';
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
  const instance = await WebAssembly.instantiate(module, {});
  const exports = instance.exports as unknown as CurveExports;
  return {
    curve,
    exports,
    groups: { g1: groupExports(instance.exports, 'g1'), g2: groupExports(instance.exports, 'g2') },
    pairing: pairingExports(instance.exports),
    memory: new KernelMemory(exports.memory, exports.heapBase()),
  };
}
