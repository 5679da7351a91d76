import type { ProgressEvent, ProgressListener } from '../../api/progress.js';
import type { Logger } from './api.js';

/** Options that log what the prover's calls do. */
export interface PhaseLog {
  readonly onProgress?: ProgressListener;
}

/** Logs each phase of a call once, when its first piece of work has finished. */
export function phaseLog(logger: Logger | undefined): PhaseLog {
  if (logger === undefined || logger === null) return {};
  const told = new Set<string>();
  return {
    onProgress(event: ProgressEvent) {
      if (event.kind !== 'span') return;
      const { phase, part } = event.span;
      const line = part === undefined ? phase : `${phase} ${part}`;
      if (told.has(line)) return;
      told.add(line);
      logger.debug?.(line);
    },
  };
}
