import { PippinError } from '../../base/errors.js';
import { attempt, type Way } from '../../recovery/attempt.js';
import { type ComputedBy, leadsTo } from '../../recovery/table.js';
import type { BasesLoadOptions, BasesRange, BasesToLoad, ResidentBases } from '../backend.js';
import type { SplitMember } from './layout.js';
import { Layout, MeasuredRate, type RatedMember, type RateScale } from './layout.js';

/** For which sums a layout is: all; those before every member is ready; those for which only the workers are trusted; those of scalars on a device. */
export type SumKind = 'usual' | 'meanwhile' | 'trusted' | 'device';

/** Bases that several members hold ranges of. */
export class SplitBases implements ResidentBases {
  private readonly layouts = new Map<SumKind, Layout>();
  private readonly rated: readonly RatedMember[];
  private readonly failed = new Set<SplitMember>();
  private released = false;
  settled: Promise<void> | undefined;

  constructor(
    members: readonly SplitMember[],
    readonly bases: BasesToLoad,
    readonly range: BasesRange,
  ) {
    const scale: RateScale = { value: undefined };
    this.rated = members.map((member) => ({ member, rate: new MeasuredRate(member.rate, scale) }));
  }

  get count(): number {
    return this.bases.count;
  }

  /** Loads the points to where the next sums need them. What members that are not ready are to hold is loaded in the background. */
  async load(options: BasesLoadOptions): Promise<void> {
    if (!this.waitsForMember) return this.loadAs('usual', options);
    this.settled = this.loadAs('usual', {}).catch(() => undefined);
    await this.loadAs('meanwhile', options);
  }

  /** Whether some members could begin at once, and others could not. */
  get waitsForMember(): boolean {
    const ready = this.membersFor('meanwhile').length;
    return ready > 0 && ready < this.membersFor('usual').length;
  }

  /** The members that can do a kind of sum. */
  membersFor(kind: SumKind): RatedMember[] {
    const left = this.rated.filter(({ member }) => !this.failed.has(member) && member.backend.isAvailable);
    if (kind === 'meanwhile') return left.filter(({ member }) => member.backend.isReady);
    if (kind === 'trusted') return left.filter(({ member }) => member.backend.capabilities.executor === 'wasm');
    if (kind === 'device') return left.filter(({ member }) => member.takesDeviceScalars).slice(0, 1);
    return left;
  }

  /** The layout by which a sum is computed now. Where all members have failed in earlier sums, those that are there are tried again. */
  layoutForSum(kind: SumKind): Layout {
    if (this.membersFor(kind).length === 0) this.failed.clear();
    if (kind === 'usual') this.retire('meanwhile');
    return this.layoutFor(kind, undefined);
  }

  /** A layout for some of the points, by the members that are left. `fault` is the error if there is none. The caller retires it. */
  layoutOf(range: BasesRange, kind: SumKind, fault: unknown): Layout {
    if (this.released) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
    const members = this.membersFor(kind);
    if (members.length === 0)
      throw fault ?? new PippinError('DEVICE_LOST', 'expected an executor for the sum, got none');
    return new Layout(range, members);
  }

  /** Leaves a member out of all later sums over these bases. */
  giveUp(member: SplitMember): void {
    this.failed.add(member);
  }

  release(): void {
    this.released = true;
    for (const kind of this.layouts.keys()) this.retire(kind);
  }

  /** Loads a layout, and another one when members fail; the number of members bounds how often. */
  private loadAs(kind: SumKind, options: BasesLoadOptions, fault?: unknown): Promise<void> {
    const all: Way = { by: 'workers' };
    const left: Way = { by: 'workers' };
    const members = (failure: PippinError): Way | undefined => {
      fault = failure;
      return this.membersFor(kind).length === 0 ? undefined : left;
    };
    const load = async (way: Way): Promise<void> => {
      if (way === left) return this.loadAs(kind, options, fault);
      const outcomes = await this.layoutFor(kind, fault).load(this.bases, options);
      const failures = outcomes.filter(({ error }) => error !== undefined);
      for (const { member, error } of failures) if (leadsTo(error, byOf(member), 'members')) this.giveUp(member);
      const [failed] = failures;
      if (failed === undefined) return;
      all.by = byOf(failed.member);
      throw failed.error;
    };
    return attempt({ first: all, rungs: options.mustLoad ? {} : { members } }, load);
  }

  private layoutFor(kind: SumKind, fault: unknown): Layout {
    const known = this.layouts.get(kind);
    // Multiples are in memory for the first load alone: other ranges would do without.
    const isOutgrown = known?.isOutgrown && this.bases.multiples === undefined;
    if (known?.isFor(this.membersFor(kind)) && !isOutgrown) return known;
    const layout = this.layoutOf(this.range, kind, fault);
    this.layouts.set(kind, layout);
    known?.retire();
    return layout;
  }

  private retire(kind: SumKind): void {
    this.layouts.get(kind)?.retire();
    this.layouts.delete(kind);
  }
}

/** Who computes what a member sums. */
export function byOf({ backend }: SplitMember): ComputedBy {
  return backend.capabilities.executor === 'wasm' ? 'workers' : 'gpu';
}
