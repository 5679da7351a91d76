import type { ProgressEvent } from '../../progress.js';
import type { HeldJob } from './held-job.js';

/** The part of a job's progress that loading its key takes, if it is loaded for this job. */
const LOAD_SHARE = 0.5;

/** Makes a job's progress, from 0 to 1, of what the engine tells. */
export class ProgressOfJob {
  private begin = 0;

  constructor(private readonly job: HeldJob) {}

  loading(): void {
    this.begin = LOAD_SHARE;
    this.job.tell({ progress: 0, phase: 'load' });
  }

  on(event: ProgressEvent): void {
    if (event.kind !== 'progress') return;
    const done = event.total === 0 ? 0 : event.done / event.total;
    const progress = this.begin + (1 - this.begin) * done;
    this.job.tell({ progress: Math.round(progress * 1000) / 1000, phase: event.phase });
  }
}
