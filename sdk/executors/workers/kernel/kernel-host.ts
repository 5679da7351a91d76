import { PippinError } from '../../../base/errors.js';
import { wipeAndFree } from '../../../base/free-memory.js';
import type { CurveId } from '../../../curves/index.js';
import { moveResult } from '../../../transport/remote.js';
import { isShared, waitForShared } from '../../../transport/shared-bytes.js';
import { createScalarsKernel, elementsKernel, type Kernel, type PointsKernel, pointsKernel } from './kernel.js';
import { instantiatePoints, type KernelInstance } from './kernel-instance.js';
import { POINT_METHODS } from './point-methods.js';
import type { KernelTask } from './steps.js';

/** The names of a kernel's methods. */
export type KernelMethod = keyof Kernel;

export type KernelArguments<M extends KernelMethod> = Parameters<Kernel[M]>[0];
export type KernelResult<M extends KernelMethod> = Awaited<ReturnType<Kernel[M]>>;

/** Reports progress to the pool while a task runs: the task's number and the fraction that is done. */
export interface KernelEvent {
  readonly task: number;
  readonly fraction: number;
}

/**
 * A curve's kernel as far as it is made. What could not be made, such as for want of memory, is tried again by the next
 * call.
 */
interface OpenKernel {
  readonly module: WebAssembly.Module;
  points: Promise<{ readonly instance: KernelInstance; readonly methods: PointsKernel }> | undefined;
  scalarsModule: WebAssembly.Module | undefined;
  scalars: ReturnType<typeof createScalarsKernel> | undefined;
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

  /** Makes the kernel of a curve from its compiled points module; a second call changes nothing. */
  async open(curve: CurveId, module: WebAssembly.Module): Promise<void> {
    if (!this.kernels.has(curve)) {
      this.kernels.set(curve, { module, points: undefined, scalarsModule: undefined, scalars: undefined });
    }
    await this.points(curve);
  }

  /** Adds the methods that need the curve's scalars module, too; a second call changes nothing. */
  async openScalars(curve: CurveId, module: WebAssembly.Module): Promise<void> {
    this.kernel(curve).scalarsModule ??= module;
    await this.scalars(curve);
  }

  /** Runs one method to its end. The pool sends the next one only after this one has answered. */
  async run<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    task: number,
  ): Promise<KernelResult<M>> {
    let result: unknown;
    try {
      for (const value of Object.values(args)) if (isShared(value)) waitForShared(value);
      const methods = POINT_METHODS.has(method)
        ? (await this.points(curve)).methods
        : await this.laterMethods(curve, method);
      // TypeScript cannot tell that a method taken by a generic name takes the arguments of that name.
      const call = (methods as Kernel)[method] as (args: KernelArguments<M>, task: KernelTask) => unknown;
      result = inPlace(await call(args, this.task(task)), args);
      if (typeof result === 'object' && result !== null) moveResult(result);
      return result as KernelResult<M>;
    } finally {
      // All numbers in it, since each task begins after the one before: a task may have ended before it was cancelled.
      this.cancelled.clear();
      // The kernel has copied what it keeps. Shared memory is the caller's.
      for (const value of Object.values(args)) {
        if (value instanceof Uint8Array && !isShared(value) && value !== result) wipeAndFree(value);
      }
    }
  }

  cancel(task: number): void {
    this.cancelled.add(task);
  }

  private points(curve: CurveId): NonNullable<OpenKernel['points']> {
    const open = this.kernel(curve);
    if (open.points === undefined) {
      const made = instantiatePoints(curve, open.module).then((instance) => ({
        instance,
        methods: pointsKernel(instance),
      }));
      made.catch(() => {
        open.points = undefined;
      });
      open.points = made;
    }
    return open.points;
  }

  /** The methods of the scalars module, or, where `method` is not among them, the ones for vectors. */
  private async laterMethods(curve: CurveId, method: KernelMethod): Promise<object> {
    const { methods, whole } = await this.scalars(curve);
    return method in methods ? methods : elementsKernel(whole);
  }

  private scalars(curve: CurveId): ReturnType<typeof createScalarsKernel> {
    const open = this.kernel(curve);
    const { scalarsModule } = open;
    if (scalarsModule === undefined) {
      throw new PippinError('INTERNAL', `expected the kernel of ${curve} to be open for scalars`);
    }
    if (open.scalars === undefined) {
      const made = this.points(curve).then(({ instance }) => createScalarsKernel(instance, scalarsModule));
      made.catch(() => {
        open.scalars = undefined;
      });
      open.scalars = made;
    }
    return open.scalars;
  }

  private kernel(curve: CurveId): OpenKernel {
    const open = this.kernels.get(curve);
    if (open === undefined) throw new PippinError('INTERNAL', `expected the kernel of ${curve} to be open`);
    return open;
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

/**
 * A result in the memory of an argument of its length, if there is one: the caller's thread allocated it. glibc keeps
 * memory apart for each thread, so that what a worker allocates and another thread frees later serves the worker alone.
 */
function inPlace(result: unknown, args: object): unknown {
  if (!(result instanceof Uint8Array)) return result;
  const same = Object.values(args).find(
    (value): value is Uint8Array => value instanceof Uint8Array && value.length === result.length,
  );
  if (same === undefined || same.byteLength !== same.buffer.byteLength) return result;
  same.set(result);
  wipeAndFree(result);
  return same;
}
