export type * from './api/index.js';
export type * from './api/progress.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export type { CurveId, GroupId } from './curves/index.js';
export { createProver } from './hosts/page/browser.js';
