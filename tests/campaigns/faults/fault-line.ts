/** A fault that is to happen at one place: at the time-th crossing of a point. */
export interface Fault {
  readonly point: string;
  readonly time: number;
  readonly kind: string;
}

/** Kinds of faults that are the caller's own doing, and may fall on any point. */
export const INTERRUPTIONS = ['aborted', 'disposed'] as const;

/**
 * Every place where the engine waits for something else is a point, by a name such as `store.get` or `worker.multiply`.
 * Whoever wraps that place says when it is crossed, and hears whether a fault is to happen there.
 */
export class FaultLine {
  /** How often each point was crossed. */
  readonly crossed = new Map<string, number>();
  /** Those that have happened. */
  readonly fired: Fault[] = [];

  /** @param interrupt called for an interruption, which is no fault of the place itself. */
  constructor(
    private readonly faults: readonly Fault[] = [],
    private readonly interrupt: (kind: string) => void = () => undefined,
  ) {}

  /** The kind of fault that is to happen here now, if any. */
  cross(point: string): string | undefined {
    const time = (this.crossed.get(point) ?? 0) + 1;
    this.crossed.set(point, time);
    const fault = this.faults.find((each) => each.point === point && each.time === time);
    if (fault === undefined) return undefined;
    this.fired.push(fault);
    if (!(INTERRUPTIONS as readonly string[]).includes(fault.kind)) return fault.kind;
    this.interrupt(fault.kind);
    return undefined;
  }
}

/** What never comes. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
