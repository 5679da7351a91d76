import { laterPart } from '../../../base/load-part.js';
import type { CurveId } from '../../../curves/index.js';
import type { elementKernel } from './element-kernel.js';
import { instantiatePoints, instantiateScalars, type KernelInstance, type WholeInstance } from './kernel-instance.js';
import { pairingKernel } from './pairing-kernel.js';
import { pointKernel } from './point-kernel.js';
import type { DecompressArgs, RootKernel } from './root-kernel.js';
import type { ScalarsKernel } from './scalars-kernel.js';
import type { KernelFunction, KernelTask } from './steps.js';
import { subgroupKernel } from './subgroup-kernel.js';

const loadScalarsCode = laterPart("the kernels' scalars", () => import('./scalars-kernel.js'));
const loadRootsCode = laterPart("packed keys' points", () => import('./root-kernel.js'));
const loadElementsCode = laterPart("the kernels' vectors", () => import('./element-kernel.js'));

/**
 * What the WASM of one curve can do: a record of methods `(args, task)`. A kernel worker runs them for the pool; tests
 * and benches call them in place. Every prover needs `PointsKernel`. `ScalarsKernel`, with a module of its own, is
 * needed where the workers compute MSMs and NTTs; `ElementsKernel`, on that module, for checks of MSMs, polynomials,
 * batches of proofs and ceremonies. Both are loaded at their first use.
 *
 * Unless said otherwise points are affine in the boundary form (canonical, little-endian, infinity all zero), scalars
 * are the curve's `scalarBytes` canonical little-endian bytes below r, and elements of the field of transforms 32 such
 * bytes. Byte arrays are members of `args` itself (the pool moves and the worker frees only those). Arrays that are
 * returned own their memory, so that a worker can transfer them.
 *
 * Long methods are asynchronous and work in steps of some 20 ms; between steps they check whether the task was
 * cancelled.
 */
export type Kernel = PointsKernel & ScalarsKernel & ElementsKernel;

export type PointsKernel = ReturnType<typeof pointsKernel>;

export type { ScalarsKernel };

export type ElementsKernel = ReturnType<typeof elementKernel>;

/** The compiled modules of one curve. */
export interface KernelModules {
  readonly points: WebAssembly.Module;
  readonly scalars: WebAssembly.Module;
}

/** Makes the kernel of a curve from its compiled modules, with a new memory. */
export async function createKernel(curve: CurveId, { points, scalars }: KernelModules): Promise<Kernel> {
  const instance = await instantiatePoints(curve, points);
  const { methods, whole } = await createScalarsKernel(instance, scalars);
  return { ...pointsKernel(instance), ...methods, ...(await elementsKernel(whole)) };
}

/** The methods that need the points module alone. They are listed in `POINT_METHODS`, too. */
export function pointsKernel(instance: KernelInstance) {
  let roots: Promise<RootKernel> | undefined;
  return {
    ...pointKernel(instance),
    ...subgroupKernel(instance),
    ...pairingKernel(instance),
    /** Points from x and a sign, by the curve's module of square roots. */
    async decompress(args: DecompressArgs, task?: KernelTask): Promise<Uint8Array> {
      const { RootKernel } = await loadRootsCode();
      roots ??= RootKernel.create(instance.curve, args.module);
      return (await roots).decompress(args, task);
    },
  } satisfies Record<string, KernelFunction>;
}

/**
 * The methods that need the scalars module, on the memory of the same curve's points. `IO_FAILED` if their script
 * cannot be loaded.
 */
export async function createScalarsKernel(
  points: KernelInstance,
  module: WebAssembly.Module,
): Promise<{ readonly methods: ScalarsKernel; readonly whole: WholeInstance }> {
  const { scalarsKernel } = await loadScalarsCode();
  const whole = await instantiateScalars(points, module);
  return { methods: scalarsKernel(whole), whole };
}

/** All other methods, on the same instances. `IO_FAILED` if their script cannot be loaded. */
export async function elementsKernel(whole: WholeInstance): Promise<ElementsKernel> {
  const { elementKernel } = await loadElementsCode();
  return elementKernel(whole);
}
