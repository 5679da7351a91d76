import type { Report } from 'pippin-prover';
import { fileSize } from './own/own-files.js';

/** What is known of the memory that a contestant took, and who told it. */
export interface Memory {
  /**
   * `page`: `performance.measureUserAgentSpecificMemory()`, of the page and its workers after the last proof; Chromium
   * leaves WebAssembly's memory and the GPU's out. `prover`: the most bytes that the prover held at once, by its own
   * count (`Report.memory`).
   */
  readonly source: MemorySource;
  readonly bytes: number;
}

export type MemorySource = 'page' | 'prover';

/** Chromium answers at the next garbage collection of page and workers: after 2 to 18 s. */
const PATIENCE_MS = 20_000;

/** What a browser offers to pages that are cross-origin isolated. */
export interface Measurer {
  readonly isIsolated: boolean;
  readonly measure: (() => Promise<{ readonly bytes: number }>) | undefined;
}

/** This page's browser. */
export function thisBrowser(): Measurer {
  const { measureUserAgentSpecificMemory: measure } = performance as Performance & {
    measureUserAgentSpecificMemory?: () => Promise<{ readonly bytes: number }>;
  };
  return { isIsolated: globalThis.crossOriginIsolated === true, measure: measure?.bind(performance) };
}

/**
 * The memory that the browser tells, or else the prover; undefined if neither does. While it is asked, what is measured
 * must still be loaded. Nobody waits for the browser once the run is stopped.
 */
export async function memoryOf(
  report: Pick<Report, 'memory'> | undefined,
  stopped: AbortSignal,
  { isIsolated, measure }: Measurer = thisBrowser(),
  patienceMs = PATIENCE_MS,
): Promise<Memory | undefined> {
  if (isIsolated && measure !== undefined) {
    const bytes = await told(measure, AbortSignal.any([stopped, AbortSignal.timeout(patienceMs)]));
    if (bytes !== undefined) return { source: 'page', bytes };
  }
  if (report?.memory === undefined) return undefined;
  const { workers, gpu } = report.memory;
  return { source: 'prover', bytes: workers + gpu };
}

/** What the page shows of it. */
export function memoryInWords(memory: Memory | undefined): string {
  if (memory === undefined) return 'not told by this browser';
  const size = fileSize(memory.bytes);
  if (memory.source === 'page') return `${size} of the page by the browser’s measure, without WebAssembly’s memory`;
  return `${size} at most held by the prover, by its own count`;
}

/** What the browser tells before `end`. */
function told(measure: () => Promise<{ readonly bytes: number }>, end: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(undefined);
    if (end.aborted) giveUp();
    end.addEventListener('abort', giveUp, { once: true });
    measure().then(({ bytes }) => resolve(bytes), giveUp);
  });
}
