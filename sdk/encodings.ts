export { PippinError, type PippinErrorCode } from './base/errors.js';
export * from './encodings/index.js';
export { exportVerificationKey, readInfo } from './hosts/page/browser-files.js';
