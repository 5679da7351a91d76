/**
 * A queue of proofs for a wallet: order and priority, cancelling, pauses, results that survive a reload, and turns over
 * all pages of an origin.
 *
 * ```ts
 * const queue = createProofQueue(await createProver());
 * const { proof } = await queue.add({ id: 'spend-1', zkey: '/keys/note.zkey', circuit: '/keys/note.wasm', inputs });
 * queue.forget('spend-1'); // once the wallet has the proof
 * ```
 *
 * @module
 */
export type { Groth16Proof } from './api/index.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './hosts/queue/api.js';
export { createProofQueue } from './hosts/queue/create-proof-queue.js';
