import { vi } from 'vitest';
import type { MsmBackend } from '../../sdk/bases/backend.js';
import type { DeviceScalars } from '../../sdk/bases/scalar-vector.js';
import { ALL_G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { CURVES } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { GPU_CAPABILITIES } from '../../sdk/executors/capabilities.js';
import type { GpuScalars } from '../../sdk/executors/gpu/gpu-scalars.js';
import { GpuMsm } from '../../sdk/executors/gpu/msm/gpu-msm.js';
import { type GpuConstraints, GpuQuotient } from '../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import type { GpuDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { GpuPolynomials } from '../../sdk/executors/gpu/vectors/gpu-polynomials.js';

/** An open device without a GPU behind it. */
export function fakeDevice(isSoftware = false): GpuDevice {
  const info = { vendor: 'fake', architecture: '', description: '', isSoftware };
  const kinds = { products: 'limbs', possibleProducts: ['limbs', 'unrolled'] } as const;
  return { info, ...kinds, destroy: async () => undefined } as unknown as GpuDevice;
}

/**
 * Replaces `GpuMsm` and `GpuQuotient` by a GPU that gives the group's generator for every sum: a point on the curve,
 * but not the right one. Each call first waits for the promise that `turn` returns. The kernels of vectors are never
 * compiled: they stay on the workers.
 */
export function wrongGpu(turn: () => Promise<void> = async () => undefined): void {
  vi.spyOn(GpuMsm, 'create').mockImplementation(async (_device, curve, group) => {
    const point = group === 'g2' ? ALL_G2_GENERATORS[curve]! : CURVES[curve].g1.generator;
    const generator = encodePoint(curve, group, point);
    const backend: MsmBackend = {
      capabilities: GPU_CAPABILITIES,
      load: async ({ kept }) => ({ count: kept, release: () => undefined }),
      multiplyBatch: async (_bases, _scalars, batch) => {
        await turn();
        return Array.from({ length: batch }, () => ({ kind: 'points', points: [generator.slice()] }) as const);
      },
    };
    return Object.assign(backend, { ready: Promise.resolve(), destroy: () => undefined }) as unknown as GpuMsm;
  });
  const vectors: Pick<GpuPolynomials, 'ready'> = { ready: new Promise(() => undefined) };
  vi.spyOn(GpuPolynomials, 'on').mockImplementation(() => vectors as GpuPolynomials);
  const scalars: DeviceScalars = { kind: 'device', count: 0, release: () => undefined };
  vi.spyOn(GpuQuotient, 'create').mockImplementation(async () => {
    const quotient: Pick<GpuQuotient, 'ready' | 'loadConstraints' | 'compute' | 'destroy'> = {
      ready: Promise.resolve(),
      loadConstraints: async () => ({ release: () => undefined }) as GpuConstraints,
      compute: async () => scalars as GpuScalars,
      destroy: () => undefined,
    };
    return quotient as GpuQuotient;
  });
}
