export {
  arkworksVerificationKey,
  type CompressionOptions,
  type EncodedProof,
  toArkworks,
} from './encodings/arkworks.js';
export { ethereumAbi, ethereumWords } from './encodings/ethereum.js';
export type { ExportVerificationKey, ReadInfo } from './encodings/file-functions.js';
export type { FileInfo, R1csInfo, WtnsInfo, ZkeyInfo } from './encodings/file-info.js';
export { type GnarkProof, toGnark } from './encodings/gnark.js';
export type { ReadOptions } from './encodings/read-options.js';
export { type SolanaProof, type SolanaVerificationKey, solanaVerificationKey, toSolana } from './encodings/solana.js';
export { solidityCalldata } from './encodings/solidity-calldata.js';
export { suiVerificationKey, toSui } from './encodings/sui.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export { exportVerificationKey, readInfo } from './platform/node-files.js';
