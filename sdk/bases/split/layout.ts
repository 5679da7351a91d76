import type { FallibleExecutor } from '../../recovery/attempt.js';
import type {
  BasesLoadOptions,
  BasesRange,
  BasesToLoad,
  CompleteMsmBackend,
  ResidentBases,
  RevocableBackend,
} from '../backend.js';
import { ResidentCopy } from '../resident-copy.js';

/** A member, and its measured rate. */
export interface RatedMember {
  readonly member: SplitMember;
  readonly rate: MeasuredRate;
}

/** The range of points whose MSM a member computes. */
export interface Assignment extends RatedMember {
  readonly range: BasesRange;
}

/** A member that has a place in a layout, and the points of which it holds a copy. */
interface Holder extends RatedMember {
  readonly holds: BasesRange;
  readonly copy: ResidentCopy<ResidentBases>;
}

/** All margins together have at most this part of the points. */
const MARGINS = 1 / 2;

/** A new layout must promise to save at least this part of the time: it costs an upload. */
const WORTHWHILE = 0.1;

/** After so many calls in a row another layout must promise that, because the rates change most in the first ones. */
const SETTLING_CALLS = 4;

/**
 * Which points each member holds. A member holds more points than its share: its range overlaps its neighbours' ranges
 * by a margin. So the cuts between the members can follow their rates from call to call without moving bases.
 */
export class Layout {
  private readonly holders: readonly Holder[];
  /** After how many calls in a row another layout promised to be clearly faster. */
  private slowCalls = 0;
  private users = 0;
  private retired = false;

  constructor(
    private readonly range: BasesRange,
    private readonly members: readonly RatedMember[],
  ) {
    const shares = cutRange(range, ratesOf(members));
    const sharing = withPoints(members.map((rated, i) => ({ ...rated, range: shares[i]! })));
    const margin = Math.ceil(((range.to - range.from) * MARGINS) / (2 * sharing.length));
    this.holders = sharing.map(({ member, rate, range: share }) => ({
      member,
      rate,
      holds: { from: Math.max(range.from, share.from - margin), to: Math.min(range.to, share.to + margin) },
      copy: new ResidentCopy(),
    }));
  }

  /** Whether it was made for exactly these members. */
  isFor(members: readonly RatedMember[]): boolean {
    return (
      members.length === this.members.length && members.every(({ member }, i) => member === this.members[i]!.member)
    );
  }

  /** Whether it is time for another layout. */
  get isOutgrown(): boolean {
    return this.slowCalls >= SETTLING_CALLS;
  }

  /** The share of each member now, by the rates, as far as the members hold them. */
  assignments(): readonly Assignment[] {
    const { holders, range } = this;
    const shares = cutRange(range, ratesOf(holders));
    const cuts = shares.map(({ from }, i) => {
      if (i === 0) return range.from;
      return Math.min(holders[i - 1]!.holds.to, Math.max(holders[i]!.holds.from, from));
    });
    return withPoints(
      holders.map(({ member, rate }, i) => ({ member, rate, range: { from: cuts[i]!, to: cuts[i + 1] ?? range.to } })),
    );
  }

  /** The copy of a member's points, which is loaded unless that was done before, and which of all points it has. */
  async copyOn(
    member: SplitMember,
    bases: BasesToLoad,
    options: BasesLoadOptions,
  ): Promise<{ readonly resident: ResidentBases; readonly holds: BasesRange }> {
    const { copy, holds } = this.holders.find((holder) => holder.member === member)!;
    return { resident: await copy.get(() => member.backend.load(bases, holds, options)), holds };
  }

  /** Loads the points of all members, and gives the outcome for each. */
  load(bases: BasesToLoad, options: BasesLoadOptions): Promise<{ member: SplitMember; error: unknown }[]> {
    return Promise.all(
      this.holders.map(({ member }) =>
        this.copyOn(member, bases, options).then(
          () => ({ member, error: undefined }),
          (error: unknown) => ({ member, error }),
        ),
      ),
    );
  }

  /** Runs a multiplication over this layout, whose copies stay meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.users++;
    try {
      return await work();
    } finally {
      this.users--;
      this.slowCalls = this.couldBeFaster() ? this.slowCalls + 1 : 0;
      this.releaseIfUnused();
    }
  }

  /** Frees the copies when no multiplication uses them any more. */
  retire(): void {
    this.retired = true;
    this.releaseIfUnused();
  }

  private couldBeFaster(): boolean {
    const shares = cutRange(this.range, ratesOf(this.members));
    const best = longest(this.members.map((rated, i) => ({ ...rated, range: shares[i]! })));
    return best < (1 - WORTHWHILE) * longest(this.assignments());
  }

  private releaseIfUnused(): void {
    if (!this.retired || this.users > 0) return;
    for (const { copy } of this.holders) copy.release();
  }
}

function ratesOf(members: readonly RatedMember[]): number[] {
  return members.map(({ rate }) => rate.value);
}

/** Milliseconds of the member that takes longest. */
function longest(assignments: readonly Assignment[]): number {
  return Math.max(...assignments.map(({ range, rate }) => (range.to - range.from) / rate.value));
}

/** The assignments that have points; the first assignment if none has. */
function withPoints(assignments: readonly Assignment[]): readonly Assignment[] {
  const some = assignments.filter(({ range }) => range.from < range.to);
  return some.length > 0 ? some : assignments.slice(0, 1);
}

/** A single measurement changes a rate at most by this factor: a call may have waited for something else. */
const MOST_CHANGE = 4;

/** How much of the way to a measurement the rate goes, on a logarithmic scale. */
const GAIN = 0.5;

/** How many points a millisecond stand for 1 in the rates that are assumed; undefined before the first measurement. */
export interface RateScale {
  value: number | undefined;
}

/** A member's rate, in points per millisecond: an assumption at first, then corrected by each of its MSMs. */
export class MeasuredRate {
  private measured: number | undefined;

  /**
   * @param assumed the rate before the first measurement, in any unit, the same for all members.
   * @param scale shared by all members. The first measurement of any member sets it.
   */
  constructor(
    private readonly assumed: number,
    private readonly scale: RateScale,
  ) {}

  get value(): number {
    return this.measured ?? this.assumed * (this.scale.value ?? 1);
  }

  /** Notes that so many points took so many milliseconds. */
  add(points: number, ms: number): void {
    if (points === 0 || ms <= 0) return;
    this.scale.value ??= points / ms / this.assumed;
    const ratio = points / ms / this.value;
    this.measured = this.value * Math.min(MOST_CHANGE, Math.max(1 / MOST_CHANGE, ratio)) ** GAIN;
  }
}

/** One of several backends that share an MSM, each over a range of the points. */
export interface SplitMember {
  /** How messages name it. */
  readonly name: string;
  readonly backend: RevocableBackend;
  /** Its GPU; undefined for a worker, which is trusted. */
  readonly executor?: FallibleExecutor | undefined;
  /** Points per millisecond, as far as known before the first MSM. Only the ratios between the members count. */
  readonly rate: number;
  /** Whether scalars on a device are on the device of this member. */
  readonly takesDeviceScalars: boolean;
}

/** A backend that is always there, as the workers are. */
export function alwaysThere({ capabilities, load, multiplyBatch }: CompleteMsmBackend): RevocableBackend {
  return { capabilities, load, multiplyBatch, isAvailable: true, isReady: true };
}

/** Fewer points than this are not worth a member's own passes over its buckets. */
const LEAST_POINTS = 64;

/**
 * Cuts lie at multiples of about this fraction of the points, so that executors meet few different sizes, whose plans
 * they keep.
 */
const GRAIN = 1 / 128;

/**
 * Divides a range of points among members by their rates. Returns the range of each member in their order, without
 * gaps; it is empty for members that are too slow to be worth a share of so few points. At least one member gets a
 * share: of too few points the fastest gets all.
 */
export function cutRange({ from, to }: BasesRange, rates: readonly number[]): BasesRange[] {
  const points = to - from;
  const weights = [...rates];
  for (;;) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const sharing = weights.filter((weight) => weight > 0);
    const least = Math.min(...sharing);
    if (sharing.length > 1 && points * (least / total) < LEAST_POINTS) {
      weights[weights.indexOf(least)] = 0;
      continue;
    }
    const grain = Math.max(1, Math.floor(points * GRAIN));
    const last = weights.findLastIndex((weight) => weight > 0);
    let before = 0;
    let end = from;
    return weights.map((weight, member) => {
      before += weight;
      const start = end;
      const cut = from + grain * Math.round((points * (before / total)) / grain);
      end = member >= last ? to : Math.min(to, cut);
      return { from: start, to: end };
    });
  }
}
