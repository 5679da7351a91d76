import { constraintKernel } from './constraint-kernel.js';
import { fieldKernel } from './field-kernel.js';
import type { WholeInstance } from './kernel-instance.js';
import { msmKernel } from './msm-kernel.js';
import { multiplesKernel } from './multiples-kernel.js';
import { scalarFormsKernel } from './scalar-forms-kernel.js';
import type { KernelFunction } from './steps.js';

export type ScalarsKernel = ReturnType<typeof scalarsKernel>;

/** The methods of a kernel that need both modules: MSMs on the workers, NTTs, and operations on scalars. */
export function scalarsKernel(instance: WholeInstance) {
  return {
    ...msmKernel(instance),
    ...multiplesKernel(instance),
    ...scalarFormsKernel(instance),
    ...fieldKernel(instance),
    ...constraintKernel(instance),
  } satisfies Record<string, KernelFunction>;
}
