export * from './encodings/index.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export { exportVerificationKey, readInfo } from './platform/node-files.js';
