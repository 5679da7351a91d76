/**
 * MSMs by the workers, and what follows a wrong result. Where a GPU computes, few MSMs need them: a page downloads this
 * as one script, in the background after its first bases or key.
 */

export { WasmMsm } from '../executors/workers/pool/wasm-msm.js';
export { Renewal } from './renewal.js';
