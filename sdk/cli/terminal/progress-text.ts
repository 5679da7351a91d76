import type { Phase } from '../../progress.js';

/** What the phases do, in words for a person. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  read: 'reading',
  hash: 'hashing the file',
  'cache-read': 'reading the cache',
  prepare: 'preparing the points',
  precompute: 'making multiples',
  upload: 'moving the points to the GPU',
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

/**
 * One line, a column shorter than the terminal, because some wrap a full one. What does not fit is left out, in this order: the bar, the time,
 * the detail, and the end of what is left.
 */
export function progressText({ step, phase, fraction, ms }: Progress, style: ProgressStyle): string {
  const room = style.columns - 1;
  const percent = fraction === undefined ? '' : ` ${String(Math.floor(100 * fraction)).padStart(3)} %`;
  const detail = phase === undefined ? '' : `  ${phase}`;
  const time = ms < TIMED_AFTER_MS ? '' : `  ${Math.floor(ms / 1000)} s`;
  const essential = `${step}${percent}`;
  const left = room - essential.length;
  if (left < detail.length) return essential.slice(0, Math.max(0, room));
  if (left < detail.length + time.length) return `${essential}${style.paint('dim', detail)}`;
  const rest = style.paint('dim', `${detail}${time}`);
  const cells = Math.min(BAR.most, left - detail.length - time.length - 1);
  if (fraction === undefined || cells < BAR.least) return `${essential}${rest}`;
  return `${step} ${bar(fraction, cells, style)}${percent}${rest}`;
}

function bar(fraction: number, cells: number, { unicode, paint }: ProgressStyle): string {
  const done = Math.floor(fraction * cells);
  const [full, empty] = unicode ? ['━', '╌'] : ['#', '-'];
  return `${paint('cyan', full.repeat(done))}${paint('dim', empty.repeat(cells - done))}`;
}
