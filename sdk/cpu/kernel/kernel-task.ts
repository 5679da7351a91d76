/** Handed to a kernel's method so that it can be stopped between steps and can tell how far it is. */
export interface KernelTask {
  /** True once the caller no longer wants the result; the method then throws `ABORTED`. Awaited between steps. */
  cancelled(): Promise<boolean>;
  /** The done fraction of this method's work, 0 to 1. */
  progress(fraction: number): void;
}
