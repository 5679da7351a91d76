import type { MemoryPeaks, Report, WitnessArithmetic } from '../api/index.js';
import type { Executor, Notice, NoticeCode, Phase, ProgressEvent, ProofPart, Span } from '../api/progress.js';
import type { MsmExecutor, MsmObserver } from '../bases/backend.js';
import type { ProofCall } from '../proofs/proof-system.js';
import { CallProgress, PROGRESS_TOTAL, type ProgressPlan } from './call-progress.js';

/** The bytes of a download of unknown length after which it counts as half done. */
const HALF_DONE_BYTES = 2 ** 23;

/** One call of the caller, inside the engine: its signal, its clock, and its events and report. */
export class Call implements ProofCall {
  private readonly controller = new AbortController();
  private readonly began = performance.now();
  private readonly spans: Span[] = [];
  private readonly notices: Notice[] = [];
  private readonly executors: Partial<Record<ProofPart | 'msm', readonly MsmExecutor[]>> = {};
  private readonly progress: CallProgress;
  /** Whose arithmetic computed the call's witness: the last one counts. */
  arithmetic: WitnessArithmetic | undefined;
  private percent: number | undefined;
  private downloaded: ((fraction: number) => void) | undefined;
  /** Fulfilled when the call has ended and what it held is overwritten. */
  readonly ended: Promise<void>;
  /** Says so. */
  readonly end: () => void;

  /**
   * @param plan the phases that it may have.
   * @param memory what the prover has held at most, once it has started.
   */
  constructor(
    private readonly emit: (event: ProgressEvent) => void,
    plan: ProgressPlan = [],
    private readonly memory: () => MemoryPeaks | undefined = () => undefined,
  ) {
    this.progress = new CallProgress(plan, (phase, done) =>
      this.emit({ kind: 'progress', phase, done, total: PROGRESS_TOTAL }),
    );
    let end = (): void => undefined;
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.end = end;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort();
  }

  /** Runs a piece of work and puts it on the timeline, even if it fails. */
  async span<T>(phase: Phase, executor: Executor, work: () => Promise<T>, part?: ProofPart): Promise<T> {
    const start = performance.now() - this.began;
    const begun = { phase, executor, start, ...(part === undefined ? {} : { part }) };
    this.emit({ kind: 'begin', span: begun });
    this.progress.begin(phase);
    try {
      return await work();
    } finally {
      const span: Span = { ...begun, end: performance.now() - this.began };
      this.spans.push(span);
      this.emit({ kind: 'span', span });
      this.progress.end(phase);
    }
  }

  /** Adds work of the given weight to a phase, and returns the function that reports the fraction done. */
  meter(phase: Phase, weight: number): (fraction: number) => void {
    return this.progress.meter(phase, weight);
  }

  /** Reports the progress of the call's downloads: of a known length, in steps of 1%. */
  bytes(done: number, total: number | undefined): void {
    const percent = total && Math.floor((100 * done) / total);
    if (percent && percent === this.percent) return;
    this.percent = percent;
    this.emit({ kind: 'bytes', phase: 'read', done, total });
    this.downloaded ??= this.meter('read', 1);
    this.downloaded(total === undefined ? done / (done + HALF_DONE_BYTES) : done / Math.max(1, total));
  }

  /** Tells that all of its work is done. */
  finish(): void {
    this.progress.finish();
  }

  /** An observer that reports an MSM's work under a part. */
  observer(part?: ProofPart): MsmObserver {
    return {
      span: (phase, executor, work) => this.span(phase, executor, work, part),
      notice: (code, message) => this.notice(code, message),
    };
  }

  /** Notes what computed a part. The last call counts, so that the report names the backend that repeated the work. */
  computedBy(part: ProofPart | 'msm', executors: readonly MsmExecutor[]): void {
    this.executors[part] = executors;
  }

  commitment(...[name, point]: Parameters<ProofCall['commitment']>): void {
    this.emit({ kind: 'commitment', name, point });
  }

  notice(code: NoticeCode, message: string): void {
    const notice: Notice = { code, message };
    this.notices.push(notice);
    this.emit({ kind: 'notice', notice });
  }

  report(cached?: boolean): Report {
    const timeline = [...this.spans].sort((a, b) => a.start - b.start);
    const bounds = new Map<string, { start: number; end: number }>();
    for (const span of timeline) {
      const name = span.part === undefined ? span.phase : `${span.phase} ${span.part}`;
      const known = bounds.get(name);
      if (known === undefined) bounds.set(name, { start: span.start, end: span.end });
      else known.end = Math.max(known.end, span.end);
    }
    const times = [...bounds].map(([name, { start, end }]) => [name, end - start] as const);
    const ms = { ...Object.fromEntries(times), total: performance.now() - this.began };
    const parts = Object.entries(this.executors);
    const memory = this.memory();
    return {
      backend: parts.some(([, executors]) => executors.includes('webgpu')) ? 'webgpu' : 'wasm',
      parts: Object.fromEntries(parts.map(([part, executors]) => [part, executors[0]!])),
      executors: { ...this.executors },
      ms,
      timeline,
      ...(memory === undefined ? {} : { memory }),
      notices: this.notices,
      ...(cached === undefined ? {} : { cached }),
      ...(this.arithmetic === undefined ? {} : { arithmetic: this.arithmetic }),
    };
  }
}
