import type { ProgressEvent } from '../../api/progress.js';
import type { JobProgress } from '../queue/job-data.js';

/** The part of a job's progress that loading its key takes, if it is loaded for this job. */
const LOAD_SHARE = 0.5;

/**
 * Makes one progress of a job, from 0 to 1, of what the engine tells while it loads and while it proves. It never
 * falls: another try tells nothing until it is further than the one before it was.
 */
export class ProgressOfJob {
  private begin = 0;

  /**
   * @param reached how far an earlier try has come.
   * @param tell takes what there is to tell.
   */
  constructor(
    private reached: number,
    private readonly tell: (progress: JobProgress) => void,
  ) {}

  /** The key is loaded for this job. */
  onLoad(): void {
    this.begin = LOAD_SHARE;
    this.moveTo(0, 'load');
  }

  onLoadProgress(event: ProgressEvent): void {
    if (event.kind === 'progress') this.moveTo(LOAD_SHARE * doneOf(event), 'load');
  }

  onProveProgress(event: ProgressEvent): void {
    if (event.kind === 'progress') this.moveTo(this.begin + (1 - this.begin) * doneOf(event), event.phase);
  }

  private moveTo(progress: number, phase: string): void {
    this.reached = Math.max(this.reached, Math.round(progress * 1000) / 1000);
    this.tell({ progress: this.reached, phase });
  }
}

function doneOf({ done, total }: Extract<ProgressEvent, { kind: 'progress' }>): number {
  return total === 0 ? 0 : done / total;
}
