import type { BasesLoadOptions, BasesRange, BasesToLoad, ResidentBases } from '../backend.js';
import { ResidentCopy } from '../resident-copy.js';
import { cutRange } from './cut-range.js';
import type { MeasuredRate } from './measured-rate.js';
import type { SplitPart } from './split-part.js';

/** A part, and its measured rate. */
export interface RatedPart {
  readonly part: SplitPart;
  readonly rate: MeasuredRate;
}

/** A range of points that a part is to sum. */
export interface Piece extends RatedPart {
  readonly range: BasesRange;
}

/** A part that has a place in a layout, and the points of which it holds a copy. */
interface Member extends RatedPart {
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
 * Which points each part holds. A part holds more than it sums: its range reaches into those of its neighbours by a margin. So the cuts
 * between the parts follow their rates from call to call, and no bases move.
 */
export class Layout {
  private readonly members: readonly Member[];
  /** After how many calls in a row another layout promised to be clearly faster. */
  private slowCalls = 0;
  private users = 0;
  private retired = false;

  constructor(
    private readonly range: BasesRange,
    private readonly parts: readonly RatedPart[],
  ) {
    const shares = cutRange(range, ratesOf(parts));
    const margin = Math.ceil(((range.to - range.from) * MARGINS) / (2 * parts.length));
    const sharing = withPoints(parts.map((rated, i) => ({ ...rated, range: shares[i]! })));
    this.members = sharing.map(({ part, rate, range: share }) => ({
      part,
      rate,
      holds: { from: Math.max(range.from, share.from - margin), to: Math.min(range.to, share.to + margin) },
      copy: new ResidentCopy(),
    }));
  }

  /** Whether it was made for exactly these parts. */
  isFor(parts: readonly RatedPart[]): boolean {
    return parts.length === this.parts.length && parts.every(({ part }, i) => part === this.parts[i]!.part);
  }

  /** Whether it is time for another layout. */
  get isOutgrown(): boolean {
    return this.slowCalls >= SETTLING_CALLS;
  }

  /** What each part is to sum now: shares by the rates, as far as the parts hold them. */
  pieces(): readonly Piece[] {
    const { members, range } = this;
    const shares = cutRange(range, ratesOf(members));
    const cuts = shares.map(({ from }, i) => {
      if (i === 0) return range.from;
      return Math.min(members[i - 1]!.holds.to, Math.max(members[i]!.holds.from, from));
    });
    return withPoints(
      members.map(({ part, rate }, i) => ({ part, rate, range: { from: cuts[i]!, to: cuts[i + 1] ?? range.to } })),
    );
  }

  /** The copy of a part's points, which is loaded unless that was done before, and which of all points it has. */
  async copyOn(
    part: SplitPart,
    bases: BasesToLoad,
    options: BasesLoadOptions,
  ): Promise<{ readonly resident: ResidentBases; readonly holds: BasesRange }> {
    const { copy, holds } = this.members.find((member) => member.part === part)!;
    return { resident: await copy.get(() => part.backend.load(bases, holds, options)), holds };
  }

  /** Loads the points of all parts, and gives the outcome for each. */
  load(bases: BasesToLoad, options: BasesLoadOptions): Promise<{ part: SplitPart; error: unknown }[]> {
    return Promise.all(
      this.members.map(({ part }) =>
        this.copyOn(part, bases, options).then(
          () => ({ part, error: undefined }),
          (error: unknown) => ({ part, error }),
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
    const shares = cutRange(this.range, ratesOf(this.parts));
    const best = longest(this.parts.map((rated, i) => ({ ...rated, range: shares[i]! })));
    return best < (1 - WORTHWHILE) * longest(this.pieces());
  }

  private releaseIfUnused(): void {
    if (!this.retired || this.users > 0) return;
    for (const { copy } of this.members) copy.release();
  }
}

function ratesOf(parts: readonly RatedPart[]): number[] {
  return parts.map(({ rate }) => rate.value);
}

/** Milliseconds of the part that takes longest. */
function longest(pieces: readonly Piece[]): number {
  return Math.max(...pieces.map(({ range, rate }) => (range.to - range.from) / rate.value));
}

/** The pieces that have points; the first piece if none has. */
function withPoints(pieces: readonly Piece[]): readonly Piece[] {
  const some = pieces.filter(({ range }) => range.from < range.to);
  return some.length > 0 ? some : pieces.slice(0, 1);
}
