import type { GroupId } from '../../../../curves/index.js';
import { type CoreExports, ofGroup, wholePart } from '../exports.js';
import { ROW_GROUP_NAMES, ROWS_NAMES, type RowExports, type RowGroupExports } from '../generated/row-exports.js';
import type { WholeInstance } from '../kernel-instance.js';
import { KernelMemory } from '../memory.js';

/** What a module of rows of points exports. */
export interface RowsModule {
  readonly rows: RowExports & Pick<CoreExports, 'memory'>;
  readonly groups: Readonly<Record<GroupId, RowGroupExports>>;
}

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

/** Reads the exports of a module's instance. `UNSUPPORTED_FORMAT` when some are missing: it is of another version. */
export function readRows(exports: WebAssembly.Exports): RowsModule {
  return {
    rows: wholePart(exports, ROWS_NAMES),
    groups: {
      g1: wholePart(ofGroup(exports, 'g1', ROW_GROUP_NAMES), ROW_GROUP_NAMES),
      g2: wholePart(ofGroup(exports, 'g2', ROW_GROUP_NAMES), ROW_GROUP_NAMES),
    },
  };
}
