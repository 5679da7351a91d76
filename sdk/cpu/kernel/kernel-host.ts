import type { CurveId } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { wipeAndFree } from '../../transport/free-memory.js';
import { moveResult } from '../../transport/remote.js';
import { createKernel, type Kernel } from './kernel.js';
import type { KernelTask } from './kernel-task.js';

/** The names of a kernel's methods. */
export type KernelMethod = keyof Kernel;

export type KernelArguments<M extends KernelMethod> = Parameters<Kernel[M]>[0];
export type KernelResult<M extends KernelMethod> = Awaited<ReturnType<Kernel[M]>>;

/** What the pool is told while a task runs: the task's number and the fraction that is done. */
export interface KernelEvent {
  readonly task: number;
  readonly fraction: number;
}

interface OpenKernel {
  readonly module: WebAssembly.Module;
  made: Promise<Kernel> | undefined;
}

/** What a kernel worker exposes: it opens a kernel for each curve, runs the kernels' methods, and cancels them. */
export class KernelHost {
  private readonly kernels = new Map<CurveId, OpenKernel>();
  private readonly cancelled = new Set<number>();

  /** @param messagesHandled see `WorkerScope`; between the steps of a task, so that it can be cancelled. */
  constructor(
    private readonly emit: (event: KernelEvent) => void,
    private readonly messagesHandled: () => Promise<void>,
  ) {}

  /** Makes the kernel of a curve from its compiled module; a second call changes nothing. */
  async open(curve: CurveId, module: WebAssembly.Module): Promise<void> {
    if (!this.kernels.has(curve)) this.kernels.set(curve, { module, made: undefined });
    await this.kernel(curve);
  }

  /** Runs one method to its end. The pool sends the next one only after this one has answered. */
  async run<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    task: number,
  ): Promise<KernelResult<M>> {
    const kernel = await this.kernel(curve);
    try {
      // TypeScript cannot tell that a method taken by a generic name takes the arguments of that name.
      const call = kernel[method] as (args: KernelArguments<M>, task: KernelTask) => unknown;
      const result = await call(args, this.task(task));
      if (typeof result === 'object' && result !== null) moveResult(result);
      return result as KernelResult<M>;
    } finally {
      // All numbers in it, since each task begins after the one before: a task may have ended before it was cancelled.
      this.cancelled.clear();
      // The kernel has copied what it keeps.
      for (const value of Object.values(args)) if (value instanceof Uint8Array) wipeAndFree(value);
    }
  }

  cancel(task: number): void {
    this.cancelled.add(task);
  }

  /** The kernel of a curve. After a failure, such as for want of memory, the next call tries again. */
  private kernel(curve: CurveId): Promise<Kernel> {
    const open = this.kernels.get(curve);
    if (open === undefined) throw new PippinError('INTERNAL', `expected the kernel of ${curve} to be open`);
    if (open.made === undefined) {
      const made = createKernel(curve, open.module);
      made.catch(() => {
        open.made = undefined;
      });
      open.made = made;
    }
    return open.made;
  }

  private task(id: number): KernelTask {
    return {
      cancelled: async () => {
        await this.messagesHandled();
        return this.cancelled.has(id);
      },
      progress: (fraction) => this.emit({ task: id, fraction }),
    };
  }
}
