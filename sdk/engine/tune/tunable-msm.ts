import { finishing } from '../../bases/finishing.js';
import type { MultiplesPlan } from '../../bases/multiples.js';
import type { ArithmeticFor } from '../../bases/point-arithmetic.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import type { CutDigits, GpuMsm } from '../../executors/gpu/msm/gpu-msm.js';
import type { GpuDevice, Products } from '../../executors/gpu/runtime/device.js';
import { adapterName } from '../../executors/gpu/runtime/device-info.js';
import { loadGpuCode } from '../device-opener.js';
import type { CheckByWeights, GroupOnGpu } from '../open-gpu.js';
import type { ComparedMsm, MsmByProducts } from './compare-products.js';

/** A group's MSMs on the device, to be measured, by the device's kind of products. */
export interface TunableMsm extends MsmByProducts {
  readonly adapter: string;
  readonly isSoftware: boolean;
  readonly usual: (points: number) => { readonly windowBits: number; readonly chunks: number };
  readonly multiplesOf: (points: number, multiples: number) => Promise<MultiplesPlan | undefined>;
  /** The other kinds of products that the device has; none of a software adapter, whose times mean nothing. */
  readonly otherProducts: readonly Products[];
  /** The same by another kind, when its kernels are compiled. */
  compile(products: Products): Promise<ComparedMsm>;
}

/** A group's MSMs on a device, when their kernels are compiled. Rejects when the device or the kernels fail. */
export async function tunableMsm(
  device: Promise<GpuDevice>,
  { msm: { created }, backend }: GroupOnGpu,
  curve: CurveId,
  group: GroupId,
  {
    arithmeticFor,
    digitsFor,
    check,
  }: {
    readonly arithmeticFor: ArithmeticFor;
    readonly digitsFor: (curve: CurveId) => CutDigits;
    /** The check of callers' MSMs; undefined where it is not measured. */
    readonly check?: CheckByWeights;
  },
): Promise<TunableMsm> {
  const [open, msm, { GpuMsm: Msm }] = await Promise.all([device, created, loadGpuCode()]);
  await msm.ready;
  const { info, products } = open;
  const checked = (msm: GpuMsm) => check && finishing(check(msm), arithmeticFor);
  return {
    adapter: adapterName(info),
    isSoftware: info.isSoftware,
    products,
    backend: await backend,
    checked: checked(msm),
    usual: (points) => msm.usual(points),
    multiplesOf: async (points, multiples) => (await msm.planMultiples(points, points, multiples)).plan,
    otherProducts: info.isSoftware ? [] : open.possibleProducts.filter((each) => each !== products),
    compile: async (kind) => {
      const made = await Msm.create(open, curve, group, { products: kind, cutDigits: digitsFor(curve) });
      try {
        await made.ready;
      } catch (error) {
        made.destroy();
        throw error;
      }
      return {
        products: kind,
        backend: finishing(made, arithmeticFor),
        checked: checked(made),
        destroy: () => made.destroy(),
      };
    },
  };
}
