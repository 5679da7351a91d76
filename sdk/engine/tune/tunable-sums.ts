import type { SumBackend } from '../../bases/backend.js';
import { finishing } from '../../bases/finishing.js';
import type { MultiplesPlan } from '../../bases/multiples.js';
import type { ArithmeticFor } from '../../bases/point-arithmetic.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import type { CutDigits } from '../../executors/gpu/msm/gpu-msm.js';
import type { GpuDevice, Products } from '../../executors/gpu/runtime/device.js';
import { adapterName } from '../../executors/gpu/runtime/device-info.js';
import { loadGpuCode } from '../device-opener.js';
import type { GroupOnGpu } from '../open-gpu.js';

/** A group's MSMs on the device, to be measured. */
export interface TunableSums {
  readonly adapter: string;
  readonly isSoftware: boolean;
  readonly products: Products;
  readonly backend: SumBackend;
  readonly usual: (points: number) => { readonly windowBits: number; readonly chunks: number };
  readonly multiplesOf: (points: number, multiples: number) => Promise<MultiplesPlan | undefined>;
  /** The same by the other form of products; undefined if the device has only one. */
  readonly other: { readonly products: Products; readonly backend: Promise<SumBackend>; destroy(): void } | undefined;
}

/** A group's MSMs on a device, when their kernels are compiled. Rejects when the device or the kernels fail. */
export async function tunableSums(
  device: Promise<GpuDevice>,
  { msm: { created }, sums }: GroupOnGpu,
  curve: CurveId,
  group: GroupId,
  {
    arithmeticFor,
    digitsFor,
  }: {
    readonly arithmeticFor: ArithmeticFor;
    readonly digitsFor: (curve: CurveId) => CutDigits;
  },
): Promise<TunableSums> {
  const [open, msm, { GpuMsm }] = await Promise.all([device, created, loadGpuCode()]);
  await msm.ready;
  const { info, products } = open;
  const [otherProducts] = open.possibleProducts.filter((each) => each !== products);
  const other =
    otherProducts && GpuMsm.create(open, curve, group, { products: otherProducts, cutDigits: digitsFor(curve) });
  const otherBackend = other?.then(async (made) => {
    await made.ready;
    return finishing(made, arithmeticFor);
  });
  // The failure shows in the measurement.
  otherBackend?.catch(() => undefined);
  return {
    adapter: adapterName(info),
    isSoftware: info.isSoftware,
    products,
    backend: await sums,
    usual: (points) => msm.usual(points),
    multiplesOf: async (points, multiples) => (await msm.planMultiples(points, points, multiples)).plan,
    other: other &&
      otherBackend && {
        products: otherProducts,
        backend: otherBackend,
        destroy: () => void other.then((made) => made.destroy()).catch(() => undefined),
      },
  };
}
