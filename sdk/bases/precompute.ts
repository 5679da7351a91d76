import { untilAborted } from '../base/abort.js';
import { equalBytes } from '../base/bytes.js';
import { asPippinError } from '../base/errors.js';
import { freeMemory } from '../base/free-memory.js';
import { PendingWork } from '../base/pending-work.js';
import { computeMultiples } from '../executors/workers/pool/multiples.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import type { CacheRecord } from '../files/cache/prepared-cache.js';
import type { MsmExecutor, PreparedMultiples } from './backend.js';
import type { LoadedBases } from './loaded-bases.js';
import type { MultiplesChoice, MultiplesPlan, WantedMultiples } from './multiples.js';
import { type PreparedBases, preparedPointBytes } from './prepared.js';
import type { BasesCall, RecordCache } from './record-cache.js';

/** The name of the only array of a record. */
const ARRAY = 'multiples';

/** MSMs over fewer points take about a millisecond, and `auto` leaves them alone. */
const FEWEST_POINTS = 256;

/** The multiples that a vector of bases is to get. */
interface Planned {
  readonly name: string;
  readonly bases: LoadedBases;
  readonly executor: MsmExecutor;
  readonly plan: MultiplesPlan;
}

/** How multiples are made: at once for a call, or in idle time. */
interface Manner {
  readonly call: BasesCall;
  readonly signal: AbortSignal;
  /** Whether multiples that are not in the cache are made. */
  readonly makes: boolean;
  readonly turn?: (() => Promise<void>) | undefined;
}

/** What the engine provides to make multiples. */
export interface PrecomputeContext {
  readonly pool: KernelPool;
  readonly cache: RecordCache;
  /** Fulfilled when nothing else is being done. */
  turn(): Promise<void>;
  /** A call in the background: its notices reach the observer, its progress does not. */
  backgroundCall(): BasesCall;
  /**
   * Plans the precomputed multiples of bases for their present executor.
   *
   * @param together all bases that get multiples at the same time, these among them.
   */
  plan(
    bases: LoadedBases,
    together: readonly LoadedBases[],
    wanted: WantedMultiples,
    signal: AbortSignal,
  ): Promise<MultiplesChoice & { readonly executor: MsmExecutor }>;
}

/** Gives bases multiples, for one caller. */
export class BasesPrecomputation implements Precomputation {
  private isReleased = false;
  /** Stops what is made in idle time. */
  private stopping = new AbortController();
  /** For what each vector was given multiples, or for what it was found that it gets none. */
  private readonly servedFor = new Map<string, MsmExecutor>();
  /** Fulfilled when the multiples that were given last are no longer in memory here. */
  private freed: Promise<void> = Promise.resolve();
  /** What is being made in idle time. */
  private running: Promise<void> | undefined;
  /** The multiples that were given and came from the cache, by the names of their records. */
  private readonly fromCache = new Map<string, Planned>();

  constructor(
    private readonly context: PrecomputeContext,
    private readonly request: PrecomputeRequest,
    private readonly onRelease: () => void,
  ) {}

  async load(call: BasesCall): Promise<void> {
    const makes = this.request.precompute !== 'auto';
    await this.serve({ call, signal: call.signal, makes });
  }

  begin(): void {
    const { signal } = this.stopping;
    if (this.running !== undefined || signal.aborted || this.unserved().length === 0) return;
    const call = this.context.backgroundCall();
    const turn = () => untilAborted(this.context.turn(), signal);
    this.running = this.serve({ call, signal, makes: true, turn })
      .then((given) => {
        if (given.length > 0) call.notice('PRECOMPUTED', `MSMs use multiples now: ${given.join('; ')}`);
      })
      // Released, or no worker is left, which the next call reports.
      .catch(() => undefined)
      .finally(() => {
        this.running = undefined;
      });
  }

  async restart(): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (!this.isReleased) this.stopping = new AbortController();
    this.servedFor.clear();
    this.fromCache.clear();
  }

  async cachedAreThoseOf(call: BasesCall, prepared: Readonly<Record<string, PreparedBases>>): Promise<boolean> {
    const { signal } = call;
    for (const [key, planned] of this.fromCache) {
      const { points, ...outline } = prepared[planned.name]!;
      const cached = await this.context.cache.load(call, key, this.request.source, async (record) =>
        fromRecord(record, planned),
      );
      const made = cached && (await computeMultiples(this.context.pool, outline, points, planned.plan, { signal }));
      const areSame = cached !== undefined && made !== undefined && equalBytes(cached, made);
      freeMemory(...[cached, made].filter((bytes) => bytes !== undefined));
      if (!areSame) return false;
    }
    return true;
  }

  release(): void {
    this.isReleased = true;
    this.stopping.abort();
    this.onRelease();
  }

  /** The vectors without multiples for their present executor. */
  private unserved(): [string, LoadedBases][] {
    const { precompute, vectors } = this.request;
    const fewest = precompute === 'auto' ? FEWEST_POINTS : 1;
    return Object.entries(vectors).filter(
      ([name, bases]) => bases.outline.kept >= fewest && this.servedFor.get(name) !== bases.executor,
    );
  }

  /** Gives multiples to the vectors that have none. Returns a few words on each that got some. */
  private async serve(manner: Manner): Promise<string[]> {
    await manner.turn?.();
    const planned = await this.plan(manner);
    const given: string[] = [];
    // One vector after another, so that the multiples of only one are in memory: they stay there until the cache has
    // them.
    for (const each of planned) {
      await untilAborted(this.freed, manner.signal);
      if (await this.give(each, manner)) given.push(describe(each));
    }
    return given;
  }

  private async plan({ call, signal }: Manner): Promise<Planned[]> {
    const { precompute, windowBits, reduction } = this.request;
    const wanted = { precompute, windowBits, reduction };
    const unserved = this.unserved();
    const together = unserved.map(([, bases]) => bases);
    const planned: Planned[] = [];
    for (const [name, bases] of unserved) {
      const { plan, fits, executor } = await this.context.plan(bases, together, wanted, signal);
      if (!fits) {
        const got = plan === undefined ? 'none' : `${plan.multiples}`;
        call.notice('PRECOMPUTE_REDUCED', `there is memory for ${got} of the ${precompute} multiples of ${name}`);
      }
      if (plan === undefined) this.servedFor.set(name, executor);
      else planned.push({ name, bases, executor, plan });
    }
    return planned;
  }

  /** Gives one vector its multiples; false if it gets none. */
  private async give(planned: Planned, manner: Manner): Promise<boolean> {
    const { name, bases, executor, plan } = planned;
    const { call, signal, turn } = manner;
    try {
      // In the background the points that were given at first may go meanwhile; later ones are made anew, and nobody
      // else frees them.
      if (turn !== undefined) await untilAborted(bases.pointsFreed, signal);
      const points = await bases.preparedPoints();
      const key = `multiples/${this.request.plan}/${name}/${plan.windowBits}x${plan.rows}x${plan.multiples}`;
      const known = await this.context.cache.load(call, key, this.request.source, async (record) =>
        fromRecord(record, planned),
      );
      if (known === undefined && !manner.makes) return false;
      this.servedFor.set(name, executor);
      if (known === undefined) this.fromCache.delete(key);
      else this.fromCache.set(key, planned);
      const made =
        known ??
        (await call.span('precompute', 'wasm', () =>
          computeMultiples(this.context.pool, bases.outline, points, plan, { signal, turn }),
        ));
      if (made === undefined) {
        const reason = `a point of ${name} is outside the subgroup of prime order, which multiples need`;
        call.notice('PRECOMPUTE_REDUCED', reason);
        return false;
      }
      const multiples = new HeldMultiples(executor, plan, made, known !== undefined);
      const record = { facts: {}, arrays: { [ARRAY]: made } };
      const saved = known === undefined ? this.context.cache.save(key, this.request.source, record) : Promise.resolve();
      await turn?.();
      let settled: Promise<void> | undefined;
      try {
        ({ settled } = await bases.addMultiples(multiples, points));
      } finally {
        // Bases that are still on their way to a GPU take no multiples that were made for the workers.
        const loaded = executor === 'webgpu' ? settled : undefined;
        this.freed = Promise.all([saved, loaded]).then(() => multiples.free());
      }
      return true;
    } catch (error) {
      const { code, message } = asPippinError(error);
      if (signal.aborted || code === 'ABORTED' || code === 'DISPOSED' || code === 'WORKER_FAILED') throw error;
      // When another device has taken its place, `begin` tries again.
      if (code === 'DEVICE_LOST') this.servedFor.delete(name);
      if (code === 'DEVICE_LOST' && turn !== undefined) return false;
      call.notice('PRECOMPUTE_REDUCED', `no multiples of ${name} (${code}: ${message})`);
      return false;
    }
  }
}

/** The multiples of a record, or a few words on how they differ from the planned ones. */
function fromRecord({ arrays }: CacheRecord, { bases: { outline }, plan, name }: Planned): Uint8Array | string {
  const bytes = (plan.multiples - 1) * outline.kept * preparedPointBytes(outline.curve, outline.group);
  const points = arrays[ARRAY];
  return points?.length === bytes ? points : `the multiples of ${name} have another size`;
}

function describe({ name, executor, plan: { multiples, windowBits, rows } }: Planned): string {
  return `${name}: ${multiples} of each base on ${executor}, ${rows} rows of ${windowBits} bits`;
}

/** What is to get multiples: bases that are loaded together. */
export interface PrecomputeRequest extends WantedMultiples {
  /** What decides the bytes of the prepared points: the protocol and the curve. */
  readonly plan: string;
  /** What the bases were read from. */
  readonly source: LoadedSource;
  readonly vectors: Readonly<Record<string, LoadedBases>>;
}

/** Precomputed multiples of bases, which they get when they are loaded, or later while nothing else is done. */
export interface Precomputation {
  /**
   * Gives the bases the multiples that are in the cache. If the caller wants a number of them, others are made now. The
   * bases must be loaded and their prepared points at hand.
   */
  load(call: BasesCall): Promise<void>;
  /**
   * Begins to make multiples in idle time, if there are none yet for the present executor. It is called after each MSM
   * or proof.
   */
  begin(): void;
  /**
   * Whether the multiples that came from the cache belong to these points, by the names of the vectors. What the cache
   * does not have any more counts as altered.
   */
  cachedAreThoseOf(call: BasesCall, prepared: Readonly<Record<string, PreparedBases>>): Promise<boolean>;
  /** Stops making them, and forgets the ones it has: the bases are about to be loaded anew without any. */
  restart(): Promise<void>;
  /** Stops making them. */
  release(): void;
}

/** Multiples that are in memory until they are freed. */
export class HeldMultiples implements PreparedMultiples {
  private points: Uint8Array | undefined;
  private readonly uses = new PendingWork();

  constructor(
    readonly executor: MsmExecutor,
    readonly plan: MultiplesPlan,
    points: Uint8Array,
    readonly fromCache = false,
  ) {
    this.points = points;
  }

  use<T>(work: (points: Uint8Array | undefined) => Promise<T>): Promise<T> {
    return this.uses.note(work(this.points));
  }

  /** Frees them as soon as nothing uses them. */
  async free(): Promise<void> {
    const { points } = this;
    this.points = undefined;
    await this.uses.ended();
    if (points !== undefined) freeMemory(points);
  }
}
