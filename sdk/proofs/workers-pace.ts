import type { CurveId } from '../curves/index.js';

/** How fast this machine's workers prove, as measured by the fastest proof of each curve that they made alone. */
export class WorkersPace {
  /** Milliseconds for each unit of work. */
  private readonly pace = new Map<CurveId, number>();

  /** Notes that a proof took the workers `ms`. */
  add(curve: CurveId, work: number, ms: number): void {
    if (work > 0) this.pace.set(curve, Math.min(ms / work, this.pace.get(curve) ?? Number.POSITIVE_INFINITY));
  }

  /** About how many milliseconds the workers take for a proof; undefined before they have made one on this curve. */
  estimate(curve: CurveId, work: number): number | undefined {
    const pace = this.pace.get(curve);
    return pace === undefined ? undefined : pace * work;
  }
}
