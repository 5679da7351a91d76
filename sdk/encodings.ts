export { ethereumAbi, ethereumWords } from './encodings/ethereum.js';
export type { ExportVerificationKey, ReadInfo } from './encodings/file-functions.js';
export type { FileInfo, R1csInfo, WtnsInfo, ZkeyInfo } from './encodings/file-info.js';
export type { ReadOptions } from './encodings/read-source.js';
export { solidityCalldata } from './encodings/solidity-calldata.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export { exportVerificationKey, readInfo } from './platform/browser-files.js';
