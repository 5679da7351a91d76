export type * from './api.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export type * from './extension/api.js';
export { connectProver } from './extension/connect.js';
export { serveProver } from './extension/serve.js';
export type * from './progress.js';
