import type { PreparedBases } from '../../../sdk/bases/prepared.js';
import type { CurveId } from '../../../sdk/curves/index.js';
import { GpuMsm } from '../../../sdk/executors/gpu/msm/gpu-msm.js';
import type { GpuDevice } from '../../../sdk/executors/gpu/runtime/device.js';
import type { StageTimes } from '../../../sdk/executors/gpu/runtime/stage-timer.js';
import { partsOf } from './plan-strategy.js';
import type { Parts, Strategy } from './strategy.js';
import { StrategyMsm, type StrategySums } from './strategy-msm.js';

/** Milliseconds of GPU time by part. */
export type PartTimes = Readonly<Record<keyof Parts, number>>;

/** What is measured: multiplications over bases that lie ready. */
export interface Ready {
  readonly windowBits: number;
  multiply(scalars: Uint8Array): Promise<StrategySums>;
  /** The GPU time of a multiplication by part; undefined where the device or the contender does not tell. */
  times(scalars: Uint8Array): Promise<PartTimes | undefined>;
  release(): void;
}

export interface Contender {
  readonly name: string;
  readonly replaces: Strategy['replaces'] | 'everything';
  /** Brings bases to the device, for windows of `windowBits` or those that suit the shipped pipeline. */
  load(prepared: PreparedBases, windowBits?: number): Promise<Ready>;
  /** Gives the memory of multiplications back; the next one takes it again. */
  rest(): void;
}

/** A strategy on a device. */
export async function strategyContender(gpu: GpuDevice, curve: CurveId, strategy: Strategy): Promise<Contender> {
  const msm = await StrategyMsm.create(gpu, curve, strategy);
  const partOf = partsByKernel(partsOf(strategy, curve));
  return {
    name: strategy.name,
    replaces: strategy.replaces,
    async load(prepared, windowBits) {
      const bases = await msm.load(prepared, windowBits);
      return {
        windowBits: bases.plan.windowBits,
        multiply: (scalars) => msm.multiply(bases, scalars),
        times: async (scalars) => byPart((await msm.multiply(bases, scalars, true)).stageTimes, partOf),
        release: () => bases.buffer.destroy(),
      };
    },
    rest: () => msm.destroy(),
  };
}

/**
 * The backend as it is shipped: in chunks that overlap with uploads, and with all that it does to leave no secret
 * behind.
 */
export async function backendContender(gpu: GpuDevice, curve: CurveId): Promise<Contender> {
  const msm = await GpuMsm.create(gpu, curve, 'g1');
  await msm.ready;
  return {
    name: 'whole backend',
    replaces: 'everything',
    async load(prepared, windowBits) {
      const bases = await msm.load(prepared);
      return {
        windowBits: windowBits ?? msm.plan(bases).windowBits,
        async multiply(scalars) {
          const parts = await msm.multiply(bases, scalars, { windowBits });
          if (parts.kind !== 'windows') throw new Error('expected window sums');
          return { ...parts, stageTimes: undefined };
        },
        times: async () => undefined,
        release: () => bases.release(),
      };
    },
    rest: () => undefined,
  };
}

function partsByKernel(parts: Parts): ReadonlyMap<string, keyof Parts> {
  const names = Object.entries(parts) as [keyof Parts, Parts[keyof Parts]][];
  return new Map(names.flatMap(([part, { kernels }]) => kernels.map(({ name }) => [name, part] as const)));
}

function byPart(times: StageTimes | undefined, partOf: ReadonlyMap<string, keyof Parts>): PartTimes | undefined {
  if (times === undefined) return undefined;
  const sums = { sort: 0, accumulate: 0, reduce: 0 };
  for (const [stage, ms] of Object.entries(times)) sums[partOf.get(stage)!] += ms;
  return sums;
}
