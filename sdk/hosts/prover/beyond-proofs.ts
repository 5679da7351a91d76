/**
 * What a prover computes besides single proofs: MSMs, KZG commitments and batches of proofs. A page downloads it as one
 * script with the first such call. Each alone would be one or two kB.
 */

export { requestBatch } from './batch.js';
export { CallerKzg } from './kzg.js';
export { MsmCalls } from './msm-calls.js';
