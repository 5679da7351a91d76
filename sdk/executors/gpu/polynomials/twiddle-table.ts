import shader from '../../../../shaders/quotient/twiddles.wgsl';
import { type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import type { GpuDevice } from '../runtime/device.js';
import { BufferUsage } from '../runtime/flags.js';
import { given } from '../runtime/stage.js';
import type { Step } from '../runtime/steps.js';
import { uploadBuffer } from '../runtime/upload-buffer.js';
import { twiddleCost } from './cost.js';
import { defineQuotientStage, type QuotientBuffer } from './quotient-stages.js';
import { elementBytes, inverseRoot, kernelR } from './scalar-field.js';

/** The roots from which twiddle factors are computed, and the target buffer. */
interface TwiddleWork {
  /** Log of the number of factors. */
  readonly log: number;
  readonly roots: GPUBuffer;
  readonly factors: GPUBuffer;
}

/** Computes the twiddle factors: t_b at index b, as in wasm/ntt/ntt.ts, with inverse roots. */
export const twiddleStage = defineQuotientStage({
  name: 'twiddles',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { roots: given('read', 'vec4u'), factors: given('read_write', 'vec4u') },
  params: [],
  shader,
  dispatches: ({ log, roots, factors }: TwiddleWork) => [
    { first: 0, end: 2 ** log, params: {}, buffers: { roots, factors }, cost: twiddleCost(log) },
  ],
});

/** The twiddle factors in GPU memory. A table serves all smaller sizes too, so the largest one is kept. */
export class GpuTwiddleTable {
  private table: { readonly log: number; readonly factors: GPUBuffer } | undefined;

  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
  ) {}

  get bytes(): number {
    return this.table?.factors.size ?? 0;
  }

  /** Bytes of a table of 2^log factors if the existing one is smaller, otherwise 0. */
  missingBytes(log: number): number {
    return this.table !== undefined && this.table.log >= log ? 0 : 2 ** log * SCALAR_BYTES;
  }

  /**
   * A table of at least 2^log twiddle factors, for NTTs of 2^log elements. `run` computes a new one on the GPU. Calls
   * must not overlap, nor happen while an older table is in use.
   */
  async withAtLeast(
    log: number,
    run: (steps: readonly Step<QuotientBuffer>[]) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<GPUBuffer> {
    if (this.table !== undefined) {
      if (this.table.log >= log) return this.table.factors;
      this.destroy();
    }
    const { memory } = this.gpu;
    const size = 2 ** log * SCALAR_BYTES;
    await memory.makeRoom(size);
    const factors = await memory.create({ label: 'twiddles', size, usage: BufferUsage.STORAGE });
    let roots: GPUBuffer | undefined;
    try {
      const uploaded = await uploadBuffer(this.gpu, { label: 'roots', contents: this.roots(log) }, signal);
      roots = uploaded;
      await run(
        twiddleStage.dispatches({ log, roots: uploaded, factors }).map((dispatch) => ({ kind: 'dispatch', dispatch })),
      );
    } catch (error) {
      memory.destroy(factors);
      throw error;
    } finally {
      if (roots !== undefined) memory.destroy(roots);
    }
    this.table = { log, factors };
    return factors;
  }

  destroy(): void {
    if (this.table !== undefined) this.gpu.memory.destroy(this.table.factors);
    this.table = undefined;
  }

  /** R, then R times the inverse primitive roots of the orders 4, 8, .., 2^(log + 1). */
  private roots(log: number): Uint8Array {
    const r = kernelR(this.curve);
    const roots = Array.from({ length: log }, (_, k) => r * inverseRoot(this.curve, k + 2));
    return elementBytes(this.curve, [r, ...roots]);
  }
}
