import {
  chooseMultiples,
  type MultiplesChoice,
  type MultiplesPlan,
  type Precompute,
} from '../../../bases/multiples.js';
import { type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type GroupId } from '../../../curves/index.js';
import type { GroupExports } from './exports.js';
import { countOf, expectForm, expectGroup, type WholeInstance } from './kernel-instance.js';
import { LOAD_CHUNK, loadPrepared } from './load-prepared.js';
import { cheapestWindow } from './msm/windows.js';
import { type KernelTask, Steps } from './steps.js';

/** The most points that one call into WASM doubles: BATCH in wasm/msm/pair-tree.ts. */
const BATCH = 1024;

/** How much longer an addition takes where bases have multiples, which lie in more memory than a cache holds. */
const MULTIPLES_COST = 1.08;

export interface PlanMultiplesArgs {
  readonly group: GroupId;
  /** The points of one worker. */
  readonly points: number;
  readonly precompute: Precompute;
  /** The windows for which they are; chosen by cost if left out. */
  readonly windowBits?: number | undefined;
  /** The most multiples of each point for which there is memory. */
  readonly most: number;
}

export interface MultiplesArgs extends MultiplesPlan {
  readonly group: GroupId;
  readonly form: PointForm;
  /** Prepared points. */
  readonly points: Uint8Array;
}

/** A kernel's methods for precomputed multiples of bases (`MultiplesPlan`). */
export function multiplesKernel(instance: WholeInstance) {
  const { curve, endomorphism, memory } = instance;

  return {
    /** The multiples with which a multiplication on the workers costs least (see `chooseMultiples`). */
    planMultiples({ group, points, precompute, windowBits, most }: PlanMultiplesArgs): MultiplesChoice {
      const halved = group === 'g1' ? endomorphism : undefined;
      // Without halves a scalar is below half the order, up to its sign.
      const length = halved?.halfBits() ?? CURVES[curve].fr.bits - 1;
      const scalars = points * (halved === undefined ? 1 : 2);
      return chooseMultiples(precompute, (multiples) => {
        const { cost, ...plan } = cheapestWindow(scalars, length, multiples, windowBits);
        if (plan.multiples === 1) return { plan, cost };
        return plan.multiples > most ? undefined : { plan, cost: MULTIPLES_COST * cost };
      });
    },

    /**
     * The precomputed multiples of prepared points, without the points: by 2^(rows windowBits), then by its square, and
     * so on, prepared like the points. undefined if one of them is infinity, has order 2 or is exceptional: no multiple
     * of a point of odd order is.
     */
    async multiples(
      { group: id, form, points, windowBits, rows, multiples }: MultiplesArgs,
      task?: KernelTask,
    ): Promise<Uint8Array | undefined> {
      expectForm(instance, id, form);
      const group = expectGroup(instance, id);
      const [baseSize, preparedBytes] = [group.baseSize(), preparedPointBytes(curve, id)];
      const count = countOf(points, preparedBytes, 'prepared points');
      const result = new Uint8Array((multiples - 1) * points.length);
      const steps = new Steps(task, (multiples - 1) * rows * windowBits * count);
      const isComplete = await memory.scope(async (allocate) => {
        const chunk = Math.min(count, LOAD_CHUNK);
        const packed = allocate(chunk * preparedBytes);
        const bases = allocate(count * baseSize);
        const pairs = allocate(group.pairScratchSize());
        // The scratch has four elements for each point and one more. A sum has four elements.
        const scratch = form === 'edwards' ? allocate((chunk + 1) * group.sumSize()) : 0;
        loadPrepared(memory, group, { points, bytes: preparedBytes, packed, target: bases });
        for (let multiple = 1; multiple < multiples; multiple++) {
          if (!(await doubleAll(group, { at: bases, count }, rows * windowBits, pairs, steps))) return false;
          for (let from = 0; from < count; from += chunk) {
            const some = Math.min(chunk, count - from);
            if (group.storeMultiples(bases + from * baseSize, some, packed, scratch) === 0) return false;
            const at = (multiple - 1) * points.length + from * preparedBytes;
            result.set(memory.view(packed, some * preparedBytes), at);
          }
        }
        return true;
      });
      return isComplete ? result : undefined;
    },
  };
}

/** Doubles points in place so many times. False if the double of one is infinity. */
async function doubleAll(
  group: GroupExports,
  { at, count }: { readonly at: number; readonly count: number },
  times: number,
  scratch: number,
  steps: Steps,
): Promise<boolean> {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Math.min(BATCH, count - from);
    let left = times;
    await steps.repeat(() => {
      if (group.doublePoints(at + from * group.baseSize(), batch, scratch) === 0) return false;
      steps.advance(batch);
      left--;
      return left > 0;
    });
    if (left > 0) return false;
  }
  return true;
}
