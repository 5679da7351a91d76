export { PippinError, type PippinErrorCode } from './base/errors.js';
export * from './encodings/index.js';
export { exportVerificationKey, packKey, readInfo, unpackKey } from './hosts/page/browser-files.js';
