export {
  arkworksVerificationKey,
  type CompressionOptions,
  type EncodedProof,
  toArkworks,
} from './arkworks.js';
export { ethereumAbi, ethereumWords } from './ethereum.js';
export type { ExportVerificationKey, ReadInfo } from './file-functions.js';
export type { FileInfo, R1csInfo, WtnsInfo, ZkeyInfo } from './file-info.js';
export { type GnarkProof, toGnark } from './gnark.js';
export type { ReadOptions } from './read-options.js';
export { checkInputs, checkWitness } from './requests.js';
export { type SolanaProof, type SolanaVerificationKey, solanaVerificationKey, toSolana } from './solana.js';
export { solidityCalldata } from './solidity-calldata.js';
export { suiVerificationKey, toSui } from './sui.js';
