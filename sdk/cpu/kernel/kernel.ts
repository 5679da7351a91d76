import type { CurveId } from '../../curves/index.js';
import { checkKernel } from './check-kernel.js';
import { constraintKernel } from './constraint-kernel.js';
import { fieldKernel } from './field-kernel.js';
import { instantiateKernel } from './kernel-instance.js';
import type { KernelTask } from './kernel-task.js';
import { multiplesKernel } from './multiples-kernel.js';
import { pairingKernel } from './pairing-kernel.js';
import { pointKernel } from './point-kernel.js';
import { scalarKernel } from './scalar-kernel.js';
import { subgroupKernel } from './subgroup-kernel.js';

/**
 * What one WASM instance of one curve can do: a record of methods `(args, task)`. A kernel worker runs them for the pool; tests and
 * benches call them in place. A method added to one of the parts below can be called through the pool without any other change.
 *
 * Unless said otherwise points are affine in the boundary form (canonical, little-endian, infinity all zero), scalars are the curve's
 * `scalarBytes` canonical little-endian bytes below r, and elements of the field of transforms 32 such bytes. Byte arrays are members of `args` itself (the pool moves and the worker frees only those).
 * Arrays that are returned own their memory, so that a worker can transfer them.
 *
 * Long methods are asynchronous and work in steps of some 20 ms; between steps they ask the task whether they are to stop.
 */
export type Kernel = Awaited<ReturnType<typeof createKernel>>;

/** What every method of a kernel looks like. */
type KernelFunction = (args: never, task?: KernelTask) => unknown;

/** Makes the kernel of a curve from its compiled module, with a memory of its own. */
export async function createKernel(curve: CurveId, module: WebAssembly.Module) {
  const instance = await instantiateKernel(curve, module);
  return {
    ...pointKernel(instance),
    ...multiplesKernel(instance),
    ...scalarKernel(instance),
    ...checkKernel(instance),
    ...subgroupKernel(instance),
    ...fieldKernel(instance),
    ...constraintKernel(instance),
    ...pairingKernel(instance),
  } satisfies Record<string, KernelFunction>;
}
