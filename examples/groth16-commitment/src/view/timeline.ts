import type { Executor, Span } from 'pippin-prover';
import { element } from '../dom.js';
import { duration } from '../format.js';
import { EXECUTORS, spanName } from '../phases.js';

const LANES: readonly Executor[] = ['webgpu', 'wasm', 'host'];
const TICKS = 4;
const STEPS = [1, 2, 5];

/** The rows of bars of one executor, as many as it has pieces of work at the same time. */
interface Lane {
  readonly body: HTMLElement;
  /** End of the last bar in each row. */
  readonly ends: number[];
}

/**
 * Shows what worked when: rows for the GPU, for the workers and for the coordinator. A bar appears when its work has ended; the scale grows
 * with the time that has passed. The bars' positions are custom properties in milliseconds, which the style sheet divides by the scale's
 * `--span`.
 */
export class Timeline {
  private readonly lanes: Readonly<Record<Executor, Lane>>;
  private readonly axis = element('div', 'axis');
  private end = 0;
  private step = 0;

  constructor(
    private readonly parent: HTMLElement,
    private readonly table: HTMLTableSectionElement,
  ) {
    const lane = (executor: Executor): Lane => {
      const body = element('ul', 'lane-body');
      const name = element('h4', 'lane-name', EXECUTORS[executor]);
      parent.append(element('div', `lane lane-${executor}`, name, body));
      return { body, ends: [] };
    };
    this.lanes = Object.fromEntries(LANES.map((executor) => [executor, lane(executor)])) as Record<Executor, Lane>;
    this.axis.setAttribute('aria-hidden', 'true');
    parent.append(this.axis);
    this.clear();
  }

  clear(): void {
    for (const { body, ends } of Object.values(this.lanes)) {
      body.replaceChildren();
      body.style.setProperty('--rows', '1');
      ends.length = 0;
    }
    this.table.replaceChildren();
    this.end = 0;
    this.step = 0;
    this.advance(1);
  }

  /** Extends the scale to this time, if it ends before. */
  advance(ms: number): void {
    if (ms <= this.end) return;
    this.end = ms;
    this.parent.style.setProperty('--span', ms.toFixed(2));
    this.drawAxis();
  }

  add(span: Span): void {
    this.advance(span.end);
    const { body, ends } = this.lanes[span.executor];
    let row = ends.findIndex((end) => end <= span.start);
    if (row < 0) row = ends.push(0) - 1;
    ends[row] = span.end;
    body.style.setProperty('--rows', String(ends.length));

    const took = duration(span.end - span.start);
    const names = [element('span', 'bar-name', spanName(span)), element('span', 'bar-part', span.part ?? '')];
    const bar = element('li', `bar phase-${span.phase}`, ...names);
    bar.title = `${spanName(span)}: ${took}`;
    bar.style.setProperty('--start', span.start.toFixed(2));
    bar.style.setProperty('--end', span.end.toFixed(2));
    bar.style.setProperty('--row', String(row));
    body.append(bar);

    const cells = [spanName(span), EXECUTORS[span.executor], duration(span.start), took];
    this.table.append(element('tr', '', ...cells.map((text) => element('td', '', text))));
  }

  /** Ticks at round times; drawn again only when their distance changes. */
  private drawAxis(): void {
    const step = roundStep(this.end / TICKS);
    const count = Math.floor(this.end / step);
    if (step === this.step && count === this.axis.childElementCount) return;
    this.step = step;
    const ticks = Array.from({ length: count }, (_, index) => {
      const tick = element('span', 'axis-tick', axisLabel((index + 1) * step));
      tick.style.setProperty('--start', String((index + 1) * step));
      return tick;
    });
    this.axis.replaceChildren(...ticks);
  }
}

/** A round time without trailing zeros: `500 ms`, `1.5 s`. */
function axisLabel(ms: number): string {
  return ms < 1000 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms / 1000).toPrecision(3))} s`;
}

/** The smallest of 1, 2, 5, 10, 20 ... that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}
