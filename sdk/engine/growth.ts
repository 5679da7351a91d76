import { untilAborted } from '../base/abort.js';
import { equalBytes } from '../base/bytes.js';
import { asPippinError } from '../base/errors.js';
import { freeMemory } from '../base/free-memory.js';
import type { MsmExecutor } from '../bases/backend.js';
import { HeldMultiples } from '../bases/held-multiples.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { MultiplesPlan } from '../bases/multiples.js';
import { type PreparedBases, preparedPointBytes } from '../bases/prepared.js';
import { computeMultiples } from '../executors/workers/pool/multiples.js';
import type { CacheRecord } from '../files/cache/prepared-cache.js';
import type { Growth, GrowthRequest, ProofCall } from '../proofs/proof-system.js';
import type { Backends } from './backends.js';
import type { BasesCache } from './bases-cache.js';
import type { IdleTime } from './idle-time.js';
import { planMultiples } from './plan-multiples.js';

/** The name of the only array of a record. */
const ARRAY = 'multiples';

/** Sums over fewer points take about a millisecond, and `auto` leaves them alone. */
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
  readonly call: ProofCall;
  readonly signal: AbortSignal;
  /** Whether those that are not in the cache are made. */
  readonly makes: boolean;
  readonly turn?: (() => Promise<void>) | undefined;
}

/** Gives bases multiples, for one caller. */
export class GrowingBases implements Growth {
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
    private readonly backends: Backends,
    private readonly cache: BasesCache,
    private readonly idle: IdleTime,
    private readonly backgroundCall: () => ProofCall,
    private readonly request: GrowthRequest,
    private readonly onRelease: () => void,
  ) {}

  async load(call: ProofCall): Promise<void> {
    const makes = this.request.precompute !== 'auto';
    await this.serve({ call, signal: call.signal, makes });
  }

  begin(): void {
    const { signal } = this.stopping;
    if (this.running !== undefined || signal.aborted || this.unserved().length === 0) return;
    const call = this.backgroundCall();
    const turn = () => untilAborted(this.idle.turn(), signal);
    this.running = this.serve({ call, signal, makes: true, turn })
      .then((given) => {
        if (given.length > 0) call.notice('PRECOMPUTED', `sums use multiples now: ${given.join('; ')}`);
      })
      // Released, or no worker is left, which the next call tells.
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

  async cachedAreThoseOf(call: ProofCall, prepared: Readonly<Record<string, PreparedBases>>): Promise<boolean> {
    const { signal } = call;
    for (const [key, planned] of this.fromCache) {
      const { points, ...outline } = prepared[planned.name]!;
      const cached = await this.cache.load(call, key, this.request.source, async (record) =>
        fromRecord(record, planned),
      );
      const made = cached && (await computeMultiples(this.backends.pool, outline, points, planned.plan, { signal }));
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

  /** The vectors without multiples for what computes their sums now. */
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
    // One vector after another, so that the multiples of only one are in memory: they stay there until the cache has them.
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
      const { plan, fits, executor } = await planMultiples(this.backends, bases, together, wanted, signal);
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
      // In the background the points that were given at first may go meanwhile; later ones are made anew, and nobody else frees them.
      if (turn !== undefined) await untilAborted(bases.pointsFreed, signal);
      const points = await bases.preparedPoints();
      const key = `multiples/${this.request.plan}/${name}/${plan.windowBits}x${plan.rows}x${plan.multiples}`;
      const known = await this.cache.load(call, key, this.request.source, async (record) =>
        fromRecord(record, planned),
      );
      if (known === undefined && !manner.makes) return false;
      this.servedFor.set(name, executor);
      if (known === undefined) this.fromCache.delete(key);
      else this.fromCache.set(key, planned);
      const made =
        known ??
        (await call.span('precompute', 'wasm', () =>
          computeMultiples(this.backends.pool, bases.outline, points, plan, { signal, turn }),
        ));
      if (made === undefined) {
        const reason = `a point of ${name} is outside the subgroup of prime order, which multiples need`;
        call.notice('PRECOMPUTE_REDUCED', reason);
        return false;
      }
      const multiples = new HeldMultiples(executor, plan, made, known !== undefined);
      const record = { facts: {}, arrays: { [ARRAY]: made } };
      const saved = known === undefined ? this.cache.save(key, this.request.source, record) : Promise.resolve();
      await turn?.();
      let settled: Promise<void> | undefined;
      try {
        ({ settled } = await bases.grow(multiples, points));
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

/** The multiples of a record, or a few words on why they are not those that were planned. */
function fromRecord({ arrays }: CacheRecord, { bases: { outline }, plan, name }: Planned): Uint8Array | string {
  const bytes = (plan.multiples - 1) * outline.kept * preparedPointBytes(outline.curve, outline.group);
  const points = arrays[ARRAY];
  return points?.length === bytes ? points : `the multiples of ${name} have another size`;
}

function describe({ name, executor, plan: { multiples, windowBits, rows } }: Planned): string {
  return `${name}: ${multiples} of each base on ${executor}, ${rows} rows of ${windowBits} bits`;
}
