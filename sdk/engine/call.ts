import type { Report } from '../api.js';
import type { MsmExecutor, MsmObserver } from '../msm/backend.js';
import type { Executor, Notice, NoticeCode, Phase, ProgressEvent, ProofPart, Span } from '../progress.js';
import type { ProofCall } from '../proofs/proof-system.js';

/** How much a piece of work counts in a call's progress, and the fraction of it that is done. */
interface Meter {
  readonly weight: number;
  fraction: number;
}

/** One call of the caller, inside the engine: its signal, its clock, and its events and report. */
export class Call implements ProofCall {
  private readonly controller = new AbortController();
  private readonly began = performance.now();
  private readonly spans: Span[] = [];
  private readonly notices: Notice[] = [];
  private readonly executors: Partial<Record<ProofPart | 'msm', readonly MsmExecutor[]>> = {};
  private meters: Meter[] = [];
  private shown = 0;
  /** Fulfilled when the call has ended and what it held is overwritten. */
  readonly ended: Promise<void>;
  /** Says so. */
  readonly end: () => void;

  constructor(private readonly emit: (event: ProgressEvent) => void) {
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
    try {
      return await work();
    } finally {
      const end = performance.now() - this.began;
      const span: Span = { phase, executor, start, end, ...(part === undefined ? {} : { part }) };
      this.spans.push(span);
      this.emit({ kind: 'span', span });
    }
  }

  /**
   * Adds work of the given weight to the call's progress, and returns the function by which to report the fraction that is done. All meters
   * of a call should be made before the first one moves, since each adds to the total.
   */
  meter(phase: Phase, weight: number): (fraction: number) => void {
    const meter: Meter = { weight, fraction: 0 };
    this.meters.push(meter);
    return (fraction) => {
      meter.fraction = Math.max(meter.fraction, Math.min(1, fraction));
      const total = this.meters.reduce((sum, m) => sum + m.weight, 0);
      const done = this.meters.reduce((sum, m) => sum + m.weight * m.fraction, 0);
      this.shown = Math.max(this.shown, done);
      this.emit({ kind: 'progress', phase, done: this.shown, total });
    };
  }

  /** Tells how much of what the call downloads has come. */
  bytes(done: number, total: number | undefined): void {
    this.emit({ kind: 'bytes', phase: 'read', done, total });
  }

  /** An observer that reports a multiplication's work as that of a part. */
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

  commitment(name: 'A' | 'B' | 'C', point: readonly (string | readonly string[])[]): void {
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
    const ms: Record<string, number> = {};
    for (const [name, { start, end }] of bounds) ms[name] = end - start;
    ms.total = performance.now() - this.began;
    const parts = Object.entries(this.executors);
    return {
      backend: parts.some(([, executors]) => executors.includes('webgpu')) ? 'webgpu' : 'wasm',
      parts: Object.fromEntries(parts.map(([part, executors]) => [part, executors[0]!])),
      executors: { ...this.executors },
      ms,
      timeline,
      notices: this.notices,
      ...(cached === undefined ? {} : { cached }),
    };
  }
}
