/** The entry for pages whose bundler reads `module` of package.json and not `exports`, as Parcel does. */
export type * from './api.js';
export type { CurveId, GroupId } from './curves/index.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export { createProver } from './platform/whole-scripts.js';
export type * from './progress.js';
