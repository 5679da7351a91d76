import type { CallOptions } from '../../api/index.js';
import type { ProgressEvent } from '../../api/progress.js';
import { PHASE_WORDS, type Progress, type ProgressStyle, progressText } from './progress-text.js';
import { columnsOf, hasUnicode, isLively, painter } from './style.js';

/** The line is written anew at most so often, and at least so often while its time runs. */
const REDRAW_MS = 100;

/** What is done sooner gets no line, which would only flicker. */
const FIRST_AFTER_MS = 150;

const CLEAR = '\r\u001b[K';

/** A terminal to write to. */
export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/** The last line of a terminal, which tells how far the command is; elsewhere nothing. It is cleared before anything else is written. */
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

  /** Removes the line, which comes back with the next progress. Whatever else is written to the terminal comes after this. */
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
