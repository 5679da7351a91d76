import type { CoreExports, GroupExports, MsmExports } from '../exports.js';
import type { Allocate, KernelMemory } from '../memory.js';
import type { Steps } from '../steps.js';

/** What an MSM over one group computes with. */
export interface Workspace {
  /** The exports that serve every group, and the exports of this group. */
  readonly exports: CoreExports;
  readonly group: GroupExports;
  readonly memory: KernelMemory;
  /** Takes memory until the computation ends. */
  readonly allocate: Allocate;
  readonly steps: Steps;
}

/** The same with the exports of the scalars module. */
export interface ScalarsWorkspace extends Workspace {
  readonly exports: MsmExports;
}
