import type { CallOptions } from '../../api/index.js';
import type { Phase, ProgressEvent } from '../../api/progress.js';
import { columnsOf, hasUnicode, isLively, painter } from './style.js';

/** The line is written anew at most so often, and at least so often while its time runs. */
const REDRAW_MS = 100;

/** What is done sooner gets no line, which would only flicker. */
const FIRST_AFTER_MS = 150;

const CLEAR = '\r\u001b[K';

/** A terminal to write to. */
export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/**
 * The last line of a terminal, which tells how far the command is; elsewhere nothing. It is cleared before anything
 * else is written.
 */
export class StatusLine {
  private readonly isOn: boolean;
  private readonly style: Omit<ProgressStyle, 'columns'>;
  private current: Omit<Progress, 'ms'> | undefined;
  private began = 0;
  private drawn = 0;
  /** What the line shows; empty if it shows nothing. */
  private shown = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param isQuiet whether to show nothing, on a terminal either. */
  constructor(
    private readonly terminal: Terminal,
    isQuiet: boolean,
  ) {
    this.isOn = !isQuiet && isLively(terminal);
    this.style = { unicode: hasUnicode(), paint: painter(terminal) };
  }

  /** Begins a step, such as "loading the key", and gives the listener of the call that does it. */
  step(step: string): NonNullable<CallOptions['onProgress']> {
    if (!this.isOn) return () => undefined;
    this.current = { step };
    this.began = performance.now();
    this.drawn = this.began + FIRST_AFTER_MS - REDRAW_MS;
    this.timer ??= setInterval(() => this.draw(), REDRAW_MS).unref();
    const own = this.current;
    return (event) => {
      // An earlier step's events may come late.
      if (this.current?.step === own.step) this.show(event);
    };
  }

  /** Ends all steps. */
  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.current = undefined;
    this.clear();
  }

  /**
   * Removes the line, which comes back with the next progress. Whatever else is written to the terminal comes after
   * this.
   */
  clear(): void {
    if (this.shown !== '') this.terminal.write(CLEAR);
    this.shown = '';
  }

  private show(event: ProgressEvent): void {
    if (event.kind !== 'progress' || this.current === undefined) return;
    const { phase, done, total } = event;
    this.current = {
      step: this.current.step,
      phase: PHASE_WORDS[phase],
      fraction: total > 0 ? done / total : undefined,
    };
    this.draw();
  }

  private draw(): void {
    const now = performance.now();
    if (this.current === undefined || now - this.drawn < REDRAW_MS) return;
    this.drawn = now;
    const columns = columnsOf(this.terminal) ?? 0;
    const text = progressText({ ...this.current, ms: now - this.began }, { ...this.style, columns });
    if (text === this.shown) return;
    this.shown = text;
    this.terminal.write(`${CLEAR}${text}`);
  }
}

/** What the phases do, in words for a person. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  read: 'reading',
  hash: 'hashing the file',
  'cache-read': 'reading the cache',
  prepare: 'preparing the points',
  precompute: 'making multiples',
  upload: 'moving the points to the GPU',
  distribute: 'moving the points to the workers',
  witness: 'running the circuit',
  constraints: 'evaluating the constraints',
  transform: 'transforming polynomials',
  msm: 'adding up points',
  combine: 'putting the result together',
  verify: 'verifying the proof',
  tune: 'measuring',
};

/** How far a command is. */
export interface Progress {
  /** What is being done, such as "loading the key". */
  readonly step: string;
  /** In detail. */
  readonly phase?: string | undefined;
  /** From 0 to 1; undefined where it is not known. */
  readonly fraction?: number | undefined;
  /** How long the step has taken. */
  readonly ms: number;
}

export interface ProgressStyle {
  /** Columns of the terminal. */
  readonly columns: number;
  readonly unicode: boolean;
  readonly paint: (format: 'cyan' | 'dim', text: string) => string;
}

const BAR = { most: 24, least: 8 } as const;

/** Until a step has taken so long its time is not worth a look. */
const TIMED_AFTER_MS = 1000;

/** What the time takes, up to 99 seconds. */
const TIME_ROOM = '  99 s'.length;

/** More is not shown until the step has ended: something without progress may follow. */
const MOST_FRACTION = 0.99;

/**
 * One line, a column shorter than the terminal, because some wrap a full one: bar, percentage, step, phase, time. What
 * does not fit is left out: the bar first, then the time, the phase, and the end of the rest.
 */
export function progressText({ step, phase, fraction, ms }: Progress, style: ProgressStyle): string {
  const room = Math.max(0, style.columns - 1);
  const shown = fraction === undefined ? undefined : Math.min(fraction, MOST_FRACTION);
  const percent = shown === undefined ? '' : `${String(Math.floor(100 * shown)).padStart(3)} %  `;
  const detail = phase === undefined ? '' : `: ${phase}`;
  const time = ms < TIMED_AFTER_MS ? '' : `  ${Math.floor(ms / 1000)} s`;
  const essential = `${percent}${step}`;
  const left = room - essential.length;
  if (left < detail.length) return essential.slice(0, room);
  if (left < detail.length + time.length) return `${essential}${detail}`;
  const words = `${essential}${detail}${style.paint('dim', time)}`;
  // The bar keeps its length when the time appears.
  const cells = Math.min(BAR.most, left - detail.length - Math.max(time.length, TIME_ROOM) - 1);
  return shown === undefined || cells < BAR.least ? words : `${bar(shown, cells, style)} ${words}`;
}

function bar(fraction: number, cells: number, { unicode, paint }: ProgressStyle): string {
  const done = Math.floor(fraction * cells);
  const [full, empty] = unicode ? ['━', '╌'] : ['#', '-'];
  return `${paint('cyan', full.repeat(done))}${paint('dim', empty.repeat(cells - done))}`;
}
