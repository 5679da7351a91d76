/** Lets a kernel's method be stopped between its steps, and report its progress. */
export interface KernelTask {
  /** True once the caller no longer wants the result; the method then throws `ABORTED`. Awaited between steps. */
  cancelled(): Promise<boolean>;
  /** The done fraction of this method's work, 0 to 1. */
  progress(fraction: number): void;
}

/** What every method of a kernel looks like. */
export type KernelFunction = (args: never, task?: KernelTask) => unknown;
