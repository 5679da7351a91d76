/** The entry for pages whose bundler reads `module` of package.json and not `exports`, as Parcel does. */
export type * from './api/index.js';
export type * from './api/progress.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export type { CurveId, GroupId } from './curves/index.js';
export { createProver } from './hosts/page/whole-scripts.js';
