import type { PippinErrorCode } from '../../base/errors.js';
import { WORKERS_DIED } from '../queue/job-data.js';
import type { JobError } from '../queue/types.js';

/** Errors of a proof that are the machine's: another try, on this machine or another one, may go well. All others are those of the input. */
const MACHINE_FAULTS: ReadonlySet<PippinErrorCode> = new Set([
  'DEVICE_LOST',
  'DISPOSED',
  'INTERNAL',
  'INTERRUPTED',
  'IO_FAILED',
  'OUT_OF_MEMORY',
  'QUEUE_UNAVAILABLE',
  'RESULT_INVALID',
  'UNSUPPORTED_ENVIRONMENT',
  'WEBGPU_UNAVAILABLE',
  'WORKER_FAILED',
]);

/** Faults after which the prover that had one is given up for a new one. */
const FAULTS_OF_PROVERS: ReadonlySet<PippinErrorCode> = new Set([
  'DEVICE_LOST',
  'DISPOSED',
  'INTERNAL',
  // WebAssembly memory never shrinks: only a new prover gives it back.
  'OUT_OF_MEMORY',
  'WEBGPU_UNAVAILABLE',
  'WORKER_FAILED',
]);

/** Whether a job that failed so is tried again. */
export function isMachineFault({ code }: JobError): boolean {
  return MACHINE_FAULTS.has(code);
}

/**
 * What is told of a failure to those who wait for the job. Where the machine or the circuit's files failed, the message
 * may name what is the operator's alone, such as paths and URLs; it goes to the worker's events.
 */
export function shownError(error: JobError, isLoading: boolean): JobError {
  if (isLoading) {
    return {
      code: 'IO_FAILED',
      message: "expected a worker to load the circuit's files, got an error",
      hint: "the operator finds the reason in the workers' log; then submit the job again",
    };
  }
  if (!isMachineFault(error) || error === WORKERS_DIED) return error;
  return {
    code: error.code,
    message: 'expected a proof, got a fault of the worker',
    hint: "submit the job again; if it fails again, the operator finds the reason in the workers' log",
  };
}

/** Whether the prover that failed so is of no further use. */
export function isFaultOfProver({ code }: JobError): boolean {
  return FAULTS_OF_PROVERS.has(code);
}
