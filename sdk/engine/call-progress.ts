import type { Phase } from '../api/progress.js';

/** The total of every call's progress. */
export const PROGRESS_TOTAL = 100;

/**
 * How much each phase counts in the progress of a call. The phases of a step may run at the same time, and one step
 * comes after another. The numbers of a plan add up to `PROGRESS_TOTAL`.
 */
export type ProgressPlan = readonly Readonly<Partial<Record<Phase, number>>>[];

/**
 * The plans of the calls. The numbers are about the shares of time of a first visit on a fast line; nothing but the bar
 * depends on them.
 */
export const PLANS = {
  key: [
    { read: 40, hash: 4, 'cache-read': 6, prepare: 35 },
    { precompute: 5, upload: 5, distribute: 5 },
  ],
  bases: [
    { read: 40, hash: 4, 'cache-read': 6, prepare: 35 },
    { precompute: 5, upload: 5, distribute: 5 },
  ],
  circuit: [{ read: 75 }, { hash: 10, 'cache-read': 5 }, { prepare: 10 }],
  proof: [{ read: 5 }, { witness: 10 }, { constraints: 3, transform: 17, msm: 55 }, { combine: 2 }, { verify: 8 }],
  msm: [{ upload: 3, distribute: 2, msm: 95 }],
  verify: [{ verify: 100 }],
  tune: [{ tune: 100 }],
} as const satisfies Record<string, ProgressPlan>;

/** How much a piece of work counts within its phase, and the fraction of it that is done. */
interface Meter {
  readonly weight: number;
  fraction: number;
}

/** What is known of a phase that has begun. */
interface Running {
  readonly meters: Meter[];
  /** Spans that have begun and not ended. */
  open: number;
  /** Whether spans have ended, and none was open at one time. */
  hasEnded: boolean;
}

/**
 * The progress of one call: a number that never falls and never exceeds the total, and the phase that runs. A phase
 * without meters is done when its spans have ended; all phases of a step are done when one of a later step begins, also
 * those that the call does without.
 */
export class CallProgress {
  private readonly phases = new Map<Phase, Running>();
  /** The open spans' phases, in the order in which they began. */
  private readonly open: Phase[] = [];
  /** The last step of the plan of which a phase has begun. */
  private step = 0;
  private phase: Phase | undefined;
  private done = 0;
  private told: string | undefined;

  /** @param tell called when the phase or the number's whole part has changed. */
  constructor(
    private readonly plan: ProgressPlan,
    private readonly tell: (phase: Phase, done: number) => void,
  ) {}

  begin(phase: Phase): void {
    this.runningOf(phase).open++;
    this.open.push(phase);
    this.step = Math.max(
      this.step,
      this.plan.findIndex((step) => phase in step),
    );
    this.update();
  }

  end(phase: Phase): void {
    const running = this.runningOf(phase);
    running.open--;
    running.hasEnded ||= running.open === 0;
    this.open.splice(this.open.lastIndexOf(phase), 1);
    this.update();
  }

  /** Adds work of the given weight to a phase, and returns the function that reports the fraction done. */
  meter(phase: Phase, weight: number): (fraction: number) => void {
    const meter: Meter = { weight, fraction: 0 };
    this.runningOf(phase).meters.push(meter);
    return (fraction) => {
      meter.fraction = Math.max(meter.fraction, Math.min(1, fraction));
      this.update(phase);
    };
  }

  /** Everything is done. */
  finish(): void {
    if (this.phase === undefined) return;
    this.done = PROGRESS_TOTAL;
    this.emit(this.phase);
  }

  private runningOf(phase: Phase): Running {
    let running = this.phases.get(phase);
    if (running === undefined) {
      running = { meters: [], open: 0, hasEnded: false };
      this.phases.set(phase, running);
    }
    return running;
  }

  /** @param moved the phase of a meter that has moved. */
  private update(moved?: Phase): void {
    let done = 0;
    for (const [step, phases] of this.plan.entries()) {
      for (const [phase, share] of Object.entries(phases)) {
        done += step < this.step ? share : share * fractionOf(this.phases.get(phase as Phase));
      }
    }
    this.done = Math.max(this.done, Math.min(PROGRESS_TOTAL, done));
    const isOpen = moved !== undefined && this.open.includes(moved);
    const phase = isOpen || this.open.length === 0 ? (moved ?? this.unfinished()) : this.open.at(-1);
    if (phase !== undefined) this.emit(phase);
  }

  /** Where no span is open: a phase that has begun and goes on later, such as MSMs that wait for the GPU. */
  private unfinished(): Phase | undefined {
    const phases = Object.keys(this.plan[this.step] ?? {}) as Phase[];
    return phases.find((phase) => this.phases.has(phase) && fractionOf(this.phases.get(phase)) < 1) ?? this.phase;
  }

  private emit(phase: Phase): void {
    this.phase = phase;
    // One event a unit: each is a message to the caller's thread.
    const told = `${phase} ${Math.floor(this.done)}`;
    if (told === this.told) return;
    this.told = told;
    this.tell(phase, this.done);
  }
}

function fractionOf(phase: Running | undefined): number {
  if (phase === undefined) return 0;
  const total = phase.meters.reduce((sum, { weight }) => sum + weight, 0);
  if (total > 0) return phase.meters.reduce((sum, { weight, fraction }) => sum + weight * fraction, 0) / total;
  return phase.hasEnded ? 1 : 0;
}
