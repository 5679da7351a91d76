import type { StagePipeline } from './pipelines.js';

/** Cached bind groups: enough for a few computations of different sizes. A PLONK proof takes some 300. */
const MAX_GROUPS = 1024;

/**
 * A cache of bind groups, by layout and buffers: many dispatches of a computation share one, and the next computation
 * reuses it.
 */
export class BindGroups {
  private readonly groups = new Map<string, GPUBindGroup>();
  private readonly numbers = new WeakMap<object, number>();
  private count = 0;

  constructor(private readonly device: GPUDevice) {}

  /** A bind group with `paramsBytes` of `params` at a dynamic offset as binding 0, and the buffers as the others. */
  get(
    { layout }: StagePipeline,
    params: GPUBuffer,
    paramsBytes: number,
    buffers: readonly GPUBuffer[],
    label: string,
  ): GPUBindGroup {
    const key = [layout, params, ...buffers].map((object) => this.numberOf(object)).join();
    let group = this.groups.get(key);
    if (group === undefined) {
      if (this.groups.size >= MAX_GROUPS) this.groups.clear();
      group = this.device.createBindGroup({
        label,
        layout,
        entries: [
          { binding: 0, resource: { buffer: params, size: paramsBytes } },
          ...buffers.map((buffer, i) => ({ binding: i + 1, resource: { buffer } })),
        ],
      });
      this.groups.set(key, group);
    }
    return group;
  }

  private numberOf(object: object): number {
    let number = this.numbers.get(object);
    if (number === undefined) {
      number = this.count++;
      this.numbers.set(object, number);
    }
    return number;
  }
}
