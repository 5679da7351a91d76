import { PippinError, type PippinErrorCode } from '../base/errors.js';

const FAULTS: readonly PippinErrorCode[] = [
  'DEVICE_LOST',
  'OUT_OF_MEMORY',
  'RESULT_INVALID',
  'INTERNAL',
  'WEBGPU_UNAVAILABLE',
];

/** Whether an error says that the backend failed, rather than that the caller made a wrong request or aborted the call. */
export function isBackendFault(error: unknown): error is PippinError {
  return error instanceof PippinError && FAULTS.includes(error.code);
}

/** Turns `DISPOSED` into `DEVICE_LOST`: what was released together with its device is lost for a call that still uses it. */
export function asLost(error: unknown): unknown {
  const wasLetGo = error instanceof PippinError && error.code === 'DISPOSED';
  return wasLetGo
    ? new PippinError('DEVICE_LOST', 'the GPU device was closed by another call', { cause: error })
    : error;
}

/** What the caller is told when the workers have done the work of a GPU that failed. */
export function standInNotice({ code, message }: PippinError): string {
  return `the GPU failed (${code}: ${message}); the WASM workers did its work`;
}
