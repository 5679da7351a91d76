import { withTimeout } from '../../../base/abort.js';
import { asPippinError, PippinError } from '../../../base/errors.js';
import type { CurveId } from '../../../curves/index.js';
import { POINT_METHODS } from '../kernel/point-methods.js';
import type { ModulePart } from '../kernel/wasm-module.js';
import { type PoolWorker, START_MS } from './pool-worker.js';

/** Gives a compiled module of a curve. It is asked for all but the points when they are first needed. */
export type CompilePart = (part: ModulePart) => Promise<WebAssembly.Module>;

/** The parts whose modules methods take as an argument. */
export type ArgumentPart = Exclude<ModulePart, 'points' | 'scalars'>;

interface OpenKernel {
  readonly compile: CompilePart;
  /** Modules that methods take as an argument. */
  readonly given: Map<ArgumentPart, Promise<WebAssembly.Module>>;
  /** The modules as soon as they are known. */
  points: WebAssembly.Module | undefined;
  scalars: WebAssembly.Module | undefined;
  /** Fulfilled when all workers have opened the points. */
  openPoints: Promise<void>;
  /** The same of both modules; undefined before anything needs the scalars. */
  openWhole: Promise<void> | undefined;
  isWhole: boolean;
}

/**
 * The kernels that a pool's workers have open, curve by curve: for points at first, and for scalars when they are
 * needed.
 */
export class OpenKernels {
  private readonly curves = new Map<CurveId, OpenKernel>();

  /** @param workers the pool's living workers; throws if there are none. */
  constructor(private readonly workers: () => readonly PoolWorker[]) {}

  /** Opens a curve's kernel for its points. After a failure the next call tries again. */
  async open(curve: CurveId, compile: CompilePart): Promise<void> {
    this.workers();
    let kernel = this.curves.get(curve);
    if (kernel === undefined) {
      kernel = {
        compile,
        given: new Map(),
        points: undefined,
        scalars: undefined,
        openPoints: Promise.resolve(),
        openWhole: undefined,
        isWhole: false,
      };
      this.curves.set(curve, kernel);
      kernel.openPoints = this.openPoints(curve, kernel);
      kernel.openPoints.catch(() => this.curves.delete(curve));
    }
    await kernel.openPoints;
  }

  /** Opens a kernel for scalars, too, for whose points `open` was called. After a failure the next call tries again. */
  async openScalars(curve: CurveId): Promise<void> {
    const kernel = this.kernel(curve);
    if (kernel.openWhole === undefined) {
      kernel.openWhole = this.openWhole(curve, kernel);
      kernel.openWhole.catch(() => {
        kernel.openWhole = undefined;
      });
    }
    await kernel.openWhole;
  }

  /**
   * A module that methods take as an argument, of a curve for which `open` was called. It is compiled once; after a
   * failure the next call tries again.
   */
  module(curve: CurveId, part: ArgumentPart): Promise<WebAssembly.Module> {
    const { compile, given } = this.kernel(curve);
    let module = given.get(part);
    if (module === undefined) {
      module = compile(part);
      module.catch(() => given.delete(part));
      given.set(part, module);
    }
    return module;
  }

  /** Whether a method can be called without `openScalars`. Of a curve that is not open the workers tell that. */
  isOpenFor(curve: CurveId, method: string): boolean {
    return POINT_METHODS.has(method) || (this.curves.get(curve)?.isWhole ?? true);
  }

  /**
   * Opens the kernels known by now on a worker that replaces another. A failure is reported by the jobs that need the
   * kernel.
   */
  openOnFresh({ host, heartbeat }: PoolWorker): void {
    for (const [curve, { points, scalars }] of this.curves) {
      if (points !== undefined) heartbeat.until(host.open(curve, points)).catch(() => undefined);
      if (scalars !== undefined) host.openScalars(curve, scalars).catch(() => undefined);
    }
  }

  private kernel(curve: CurveId): OpenKernel {
    const kernel = this.curves.get(curve);
    if (kernel === undefined) throw new PippinError('INTERNAL', `expected the kernels of ${curve} to be open`);
    return kernel;
  }

  private async openPoints(curve: CurveId, kernel: OpenKernel): Promise<void> {
    const module = await kernel.compile('points');
    const workers = this.workers();
    kernel.points = module;
    await openOn(workers, ({ host, heartbeat }) => heartbeat.until(host.open(curve, module)));
  }

  private async openWhole(curve: CurveId, kernel: OpenKernel): Promise<void> {
    const module = await kernel.compile('scalars');
    await kernel.openPoints;
    const workers = this.workers();
    kernel.scalars = module;
    await openOn(workers, (worker) => openScalarsOn(worker, curve, module));
    kernel.isWhole = true;
  }
}

/** Waits until each of the workers has opened something. Rejects when one has died. */
async function openOn(workers: readonly PoolWorker[], open: (worker: PoolWorker) => Promise<void>): Promise<void> {
  await Promise.all(workers.map((worker) => Promise.race([open(worker), worker.death])));
}

/**
 * A worker may be computing meanwhile, or its script for the scalars may be on its way over a slow network: its silence
 * means nothing until `START_MS` have passed. Then it is replaced.
 */
async function openScalarsOn(
  { host, death, replace }: PoolWorker,
  curve: CurveId,
  module: WebAssembly.Module,
): Promise<void> {
  const opened = Promise.race([host.openScalars(curve, module), death]);
  try {
    await withTimeout(START_MS, 'a kernel worker', () => opened.catch(() => undefined));
  } catch (error) {
    replace(asPippinError(error, 'WORKER_FAILED', 'expected a kernel worker to open the scalars'));
  }
  await opened;
}
