import { element } from '../../../groth16-commitment/src/dom.js';
import { contestant } from '../contestants.js';
import { laterMs, type Result, type Run, visitMs } from '../results.js';
import { SIZES, sizeName } from '../sizes.js';
import { verdict } from '../verdict.js';
import { drawBars } from './bars.js';

/** Which time the bars show: a later proof, or all that a first visit waits for. */
export type Shown = 'later' | 'visit';

/** One section for each size that was measured or left out: what it costs in words, a bar for each contestant, and what was left out. */
export function drawSizes({ results, skipped }: Pick<Run, 'results' | 'skipped'>, shown: Shown): HTMLElement[] {
  return SIZES.flatMap(({ log, like }) => {
    const measured = results.filter((result) => result.log === log);
    const left = skipped.filter((one) => one.log === log);
    if (measured.length === 0 && left.length === 0) return [];
    const constraints = measured[0]?.constraints.toLocaleString('en');
    const title = element('h3', '', `${sizeName(log)} constraints`);
    const about = element('p', 'help', `${constraints === undefined ? 'As' : `${constraints}, as`} many as ${like}`);
    const section = element('section', 'size', element('div', 'size-head', title, about));
    const fastest = fastestOf(measured, shown);
    if (fastest !== undefined) {
      section.append(
        element('p', 'verdict', verdict(timeOf(fastest, shown), shown === 'later' ? 'a proof' : 'until a first proof')),
      );
      section.append(drawBars(measured.map((result) => barOf(result, shown, result === fastest))));
    }
    for (const { contestant: id, reason } of left) {
      const who = id === undefined ? 'Not tried' : `${contestant(id).name} left out`;
      section.append(element('p', 'help', `${who}: ${reason}.`));
    }
    return [section];
  });
}

function barOf(result: Result, shown: Shown, emphasis: boolean) {
  const { name } = contestant(result.contestant);
  return { name, note: result.executor, ms: timeOf(result, shown), emphasis };
}

export function timeOf(result: Result, shown: Shown): number {
  return shown === 'later' ? laterMs(result) : visitMs(result);
}

/** The fastest of Pippin's results; undefined if there are none. */
export function fastestOf(results: readonly Result[], shown: Shown): Result | undefined {
  const ours = results.filter(({ contestant: id }) => id !== 'snarkjs');
  return ours.sort((a, b) => timeOf(a, shown) - timeOf(b, shown))[0];
}
