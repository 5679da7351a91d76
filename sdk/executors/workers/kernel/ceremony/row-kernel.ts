import type { GroupId } from '../../../../curves/index.js';
import { type RowGroupExports, readRows } from '../exports.js';
import type { WholeInstance } from '../kernel-instance.js';
import { KernelMemory } from '../memory.js';

/** What multiplies points row by row, by the kernel that it belongs to. */
const rowKernels = new WeakMap<WholeInstance, Promise<RowKernel>>();

/** Rows of points in a memory of their own (wasm/rows). */
export class RowKernel {
  private constructor(
    readonly memory: KernelMemory,
    readonly groups: Readonly<Record<GroupId, RowGroupExports>>,
    /** Writes the images of a row of G1 under the endomorphism to `target`. */
    readonly mapRow: (row: number, count: number, target: number) => void,
  ) {}

  /**
   * The one that serves a kernel; it is made when it is first asked for.
   *
   * @param module the curve's module of rows, in any form.
   */
  static of(instance: WholeInstance, module: WebAssembly.Module): Promise<RowKernel> {
    const made = rowKernels.get(instance) ?? RowKernel.create(module);
    rowKernels.set(instance, made);
    return made;
  }

  private static async create(module: WebAssembly.Module): Promise<RowKernel> {
    const { rows, groups } = readRows((await WebAssembly.instantiate(module, {})).exports);
    const memory = new KernelMemory(rows.memory, rows.heapBase());
    memory.keepData(0, rows.heapBase());
    return new RowKernel(memory, groups, rows.g1_mapRow);
  }
}
