import { setImmediate as messagesHandled } from 'node:timers/promises';
import type { CurveId } from '../../sdk/curves/index.js';
import {
  type KernelArguments,
  type KernelEvent,
  KernelHost,
  type KernelMethod,
  type KernelResult,
} from '../../sdk/executors/workers/kernel/kernel-host.js';

/** A kernel host for a `FakeWorker`. It tells of each method before it runs it, and runs it when `onMethod` is done. */
export class WatchedHost extends KernelHost {
  constructor(
    emit: (event: KernelEvent) => void,
    private readonly onMethod: (method: KernelMethod) => void | Promise<void>,
  ) {
    super(emit, messagesHandled);
  }

  override async run<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    task: number,
  ): Promise<KernelResult<M>> {
    await this.onMethod(method);
    return super.run(curve, method, args, task);
  }
}
