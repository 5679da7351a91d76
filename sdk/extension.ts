export type * from './api/index.js';
export type * from './api/progress.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './hosts/extension/api.js';
export { connectProver } from './hosts/extension/connect.js';
export type * from './hosts/extension/request-api.js';
export { serveProver } from './hosts/extension/serve.js';
export type * from './hosts/extension/universal-api.js';
