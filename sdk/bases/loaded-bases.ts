import { joinBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { ownMembers } from '../base/records.js';
import { CURVES } from '../curves/index.js';
import type {
  BasesLoadOptions,
  CompleteMsmBackend,
  ComputedMsm,
  MsmExecutor,
  MultiplyOptions,
  PointsInUse,
  PreparedMultiples,
  ResidentBases,
  Share,
} from './backend.js';
import { runOfBases } from './finishing.js';
import type { ArithmeticFor } from './point-arithmetic.js';
import type { BasesOutline, ExceptionalPoint } from './prepared.js';
import { ResidentCopy } from './resident-copy.js';
import { bytesOfScalars, type ScalarVector } from './scalar-vector.js';

/** The bytes of prepared points. They are kept until `free` is called; after that, `get` restores them. */
export interface HeldPoints extends PointsInUse {
  get(): Promise<Uint8Array>;
  free(): Promise<void>;
}

/** Where MSMs over bases are computed. */
export interface BasesPlace {
  readonly backend: CompleteMsmBackend;
  readonly arithmeticFor: ArithmeticFor;
  /** The share of each worker when the workers compute; equal shares by default. */
  readonly shares?: readonly Share[] | undefined;
  /** Whether results go to callers who cannot verify them, and are checked (`BasesToLoad.checksResults`). */
  readonly checksResults?: boolean | undefined;
}

/** The bases on a backend, and the number of multiplications that use them now. */
interface Copy {
  readonly resident: ResidentCopy<ResidentBases>;
  users: number;
}

/** Prepared points, and the promise that they have been freed. */
class Given {
  tellFreed: () => void = () => undefined;
  readonly freed = new Promise<void>((resolve) => {
    this.tellFreed = resolve;
  });

  constructor(
    readonly outline: BasesOutline,
    readonly points: HeldPoints,
  ) {}
}

/** Prepared bases that are loaded onto a backend. MSMs over them include the exceptional points. */
export class LoadedBases {
  private copy: Copy = { resident: new ResidentCopy(), users: 0 };
  private released = false;
  /** The workers' shares of the trusted copy that is kept; undefined if none is. */
  private kept: { readonly shares: readonly Share[] | undefined } | undefined;
  private given: Given;
  private hasCachedMultiples = false;
  private readonly place: BasesPlace;

  constructor(outline: BasesOutline, points: HeldPoints, place: BasesPlace) {
    this.place = ownMembers(place);
    this.given = new Given(outline, points);
  }

  get outline(): BasesOutline {
    return this.given.outline;
  }

  /** Whether points or multiples that are used now came from the cache. */
  get isFromCache(): boolean {
    return this.outline.fromCache === true || this.hasCachedMultiples;
  }

  /** Fulfilled when `freePoints` has ended: until then the prepared points may go at any time. */
  get pointsFreed(): Promise<void> {
    return this.given.freed;
  }

  /** What computes the next MSM, unless it fails. */
  get executor(): MsmExecutor {
    return this.place.backend.capabilities.executor;
  }

  /** The prepared points, which are restored if they have been freed. */
  preparedPoints(): Promise<Uint8Array> {
    return this.given.points.get();
  }

  /** The share of each worker when the workers compute; undefined for equal shares. */
  get shares(): readonly Share[] | undefined {
    return this.place.shares;
  }

  /**
   * Loads the bases once more, with multiples, and then frees the copy in use until then. If that fails, nothing
   * changes. `settled` is fulfilled when nothing that was begun needs the multiples any more.
   *
   * @param points the prepared points, which are not kept.
   */
  async addMultiples(multiples: PreparedMultiples, points: Uint8Array): Promise<{ readonly settled: Promise<void> }> {
    let held: Uint8Array | undefined = points;
    const source: PointsInUse = {
      use: (work) => (held === undefined ? this.given.points.use(work) : work(held)),
    };
    const resident = await this.replaceCopy(source, multiples, { mustLoad: true });
    const settle = async (): Promise<void> => {
      await resident.settled;
      held = undefined;
    };
    return { settled: settle() };
  }

  /**
   * Loads other points, without multiples, in place of points that turned out to be wrong, and then frees the wrong
   * copy.
   */
  async renew(outline: BasesOutline, points: HeldPoints): Promise<void> {
    this.throwIfReleased();
    this.given = new Given(outline, points);
    await this.replaceCopy(points, undefined, {});
  }

  private async replaceCopy(
    points: PointsInUse,
    multiples: PreparedMultiples | undefined,
    options: Pick<BasesLoadOptions, 'mustLoad'>,
  ): Promise<ResidentBases> {
    this.throwIfReleased();
    const { backend, shares, checksResults } = this.place;
    const bases = { ...this.outline, points, multiples, checksResults };
    const resident = await backend.load(bases, undefined, ownMembers({ ...options, shares }));
    if (this.kept !== undefined) await resident.trustedCopy?.load(this.kept.shares);
    if (this.released) resident.release();
    this.throwIfReleased();
    this.hasCachedMultiples = multiples?.fromCache === true;
    const before = this.copy;
    this.copy = { resident: new ResidentCopy(), users: 0 };
    await this.copy.resident.get(async () => resident);
    if (before.users === 0) before.resident.release();
    return resident;
  }

  /** Copies the bases to the backend that the next multiplication will use. */
  async load(options: Omit<BasesLoadOptions, 'shares'>): Promise<void> {
    await this.onBackend(options);
  }

  /** Frees the prepared points, which must have been loaded and saved, as soon as nothing needs them any more. */
  async freePoints(): Promise<void> {
    const { given } = this;
    try {
      const { settled } = await this.onBackend({});
      await settled;
      await given.points.free();
    } finally {
      given.tellFreed();
    }
  }

  /** sum k_i P_i, with a scalar for every point that the caller gave. */
  async multiply(scalars: ScalarVector, options: MultiplyOptions): Promise<ComputedMsm> {
    const [result] = await this.multiplyBatch(scalars, 1, options);
    return result!;
  }

  /**
   * `batch` multiplications, over the same bases unless the options say otherwise. `RESULT_INVALID` when a result is
   * not on the curve.
   *
   * @param ofExceptional the scalars of which the exceptional points take theirs, if not of the others.
   */
  async multiplyBatch(
    scalars: ScalarVector,
    batch: number,
    given: MultiplyOptions,
    ofExceptional = scalars,
  ): Promise<ComputedMsm[]> {
    const options = ownMembers(given);
    const results = await this.multiplyKept(scalars, batch, options);
    const { exceptional, count } = this.outline;
    if (exceptional.length === 0) return results;
    const all = bytesOfScalars(ofExceptional);
    if (ofExceptional.kind === 'host') await ofExceptional.available?.(all.length);
    if (options.sharedBases === false) {
      return Promise.all(
        results.map((result, i) => {
          const { from, to } = runOfBases(this.outline, batch, i);
          const own = exceptional.filter(({ index }) => index >= from && index < to);
          return own.length === 0 ? result : this.withExceptional(result, own, all, options);
        }),
      );
    }
    const bytes = count * CURVES[this.outline.curve].scalarBytes;
    return Promise.all(
      results.map((result, i) =>
        this.withExceptional(result, exceptional, all.subarray(i * bytes, (i + 1) * bytes), options),
      ),
    );
  }

  /** Loads a copy for `trustedOnly` MSMs, with these shares for the workers, unless the backend has one anyway. */
  async keepTrustedCopy(shares: readonly Share[] | undefined): Promise<void> {
    this.kept = { shares };
    await (await this.onBackend({})).trustedCopy?.load(shares);
  }

  /** Lets that copy go. */
  async freeTrustedCopy(): Promise<void> {
    this.kept = undefined;
    (await this.onBackend({})).trustedCopy?.free();
  }

  /** Frees the memory of the bases. Calling it twice does no harm. */
  release(): void {
    this.released = true;
    this.copy.resident.release();
  }

  /** The bases on the backend; see `ResidentCopy`. */
  private onBackend(options: Omit<BasesLoadOptions, 'shares'>): Promise<ResidentBases> {
    this.throwIfReleased();
    const { backend, shares, checksResults } = this.place;
    const bases = { ...this.outline, points: this.given.points, multiples: undefined, checksResults };
    return this.copy.resident.get(() => backend.load(bases, undefined, ownMembers({ ...options, shares })));
  }

  private async multiplyKept(scalars: ScalarVector, batch: number, options: MultiplyOptions): Promise<ComputedMsm[]> {
    const { copy } = this;
    copy.users++;
    try {
      const resident = await this.onBackend({ observer: options.observer });
      return await this.place.backend.multiplyBatch(resident, scalars, batch, options);
    } finally {
      copy.users--;
      // Bases with multiples have taken its place.
      if (copy !== this.copy && copy.users === 0) copy.resident.release();
    }
  }

  private throwIfReleased(): void {
    if (this.released) throw new PippinError('DISPOSED', 'expected loaded bases, got ones that were disposed');
  }

  /** Adds the exceptional points, each times its scalar, to a result. `scalars` has one for every point. */
  private async withExceptional(
    result: ComputedMsm,
    exceptional: readonly ExceptionalPoint[],
    scalars: Uint8Array,
    { signal }: MultiplyOptions,
  ): Promise<ComputedMsm> {
    const { curve, group } = this.outline;
    const arithmetic = this.place.arithmeticFor(curve, group, signal);
    const { scalarBytes } = CURVES[curve];
    const factors = exceptional.map(({ index }) => scalars.subarray(index * scalarBytes, (index + 1) * scalarBytes));
    const own = joinBytes(factors);
    const summing = arithmetic.combine(joinBytes(exceptional.map(({ point }) => point)), own);
    const share = await summing.finally(() => wipe(own));
    const point = await arithmetic.finish({ kind: 'points', points: [result.point, share] });
    if (point === undefined) {
      throw new PippinError('RESULT_INVALID', `expected a point of ${curve}, got one off the curve`);
    }
    return { ...result, point };
  }
}
