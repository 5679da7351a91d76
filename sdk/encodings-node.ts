export { PippinError, type PippinErrorCode } from './base/errors.js';
export * from './encodings/index.js';
export { exportVerificationKey, readInfo } from './hosts/node/node-files.js';
export { packKey, unpackKey } from './hosts/node/node-packing.js';
