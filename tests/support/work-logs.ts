import type { CurveId } from '../../sdk/curves/index.js';
import type {
  KernelArguments,
  KernelEvent,
  KernelMethod,
  KernelResult,
} from '../../sdk/executors/workers/kernel/kernel-host.js';
import { viewOf } from '../executors/gpu/virtual-gpu.js';
import { FakeWorker } from './fake-worker.js';
import { WatchedHost } from './watched-host.js';

/** The jobs of kernel workers on this thread. */
export class JobLog {
  private readonly all: { readonly method: KernelMethod; readonly args: object }[] = [];

  /** Starts a worker whose jobs are logged. */
  readonly spawn = (): FakeWorker => new FakeWorker((emit) => new LoggedHost(emit, this.all));

  clear(): void {
    this.all.length = 0;
  }

  /** Each job by its method and the bytes of its arguments, in a fixed order. */
  get sizes(): string[] {
    return this.all
      .map(({ method, args }) => {
        const sizes = Object.entries(args).map(([name, value]) =>
          value instanceof Uint8Array ? `${name} ${value.length}` : name,
        );
        return `${method}: ${sizes.join(', ')}`;
      })
      .sort();
  }

  /** Copies of the arguments of jobs of a method. */
  argumentsOf<M extends KernelMethod>(method: M): KernelArguments<M>[] {
    return this.all.flatMap((job) => (job.method === method ? [job.args as KernelArguments<M>] : []));
  }
}

class LoggedHost extends WatchedHost {
  constructor(
    emit: (event: KernelEvent) => void,
    private readonly log: { readonly method: KernelMethod; readonly args: object }[],
  ) {
    super(emit, () => undefined);
  }

  override run<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    task: number,
  ): Promise<KernelResult<M>> {
    this.log.push({ method, args: structuredClone(args) });
    return super.run(curve, method, args, task);
  }
}

/** The work of a GPU. Dispatches are cut by the device's pace, which is no work: their parts are counted together. */
export class GpuLog {
  private readonly all = new Map<string, number>();

  clear(): void {
    this.all.clear();
  }

  /** Each pipeline with all workgroups that it was dispatched for, in a fixed order. */
  get workgroups(): string[] {
    return [...this.all].map(([pipeline, count]) => `${pipeline}: ${count}`).sort();
  }

  /** A GPU whose devices log their dispatches. */
  watch(gpu: GPU): GPU {
    const watched = (device: GPUDevice): GPUDevice =>
      viewOf(device, {
        createCommandEncoder: (descriptor?: GPUCommandEncoderDescriptor) =>
          this.log(device.createCommandEncoder(descriptor)),
      });
    const requestAdapter = async (options?: GPURequestAdapterOptions): Promise<GPUAdapter | null> => {
      const adapter = await gpu.requestAdapter(options);
      const requestDevice = async (of?: GPUDeviceDescriptor) => watched(await adapter!.requestDevice(of));
      return adapter && viewOf(adapter, { requestDevice });
    };
    return viewOf(gpu, { requestAdapter });
  }

  private log(encoder: GPUCommandEncoder): GPUCommandEncoder {
    const begin = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (of) => {
      const pass = begin(of);
      const setPipeline = pass.setPipeline.bind(pass);
      const dispatch = pass.dispatchWorkgroups.bind(pass);
      let label = '';
      pass.setPipeline = (pipeline) => {
        label = pipeline.label;
        setPipeline(pipeline);
      };
      pass.dispatchWorkgroups = (x, y = 1, z = 1) => {
        this.all.set(label, (this.all.get(label) ?? 0) + x * y * z);
        dispatch(x, y, z);
      };
      return pass;
    };
    return encoder;
  }
}
