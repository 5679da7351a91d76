import { element, svg } from '../../../groth16-commitment/src/dom.js';
import { duration } from '../../../groth16-commitment/src/format.js';
import type { Drift } from '../drift.js';

/** The picture's own units; it is stretched to its place. */
const WIDTH = 300;
const HEIGHT = 60;

/**
 * The times of proofs that followed each other as a line from zero upwards, with the medians of its thirds below it.
 */
export function drawTimes(times: readonly number[], { early, late }: Drift): (HTMLElement | SVGElement)[] {
  const longest = Math.max(...times);
  const points = times.map((ms, index) => {
    const x = (index / (times.length - 1)) * WIDTH;
    const y = HEIGHT - 1 - (ms / longest) * (HEIGHT - 2);
    return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = svg('path', { d: points.join(''), class: 'times-line' });
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', class: 'times', 'aria-hidden': 'true' },
    line,
  );
  const ends = [`first third: ${duration(early)}`, `last third: ${duration(late)}`];
  const scale = element('p', 'times-ends help', ...ends.map((text) => element('span', '', text)));
  return [picture, scale];
}
