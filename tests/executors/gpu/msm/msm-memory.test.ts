import { describe, expect, it } from 'vitest';
import { scalarInput } from '../../../../sdk/executors/gpu/msm/digit-input.js';
import { scratchLayout } from '../../../../sdk/executors/gpu/msm/msm-memory.js';
import { cutChunks, keepsSource, msmSteps } from '../../../../sdk/executors/gpu/msm/msm-steps.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { planMsm } from '../../../../sdk/executors/gpu/msm/planner.js';
import type { MsmBuffer } from '../../../../sdk/executors/gpu/msm/stages/msm-stage.js';
import { totalBytes } from '../../../../sdk/executors/gpu/runtime/scratch-layout.js';
import type { Step } from '../../../../sdk/executors/gpu/runtime/steps.js';
import { SUBMIT_PARAMS_BYTES } from '../../../../sdk/executors/gpu/runtime/submit-params.js';

function plan(points: number, memoryBudget: number, changes: Partial<MsmPlan> = {}): MsmPlan {
  const request = {
    points,
    batch: changes.batch ?? 1,
    digitsFrom: 'scalars',
    pointsPerBuffer: 2 ** 20,
    scalarBits: 254,
    sumBytes: 128,
    memoryBudget,
    maxBufferBytes: 2 ** 30,
    concurrency: 16_384,
    uploadCost: 6,
  } as const;
  return { ...planMsm(request), ...changes };
}

const PLANS: Record<string, MsmPlan> = {
  'everything at once': plan(2 ** 14, 2 ** 30),
  'chunks of points': { ...plan(2 ** 14, 2 ** 30), chunkPoints: 5000 },
  'passes over some rows, whose scalars stay': { ...plan(2 ** 14, 2 ** 30), rowsPerPass: 5 },
  'passes over some rows, with digits from elsewhere': {
    ...plan(2 ** 14, 2 ** 30),
    rowsPerPass: 5,
    digitsFrom: 'digits',
  },
  'passes and chunks': { ...plan(2 ** 14, 2 ** 30), rowsPerPass: 5, chunkPoints: 5000 },
  'a batch in parts': plan(2 ** 12, 2 ** 30, { batch: 5, batchPerPass: 2 }),
  'little memory': plan(2 ** 14, 2 ** 20),
  'a set of buckets for each window of a row': plan(2 ** 14, 2 ** 30, {
    windowBits: 13,
    windows: 20,
    multiples: 4,
    rows: 5,
    bucketsPerRow: 2 ** 12,
    rowsPerPass: 3,
    reduction: 'cross-window',
  }),
};

/** The scratch buffers of a step, and whether it needs what they hold. */
function usesOf(step: Step<MsmBuffer>): { buffer: MsmBuffer; isRead: boolean }[] {
  if (step.kind === 'wipe' || step.kind === 'encode') return [];
  if (step.kind !== 'dispatch') return [{ buffer: step.buffer, isRead: step.kind === 'read back' }];
  return Object.values(step.dispatch.kernel.bindings).flatMap(({ access }, i) => {
    const buffer = step.dispatch.buffers[i]!;
    return typeof buffer === 'string' ? [{ buffer, isRead: access === 'read' }] : [];
  });
}

describe.each(Object.entries(PLANS))('the memory of a plan with %s', (_, each) => {
  const layout = scratchLayout(each);

  it('holds every buffer as long as it is needed', () => {
    const chunks = cutChunks(each, [
      { buffer: {} as GPUBuffer, first: 0, points: each.points, multipleStride: each.points },
    ]);
    const steps: Step<MsmBuffer>[] = [
      ...msmSteps(each, chunks, scalarInput(new Uint8Array(), each.scalarBytes)),
      { kind: 'read back', buffer: 'bitSums', size: 4, target: {} as GPUBuffer },
    ];
    // A buffer holds something for a chunk; the buckets for a pass; the result, and scalars that stay, for the whole
    // call.
    const forCall: readonly MsmBuffer[] = keepsSource(each) ? ['bitSums', 'source'] : ['bitSums'];
    /**
     * The buffer that each allocation holds, the buffers that hold something, and those whose contents were
     * overwritten.
     */
    const held = new Map<number, MsmBuffer>();
    const used = new Set<MsmBuffer>();
    const overwritten = new Set<MsmBuffer>();
    const beginAnew = (buffer: MsmBuffer): void => {
      used.delete(buffer);
      overwritten.delete(buffer);
    };
    for (const step of steps) {
      if (step.kind === 'clear' && step.buffer === 'buckets') beginAnew('buckets');
      if (step.kind === 'clear' && step.buffer === 'counters') {
        for (const buffer of used) if (buffer !== 'buckets' && !forCall.includes(buffer)) beginAnew(buffer);
      }
      for (const { buffer, isRead } of usesOf(step)) {
        const { allocation } = layout.buffers.get(buffer)!;
        const holder = held.get(allocation);
        expect({ buffer, isOverwritten: overwritten.has(buffer) }).toEqual({ buffer, isOverwritten: false });
        if (isRead) expect(holder).toBe(buffer);
        if (holder !== undefined && holder !== buffer && used.has(holder)) overwritten.add(holder);
        held.set(allocation, buffer);
        used.add(buffer);
      }
    }
  });

  it('is no more than if ranks and slots alone shared theirs', () => {
    const bytes = (buffer: MsmBuffer): number => layout.buffers.get(buffer)!.bytes;
    const apart = [...layout.buffers.values()].reduce((sum, place) => sum + place.bytes, 0);
    const shared = apart - Math.min(bytes('ranks'), bytes('slots'));
    expect(totalBytes(layout)).toBeLessThanOrEqual(shared + SUBMIT_PARAMS_BYTES);
    expect(layout.buffers.get('ranks')!.allocation).not.toBe(layout.buffers.get('sorted')!.allocation);
  });
});
