import type { Phase } from '../../api/progress.js';

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

/** More is not shown until the step has ended: something may follow that no progress is told of. */
const MOST_FRACTION = 0.99;

/**
 * One line, a column shorter than the terminal, because some wrap a full one: bar, percentage, step, phase, time. What does not fit is left out:
 * the bar first, then the time, the phase, and the end of the rest.
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
