import {
  chooseMultiples,
  type MultiplesChoice,
  type MultiplesCost,
  type MultiplesTuning,
  type Precompute,
} from '../../../bases/multiples.js';
import type { GroupPlans } from './group-plans.js';
import { cheapestPlan } from './planner.js';

/** What multiples are to be made of, and the memory that there is. */
export interface MultiplesRequest {
  readonly points: number;
  /** Points of all bases, these among them, that get as many multiples each at the same time. */
  readonly together: number;
  /** Bytes that the bases with their multiples, and the buffers of a multiplication, may take. */
  readonly room: number;
  /** Bytes of these that the bases with their multiples may take; all if it is left out. */
  readonly residentRoom?: number;
}

/** The multiples with which a multiplication of so many points costs least (see `chooseMultiples`), as it was measured or by the model. */
export function planMultiples(
  plans: GroupPlans,
  { points, together, room, residentRoom = room }: MultiplesRequest,
  precompute: Precompute,
  { windowBits: wanted, reduction }: MultiplesTuning = {},
): MultiplesChoice {
  const { baseBytes } = plans.layout;
  const { measuredFor, maxBufferBytes } = plans.on;
  const byModel = (multiples: number, windowBits = wanted): MultiplesCost | undefined => {
    const bytes = together * multiples * baseBytes;
    if (bytes > residentRoom) return undefined;
    const found = cheapestPlan({
      points,
      batch: 1,
      digitsFrom: 'scalars',
      // Bases lie in one buffer with their multiples.
      pointsPerBuffer: Math.floor(maxBufferBytes / (multiples * baseBytes)),
      memoryBudget: room - bytes,
      ...plans.facts('scalars', false),
      windowBits,
      multiples,
      reduction,
    });
    if (found === undefined) return undefined;
    const { plan, cost } = found;
    return { plan: { windowBits: plan.windowBits, rows: plan.rows, multiples: plan.multiples }, cost };
  };
  const { ms, withMultiples } = measuredFor?.(points) ?? {};
  const isMeasured = precompute === 'auto' && wanted === undefined && reduction !== 'cross-window';
  if (!isMeasured || ms === undefined || withMultiples === undefined) return chooseMultiples(precompute, byModel);
  return chooseMultiples(precompute, (multiples) => {
    const row = multiples === 1 ? { ms } : withMultiples.find((each) => each.multiples === multiples);
    const found = row && byModel(multiples, 'windowBits' in row ? row.windowBits : undefined);
    return found && { plan: found.plan, cost: row.ms };
  });
}
