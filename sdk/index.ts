export type * from './api.js';
export type { CurveId, GroupId } from './curves/index.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export { createProver } from './platform/browser.js';
export type * from './progress.js';
