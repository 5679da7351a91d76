export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './ceremony/api.js';
export { beacon, contribute, newKey, verifyContributions } from './hosts/page/browser-ceremony.js';
