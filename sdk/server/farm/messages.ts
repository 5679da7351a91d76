import type { JobError } from '../queue/types.js';
import type { WorkerEvent } from '../worker/worker-event.js';
import type { WorkerOptions } from '../worker/worker-options.js';

/** What a farm tells the process of a worker, over their channel. The keys go this way, too: arguments and environment are seen by others. */
export type ToWorker =
  | { readonly kind: 'start'; readonly options: Omit<WorkerOptions, 'onEvent'> }
  | { readonly kind: 'drain'; readonly ms: number };

/** What the process of a worker tells its farm. */
export type FromWorker =
  | { readonly kind: 'started' }
  | { readonly kind: 'not-started'; readonly error: JobError }
  | { readonly kind: 'event'; readonly event: WorkerEvent };
