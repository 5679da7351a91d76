import { element } from '../../../groth16-commitment/src/dom.js';
import { duration } from '../../../groth16-commitment/src/format.js';

/** A bar with its name and its time in milliseconds. */
export interface Bar {
  readonly name: string;
  /** A second line. */
  readonly note?: string;
  readonly ms: number;
  /** Whether it is drawn in the page's own colour. */
  readonly emphasis: boolean;
}

/** A list of bars, the longest of which fills its row. */
export function drawBars(bars: readonly Bar[]): HTMLDListElement {
  const longest = Math.max(...bars.map(({ ms }) => ms));
  const rows = bars.flatMap(({ name, note, ms, emphasis }) => {
    const bar = element('span', 'start-bar');
    bar.style.setProperty('--share', String(ms / longest));
    const term = element('dt', '', name);
    if (note !== undefined) term.append(element('small', 'help', note));
    return [term, element('dd', emphasis ? 'now' : '', bar, element('span', 'start-ms', duration(ms)))];
  });
  return element('dl', 'starts bars', ...rows);
}
