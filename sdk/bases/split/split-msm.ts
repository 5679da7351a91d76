import { throwIfAborted } from '../../base/abort.js';
import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { attempt, type Way } from '../../recovery/attempt.js';
import { type ComputedBy, leadsTo, type PointsFrom } from '../../recovery/table.js';
import {
  type BasesLoadOptions,
  type BasesRange,
  type BasesToLoad,
  type ComputedMsm,
  type MultiplyOptions,
  type ResidentBases,
  type RevocableBackend,
  wholeRange,
} from '../backend.js';
import type { ArithmeticFor } from '../point-arithmetic.js';
import type { ScalarVector } from '../scalar-vector.js';
import { type Assignment, Layout, MeasuredRate, type RatedMember, type RateScale, type SplitMember } from './layout.js';

/**
 * Which MSMs a layout serves: all; MSMs before every member is ready; MSMs for which only the workers are trusted; MSMs
 * whose scalars are on a device.
 */
type MsmKind = 'usual' | 'meanwhile' | 'trusted' | 'device';

/** Bases that several members hold ranges of. */
export class SplitBases implements ResidentBases {
  private readonly layouts = new Map<MsmKind, Layout>();
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

  /**
   * Loads the points to where the next MSMs need them. What members that are not ready are to hold is loaded in the
   * background.
   */
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

  /** The members that can compute a kind of MSM. */
  membersFor(kind: MsmKind): RatedMember[] {
    const left = this.rated.filter(({ member }) => !this.failed.has(member) && member.backend.isAvailable);
    if (kind === 'meanwhile') return left.filter(({ member }) => member.backend.isReady);
    if (kind === 'trusted') return left.filter(({ member }) => member.backend.capabilities.executor === 'wasm');
    if (kind === 'device') return left.filter(({ member }) => member.takesDeviceScalars).slice(0, 1);
    return left;
  }

  /** The layout for an MSM now. Where all members have failed in earlier MSMs, the available ones are tried again. */
  layoutForMsm(kind: MsmKind): Layout {
    if (this.membersFor(kind).length === 0) this.failed.clear();
    if (kind === 'usual') this.retire('meanwhile');
    return this.layoutFor(kind, undefined);
  }

  /**
   * A layout for some of the points, by the members that are left. `fault` is the error if there is none. The caller
   * retires it.
   */
  layoutOf(range: BasesRange, kind: MsmKind, fault: unknown): Layout {
    if (this.released) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
    const members = this.membersFor(kind);
    if (members.length === 0)
      throw fault ?? new PippinError('DEVICE_LOST', 'expected an executor for the MSM, got none');
    return new Layout(range, members);
  }

  /** Leaves a member out of all later MSMs over these bases. */
  giveUp(member: SplitMember): void {
    this.failed.add(member);
  }

  release(): void {
    this.released = true;
    for (const kind of this.layouts.keys()) this.retire(kind);
  }

  /** Loads a layout, and another one when members fail; the number of members bounds how often. */
  private loadAs(kind: MsmKind, options: BasesLoadOptions, fault?: unknown): Promise<void> {
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

  private layoutFor(kind: MsmKind, fault: unknown): Layout {
    const known = this.layouts.get(kind);
    // Multiples are in memory for the first load alone: other ranges would do without.
    const isOutgrown = known?.isOutgrown && this.bases.multiples === undefined;
    if (known?.isFor(this.membersFor(kind)) && !isOutgrown) return known;
    const layout = this.layoutOf(this.range, kind, fault);
    this.layouts.set(kind, layout);
    known?.retire();
    return layout;
  }

  private retire(kind: MsmKind): void {
    this.layouts.get(kind)?.retire();
    this.layouts.delete(kind);
  }
}

/** The executor of a member. */
function byOf({ backend }: SplitMember): ComputedBy {
  return backend.capabilities.executor === 'wasm' ? 'workers' : 'gpu';
}

/** What the assignments of one call have in common. */
interface SplitCall {
  readonly bases: SplitBases;
  readonly scalars: ScalarVector;
  readonly batch: number;
  readonly options: MultiplyOptions;
  readonly kind: MsmKind;
  /** Reports how much of an assignment is done. */
  readonly tell: (assignment: Assignment, fraction: number) => void;
}

/**
 * Divides each MSM among several members, such as a GPU and the workers or several GPUs, and adds up what they give.
 * Shares follow the rate of each member, which every call measures. When a member fails, the others do its share, a
 * notice says so, and it has no share in later MSMs over the same bases, as long as another is left. Only when none is
 * left does a multiplication reject, with the last fault.
 *
 * MSMs for which only the workers are trusted, and MSMs of scalars on a device, go to the members that can do them;
 * these hold all points from the first such MSM on.
 */
export function splitMsm(members: readonly SplitMember[], arithmeticFor: ArithmeticFor): RevocableBackend {
  return {
    get capabilities() {
      const there = members.filter(({ backend }) => backend.isAvailable);
      const first = there.find(({ backend }) => backend.isReady) ?? there[0] ?? members[0]!;
      return first.backend.capabilities;
    },
    get isAvailable() {
      return members.some(({ backend }) => backend.isAvailable);
    },
    get isReady() {
      return members.some(({ backend }) => backend.isReady);
    },

    async load(bases, range, options = {}) {
      const loaded = new SplitBases(members, bases, wholeRange(bases, range));
      try {
        await loaded.load(options);
      } catch (error) {
        loaded.release();
        throw error;
      }
      return loaded;
    },

    async multiplyBatch(given, scalars, batch, options = {}) {
      if (options.range !== undefined) {
        throw new PippinError('INTERNAL', 'expected an MSM over all points that are split, got a range of them');
      }
      const bases = given as SplitBases;
      const { curve, group } = bases.bases;
      const arithmetic = arithmeticFor(curve, group, options.signal);
      const kind = kindOf(bases, scalars, options);
      const layout = bases.layoutForMsm(kind);
      const tell = progressOf(bases.range, options.onProgress);
      const results = await multiplyByLayout({ bases, scalars, batch, options, kind, tell }, layout);
      return Promise.all(
        Array.from({ length: batch }, async (_, i): Promise<ComputedMsm> => {
          const shares = results.map((ofMember) => ofMember[i]!);
          if (shares.length === 1) return shares[0]!;
          const point = await arithmetic.combine(joinBytes(shares.map((share) => share.point)));
          return { point, executors: [...new Set(shares.flatMap(({ executors }) => executors))] };
        }),
      );
    },
  };
}

function kindOf(bases: SplitBases, scalars: ScalarVector, { trustedOnly }: MultiplyOptions): MsmKind {
  if (scalars.kind === 'device') return 'device';
  if (trustedOnly) return 'trusted';
  return bases.waitsForMember ? 'meanwhile' : 'usual';
}

/** Who computes an assignment: its member, or the members of a layout for its points alone. */
interface SplitWay extends Way {
  readonly layout?: Layout;
}

/** The MSMs over the assignments of a layout. What a member leaves undone when it fails is divided among the others. */
async function multiplyByLayout(call: SplitCall, layout: Layout): Promise<ComputedMsm[][]> {
  const assignments = layout.assignments();
  const outcomes = await layout.use(() =>
    Promise.allSettled(assignments.map((assignment) => multiplyAssignment(call, layout, assignment))),
  );
  // All that failed are left out before others do their shares.
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    const { member } = assignments[i]!;
    if (!leadsTo(outcome.reason, byOf(member), 'members')) throw outcome.reason;
    call.bases.giveUp(member);
    call.tell(assignments[i]!, 0);
  }
  const results: ComputedMsm[][] = [];
  for (const [i, assignment] of assignments.entries()) results.push(...(await shareOf(call, assignment, outcomes[i]!)));
  return results;
}

/** The MSMs over an assignment, from its member or, if that failed, from the members that are left. */
function shareOf(
  call: SplitCall,
  { member, range }: Assignment,
  outcome: PromiseSettledResult<ComputedMsm[]>,
): Promise<ComputedMsm[][]> {
  const { bases, kind, options } = call;
  const members = (failure: PippinError): SplitWay | undefined => {
    throwIfAborted(options.signal);
    if (bases.membersFor(kind).length === 0) return undefined;
    const layout = bases.layoutOf(range, kind, failure);
    const { code, message } = failure;
    options.observer?.notice('MSM_REDONE', `${member.name} failed (${code}: ${message}); others did its share`);
    return { by: 'workers', layout };
  };
  const from = (): PointsFrom => (bases.bases.fromCache || bases.bases.multiples?.fromCache ? 'cache' : 'file');
  const first: SplitWay = { by: byOf(member), executor: member.executor };
  return attempt({ first, rungs: { members }, from }, async ({ layout }) => {
    if (layout !== undefined) return multiplyByLayout(call, layout).finally(() => layout.retire());
    if (outcome.status === 'rejected') throw outcome.reason;
    return [outcome.value];
  });
}

/** The MSMs over one assignment. The time that they take corrects the member's rate. */
async function multiplyAssignment(
  { bases, scalars, batch, options, tell }: SplitCall,
  layout: Layout,
  assignment: Assignment,
): Promise<ComputedMsm[]> {
  const { member, rate, range } = assignment;
  const { resident, holds } = await layout.copyOn(member, bases.bases, { observer: options.observer });
  const start = performance.now();
  let ms = 0;
  const own = ownMembers<MultiplyOptions>({
    ...options,
    range: { from: range.from - holds.from, to: range.to - holds.from },
    onProgress: (fraction) => tell(assignment, fraction),
    onComputed: () => {
      ms = performance.now() - start;
    },
  });
  const results = await member.backend.multiplyBatch(resident, scalars, batch, own);
  // With bases of their own the multiplications use each point once.
  const times = options.sharedBases === false ? 1 : batch;
  rate.add(times * (range.to - range.from), ms);
  tell(assignment, 1);
  return results;
}

/** Reports the fraction of all points that is done, from the reports of the assignments. */
function progressOf(whole: BasesRange, onProgress: MultiplyOptions['onProgress']): SplitCall['tell'] {
  const done = new Map<Assignment, number>();
  return (assignment, fraction) => {
    done.set(assignment, fraction * (assignment.range.to - assignment.range.from));
    const points = [...done.values()].reduce((sum, some) => sum + some, 0);
    onProgress?.(points / Math.max(1, whole.to - whole.from));
  };
}
