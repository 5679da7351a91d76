export type { Groth16Proof } from './api/index.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './hosts/queue/api.js';
export { createProofQueue } from './hosts/queue/create-proof-queue.js';
